"""Complex event logic (CEL): Grez, Riveros, Ugarte, Vansummeren, Sections 3, 4, 7 and 8."""
