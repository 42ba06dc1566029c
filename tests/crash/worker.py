"""A small cabinet for one written session, to be killed: `python worker.py FOLDER SESSION`.

It opens the journal, restarts where it finds a machine, goes on with the session, and says the number of each cue it
has kept. That number is also the monotonic time of the cue's last step, so the journal knows how far the session got.
"""

import sys
from pathlib import Path

from support.crashes import as_it_is_now, cues_of, no_cards, restart
from support.journals import open_journal

from cabinet.engine import machine as engine
from cabinet.engine.cards import Draw
from cabinet.engine.effects import Refused
from cabinet.engine.inputs import Input, PoweredUp
from cabinet.engine.state import Machine
from cabinet.store.journal import Stamp


def main(folder: Path, name: str) -> None:
    """Play what is left of the session."""
    settings, cues = cues_of(name)
    with open_journal(folder) as journal:
        (done,) = journal.connection.execute("SELECT coalesce(max(mono_ms), 0) FROM steps").fetchone()
        number = done

        def take(input_: Input, draw: Draw) -> Machine:
            before = journal.machine or engine.starting(settings)
            step = engine.step(settings, before, input_, draw)
            assert not any(isinstance(event, Refused) for event in step.events), (input_, step.events)
            journal.commit(input_, step, Stamp(boot=1, wall_ms=0, mono_ms=number, clock_ok=True))
            return step.machine

        if journal.machine is not None:
            restart(take)
        else:
            take(PoweredUp(clean=True), no_cards)
        for cue in cues[done:]:
            assert journal.machine is not None
            inputs = tuple(as_it_is_now(journal.machine, cue))
            for input_ in inputs[:-1]:
                take(input_, cue.draw)
            number = cue.number
            for input_ in inputs[-1:]:
                take(input_, cue.draw)
            sys.stdout.write(f"{cue.number}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
