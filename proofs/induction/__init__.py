"""Steps of inductions over runs, without bounds, for Z3 to discharge.

Each module is about one construction. Its docstring says, in plain mathematics, what is assumed, what is
proved of each step, how that amounts to the theorem, and what remains outside.
"""
