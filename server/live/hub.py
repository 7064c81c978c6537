"""Fan-out within one process: whoever listens to a topic is told what happens there.

News is at most once: a listener that missed something asks for a snapshot. Delivery is a plain call in the publisher's
turn of the event loop, so a listener must only take note or write to its own socket.
"""

from typing import Any, Protocol


class Listener(Protocol):
    """Something that takes news."""

    def notify(self, news: Any) -> None:
        """Take one piece of news; must not raise and must not block."""
        ...


class Hub:
    """Topics and who listens to them."""

    def __init__(self) -> None:
        self._listeners: dict[str, dict[Listener, None]] = {}

    def subscribe(self, topic: str, listener: Listener) -> None:
        """Tell the listener of what is published under the topic from now on; twice is the same as once."""
        self._listeners.setdefault(topic, {})[listener] = None

    def unsubscribe(self, topic: str, listener: Listener) -> None:
        """Tell the listener no more; without effect where it does not listen."""
        listeners = self._listeners.get(topic)
        if listeners is not None:
            listeners.pop(listener, None)
            if not listeners:
                del self._listeners[topic]

    def publish(self, topic: str, news: Any, *, but: Listener | None = None) -> None:
        """Tell everybody who listens to the topic, except ``but``, who knows already."""
        listeners = self._listeners.get(topic)
        if listeners is None or (len(listeners) == 1 and but in listeners):
            return
        for listener in tuple(listeners):
            if listener is not but:
                listener.notify(news)

    def topics(self, beginning: str) -> list[str]:
        """The topics that begin with a text and have listeners."""
        return [topic for topic in self._listeners if topic.startswith(beginning)]

    def listeners(self, topic: str) -> int:
        """How many listen to a topic."""
        return len(self._listeners.get(topic, ()))

    def __len__(self) -> int:
        return len(self._listeners)
