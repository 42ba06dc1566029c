"""Bill acceptors, one file per wire protocol."""
