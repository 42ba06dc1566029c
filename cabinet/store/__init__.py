"""The only SQL: journal, schema, codec and reports."""
