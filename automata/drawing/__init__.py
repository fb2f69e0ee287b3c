"""Pictures of automata, runs and matches, in the papers' notation.

The plot of a stream with its matches is in `mnemata.automata.drawing.timeline`, which needs matplotlib.
"""

from mnemata.automata.drawing.cea import draw_cea
from mnemata.automata.drawing.draw import Stage, draw, draw_stages, frames, mimebundle
from mnemata.automata.drawing.drawing import Drawing
from mnemata.automata.drawing.errors import DrawingError
from mnemata.automata.drawing.match_graph import draw_compact_set, draw_evaluation

__all__ = [
    "Drawing",
    "DrawingError",
    "Stage",
    "draw",
    "draw_cea",
    "draw_compact_set",
    "draw_evaluation",
    "draw_stages",
    "frames",
    "mimebundle",
]
