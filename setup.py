"""Names the packages of the distribution; everything else stands in pyproject.toml.

pyproject.toml maps each top-level folder into the namespace `mnemata`. setuptools' own discovery
knows no such prefix, so the folders are walked here and nobody has to list sub-packages by hand.
"""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
folders = settings["tool"]["setuptools"]["package-dir"]

setup(
    packages=[
        f"{package}.{inner}" if inner else package
        for package, folder in folders.items()
        for inner in ("", *find_packages(folder))
    ]
)
