"""The par sheet as a document: what `cabinet par` prints, writes and draws."""
