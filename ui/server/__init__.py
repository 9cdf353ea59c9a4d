"""The server around the pages: access, limits, metrics, logs and health."""
