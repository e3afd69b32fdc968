"""Trapezoid rules on vertical lines: planned in doubles, with every error inside in balls."""
