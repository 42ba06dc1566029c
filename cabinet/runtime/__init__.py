"""The cabinet's own thread: input, step, commit, act, publish.

Lives here: the controller, its start-up, housekeeping, print queue, translation between device events and the engine,
and the builder that connects real or simulated devices.
Does not live here: rules of money or play (`engine`), SQL (`store`), pixels (`ui`, `window`). Imports neither `ui` nor
`window`: money never waits for the screen.
"""
