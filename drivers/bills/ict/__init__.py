"""ICT104U (ICT): codec and host."""
