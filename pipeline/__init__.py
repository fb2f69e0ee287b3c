"""The data pipeline: sources, recognition and sinks on Spark, and the command line.

Only this package imports pyspark. `session` starts Spark, on a Java runtime that `java` finds.
"""
