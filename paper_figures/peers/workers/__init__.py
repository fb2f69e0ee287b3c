"""Processes that each run one system of this project."""
