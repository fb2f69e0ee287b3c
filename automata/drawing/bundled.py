"""Lays out and renders a DOT text with the Graphviz that the pygraphviz wheel contains.

Run as a program of its own, with the format and the resolution as arguments, the DOT text on standard input
and the picture on standard output. Graphviz keeps global state, holds Python's lock while it works and cannot
be interrupted; in a process of its own it is safe to use from threads, can be given a time limit, and
takes nothing down with it.
"""

import sys


def main() -> int:
    """Render standard input; the arguments are an output format of Graphviz and dots per inch."""
    from pygraphviz import AGraph

    picture_format, dpi = sys.argv[1:]
    graph = AGraph(string=sys.stdin.buffer.read().decode("utf-8"))
    attributes = graph.graph_attr
    if picture_format == "png":
        attributes["dpi"] = dpi
    program = attributes.get("layout", "dot")
    picture = graph.draw(format=picture_format, prog=program)
    sys.stdout.buffer.write(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
