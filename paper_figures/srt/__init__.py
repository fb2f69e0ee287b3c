"""The figures and tables of the SRT paper."""
