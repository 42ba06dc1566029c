"""TCL ticket printers (TransAct Ithaca, FutureLogic): codec, a print job, the printer."""
