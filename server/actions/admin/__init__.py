"""What admins can do. Every function asks first whether the admin's role allows it, whoever calls it."""
