"""Pages and pictures about a plan."""
