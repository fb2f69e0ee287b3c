"""What mnemata itself claims: the constructions and the engine that no paper describes."""
