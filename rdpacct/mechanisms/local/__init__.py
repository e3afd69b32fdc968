"""Local randomizers: what each person runs on their own value before it is sent."""
