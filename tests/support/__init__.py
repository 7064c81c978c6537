"""What several tests need: services, fixtures and small drivers."""
