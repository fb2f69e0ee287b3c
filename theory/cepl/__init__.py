"""Core-CEPL: complex event processing logic with filters over several events (RMA Sections 3 and 6)."""
