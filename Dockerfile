# syntax=docker/dockerfile:1

# The first stage builds Samedeal and installs it, with what it needs, into one folder.
FROM python:3.12-slim AS build
WORKDIR /src
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/samedeal
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY server ./server
COPY client_web ./client_web
COPY migrations ./migrations
# What judges a move is compiled; the image is not built where that fails.
RUN SAMEDEAL_COMPILE=1 /opt/samedeal/bin/pip install ".[postgres,redis]"

# The second takes that folder and nothing else.
FROM python:3.12-slim
RUN useradd --system --uid 10001 --create-home --home-dir /data samedeal
COPY --from=build /opt/samedeal /opt/samedeal
ENV PATH=/opt/samedeal/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
ENV SAMEDEAL_HOST=0.0.0.0 SAMEDEAL_PORT=8000 SAMEDEAL_DATA_DIR=/data SAMEDEAL_LOG_FORMAT=json
USER samedeal
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"SAMEDEAL_PORT\"]}/readyz', timeout=2)"]
STOPSIGNAL SIGTERM
CMD ["samedeal", "serve"]
