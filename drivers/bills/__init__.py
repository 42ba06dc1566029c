"""Bill acceptors, one package per wire protocol."""
