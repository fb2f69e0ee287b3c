"""Recognition in columns: streams as Arrow tables in, matches out."""
