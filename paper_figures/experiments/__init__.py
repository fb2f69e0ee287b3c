"""The experiments of SRT Section 7: what was measured, measuring it, and the plots."""
