"""Tests of report pages."""
