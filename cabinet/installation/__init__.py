"""The installation: the files around the program on the Pi, and the changes that set it up, update it and remove it.

Lives here: what all parts share (paths, errors, durable writes, the protection of the system against writing), and a
package for each part: `system` (texts of system files, facts of the board), `setup`, `first_boot`, `update`,
`wiring`. A text is made by a pure function; only `durable` writes. Does not live here: money, play, the books'
contents, threads and devices of the panel. No module of this package runs during play.
"""
