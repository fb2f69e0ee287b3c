"""What the papers claim of SREMO and symbolic register transducers."""
