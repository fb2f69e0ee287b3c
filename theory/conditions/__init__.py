"""Conditions over the head and registers: SRT Def. 4 to 13."""
