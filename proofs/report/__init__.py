"""What a person sees of the registry: accounts of results in words, and reports in Markdown and HTML."""
