"""The cabinet's socket: other processes read its figures and the rows of its log while it runs.

`wire` is the language, `place` where the socket is, `reader` one connection, `server` the cabinet's side, `client` the
side of the commands. `docs/status.md` describes the wire for other programs.

Rules: no message moves money or changes anything. The package knows nothing of the cabinet; figures are plain data.
"""
