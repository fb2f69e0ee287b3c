"""Pictures of automata, runs and matches, in the papers' notation.

The plot of a stream with its matches is in `mnemata.automata.drawing.timeline`, which needs matplotlib.
"""

from mnemata.automata.drawing.cea import draw_cea
from mnemata.automata.drawing.draw import Stage, draw, draw_stages, frames, mimebundle
from mnemata.automata.drawing.drawing import Drawing
from mnemata.automata.drawing.errors import DrawingError

__all__ = ["Drawing", "DrawingError", "Stage", "draw", "draw_cea", "draw_stages", "frames", "mimebundle"]
