"""Recognition in streams that have no end, by Spark's Structured Streaming.

Rows arrive (`mnemata.pipeline.streaming.folder`), are sent to the group of their key
(`mnemata.pipeline.streaming.parcels`), wait there until the watermark has passed them, are read by the
engine, whose snapshot is the group's state (`mnemata.pipeline.streaming.groups`), and what comes of that is
written batch by batch, each match exactly once (`mnemata.pipeline.streaming.publishing`).
"""
