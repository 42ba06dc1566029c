"""Changes are applied and undone, also after a kill at each act on a file."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.boot_files import BOOT_FILES, STOCK_CMDLINE, STOCK_CONFIG
from support.kills import kill_at_each_act

from cabinet.installation.paths import ON_CABINET, Paths
from cabinet.installation.root import RootError
from cabinet.installation.setup.changes import (
    Change,
    ChangeError,
    Kind,
    apply_changes,
    plan_undo,
    read_contents,
    show_change,
    undo_changes,
)
from cabinet.installation.system.blocks import put_block
from cabinet.installation.system.boot_files import put_cmdline

ZONE = Path("/etc/localtime")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(root=tmp_path / "root")


def _card(paths: Paths, kind: str) -> None:
    """Makes a card of this kind anew."""
    shutil.rmtree(paths.root, ignore_errors=True)
    config, cmdline = BOOT_FILES[kind]
    for path, text in ((paths.config_txt, config), (paths.cmdline_txt, cmdline)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    paths.local_time.parent.mkdir(parents=True)
    paths.local_time.symlink_to("/usr/share/zoneinfo/Etc/UTC")


def _plan(paths: Paths, lines: tuple[str, ...] = ("theirs=1",)) -> list[Change]:
    """Returns a change of each kind of file: two boot files, a new file, a link."""

    def text(path: Path) -> str:
        return (read_contents(paths.at(path)) or b"").decode()

    def change(path: Path, after: str, kind: Kind = Kind.BLOCK) -> Change:
        return Change(
            path=path, before=read_contents(paths.at(path)), after=after.encode(), reason=f"why {path.name}", kind=kind
        )

    config, cmdline, journald = ON_CABINET.config_txt, ON_CABINET.cmdline_txt, ON_CABINET.journald
    return [
        change(config, put_block(text(config), lines)),
        change(cmdline, put_cmdline(text(cmdline)), Kind.CMDLINE),
        change(journald, put_block(text(journald), ("[Journal]", *lines))),
        change(ZONE, "/usr/share/zoneinfo/Europe/Vienna", Kind.LINK),
    ]


def _contents(paths: Paths) -> dict[str, bytes | None]:
    files = (*(paths.at(each.path) for each in _plan(paths)),)
    return {path.name: read_contents(path) for path in files}


def _apply(paths: Paths) -> Callable[[], None]:
    return lambda: _discard(apply_changes(_plan(paths), paths))


def _undo(paths: Paths) -> Callable[[], None]:
    return lambda: _discard(undo_changes(paths))


def _discard(_made: object) -> None:
    return None


@pytest.mark.parametrize("kind", BOOT_FILES)
def test_a_second_run_changes_nothing(paths: Paths, kind: str):
    _card(paths, kind)
    assert len(apply_changes(_plan(paths), paths)) == 4
    after = _contents(paths)
    assert (apply_changes(_plan(paths), paths), _contents(paths)) == ((), after)


@pytest.mark.parametrize("kind", BOOT_FILES)
def test_the_undo_restores_the_bytes(paths: Paths, kind: str):
    _card(paths, kind)
    before = _contents(paths)
    apply_changes(_plan(paths), paths)
    undo_changes(paths)
    assert _contents(paths) == before
    assert not paths.setup.exists()


def test_the_undo_of_two_set_ups_restores_the_bytes_before_the_first(paths: Paths):
    _card(paths, "edited")
    before = _contents(paths)
    apply_changes(_plan(paths), paths)
    apply_changes(_plan(paths, ("theirs=2",)), paths)
    undo_changes(paths)
    assert _contents(paths) == before


def test_the_undo_keeps_what_the_user_wrote_since(paths: Paths):
    _card(paths, "stock")
    apply_changes(_plan(paths), paths)
    paths.config_txt.write_text(paths.config_txt.read_text() + "mine=1\n")
    paths.cmdline_txt.write_text(paths.cmdline_txt.read_text().replace("rootwait", "rootwait mine=1"))
    paths.journald.write_text(paths.journald.read_text() + "# mine\n")
    paths.local_time.unlink()
    paths.local_time.symlink_to("/usr/share/zoneinfo/Europe/Paris")
    undo_changes(paths)
    assert paths.config_txt.read_text() == f"{STOCK_CONFIG}mine=1\n"
    assert paths.cmdline_txt.read_text() == STOCK_CMDLINE.replace("rootwait", "rootwait mine=1")
    assert paths.journald.read_text() == "# mine\n"
    assert str(paths.local_time.readlink()).endswith("Paris")


def test_a_file_edited_between_two_set_ups_keeps_its_edit_when_both_are_undone(paths: Paths):
    _card(paths, "stock")
    apply_changes(_plan(paths), paths)
    paths.config_txt.write_text(f"mine=1\n{paths.config_txt.read_text()}")
    apply_changes(_plan(paths, ("theirs=2",)), paths)
    undo_changes(paths)
    assert paths.config_txt.read_text() == f"mine=1\n{STOCK_CONFIG}"


def test_a_file_that_the_user_removed_stays_removed(paths: Paths):
    _card(paths, "stock")
    apply_changes(_plan(paths), paths)
    paths.config_txt.unlink()
    undo_changes(paths)
    assert not paths.config_txt.exists()


def test_settings_stay_at_an_undo(paths: Paths):
    change = Change(
        path=ON_CABINET.settings,
        before=None,
        after=b"[machine]\n",
        reason="the answers",
        kind=Kind.SETTINGS,
        mode=0o640,
    )
    apply_changes([change], paths)
    undo_changes(paths)
    assert paths.settings.read_bytes() == b"[machine]\n"
    assert paths.settings.stat().st_mode & 0o777 == 0o640


def test_an_undo_without_a_set_up_changes_nothing(paths: Paths):
    _card(paths, "stock")
    assert (plan_undo(paths), undo_changes(paths, keep=("a",))) == ((), ())


def test_a_file_keeps_its_rights(paths: Paths):
    _card(paths, "stock")
    paths.config_txt.chmod(0o600)
    apply_changes(_plan(paths), paths)
    assert paths.config_txt.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("before", "after"), [(0o644, 0o640), (0o666, 0o640), (0o640, 0o640), (0o600, 0o600)])
def test_settings_that_every_user_could_read_become_private(paths: Paths, before: int, after: int):
    """The sample is copied with the rights of a new file; then the set-up writes the PIN into it."""
    settings = paths.at(ON_CABINET.settings)
    settings.parent.mkdir(parents=True)
    settings.write_bytes(b"old")
    settings.chmod(before)
    change = Change(
        path=ON_CABINET.settings, before=b"old", after=b"493817", reason="the PIN", kind=Kind.SETTINGS, mode=0o640
    )
    apply_changes([change], paths)
    assert settings.stat().st_mode & 0o777 == after


def test_a_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ChangeError, match="is no file, expected one"):
        read_contents(tmp_path / "pipe")


def test_a_secret_is_at_no_moment_in_a_file_that_others_can_read(paths: Paths):
    def change() -> None:
        secret = Change(path=ON_CABINET.settings, before=None, after=b"493817", reason="the PIN", mode=0o600)
        apply_changes([secret], paths)

    mask = os.umask(0)
    try:
        for _ in kill_at_each_act(lambda: _card(paths, "stock"), change):
            found = [path for path in paths.root.rglob("*") if path.is_file() and b"493817" in path.read_bytes()]
            assert [path for path in found if path.stat().st_mode & 0o077] == []
    finally:
        os.umask(mask)


def test_what_a_kill_left_beside_a_file_goes_though_the_file_needs_no_change(paths: Paths):
    _card(paths, "stock")
    left = paths.config_txt.with_name("config.txt.partial")
    left.write_text("half")
    same = replace(_plan(paths)[0], after=paths.config_txt.read_bytes())
    assert (apply_changes([same], paths), left.exists()) == ((), False)


def test_a_missing_copy_stops_the_undo_before_it_changes_anything(paths: Paths):
    _card(paths, "empty")
    apply_changes(_plan(paths), paths)
    after = _contents(paths)
    (paths.setup / "before/boot/firmware/cmdline.txt").unlink()
    with pytest.raises(ChangeError, match=r"^/boot/firmware/cmdline.txt: its copy .* is missing"):
        undo_changes(paths)
    assert _contents(paths) == after


def test_copies_can_be_read_by_root_only(paths: Paths):
    _card(paths, "stock")
    apply_changes(_plan(paths), paths)
    assert paths.setup.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in paths.setup.rglob("*"))


@pytest.mark.parametrize("kind", sorted(BOOT_FILES, reverse=True))
@pytest.mark.sample(1)
def test_a_kill_leaves_old_or_new_files_and_a_repeat_completes(paths: Paths, kind: str):
    _card(paths, kind)
    old = _contents(paths)
    apply_changes(_plan(paths), paths)
    new = _contents(paths)
    seen = 0
    for _ in kill_at_each_act(lambda: _card(paths, kind), _apply(paths)):
        seen += 1
        assert all(contents in (old[name], new[name]) for name, contents in _contents(paths).items())
        _apply(paths)()
        assert _contents(paths) == new
        undo_changes(paths)
        assert _contents(paths) == old
        assert [path.name for path in paths.root.rglob("*-new")] == []
    assert seen > 20


def test_a_kill_at_a_set_up_can_be_undone(paths: Paths):
    _card(paths, "edited")
    old = _contents(paths)
    for _ in kill_at_each_act(lambda: _card(paths, "edited"), _apply(paths)):
        undo_changes(paths)
        assert _contents(paths) == old


def test_a_kill_at_a_second_set_up_can_be_undone_to_the_bytes(paths: Paths):
    _card(paths, "edited")
    old = _contents(paths)

    def once() -> None:
        _card(paths, "edited")
        apply_changes(_plan(paths), paths)

    def again() -> None:
        apply_changes(_plan(paths, ("theirs=2",)), paths)

    for _ in kill_at_each_act(once, again):
        again()
        undo_changes(paths)
        assert _contents(paths) == old


@pytest.mark.parametrize("kind", sorted(BOOT_FILES, reverse=True))
@pytest.mark.sample(1)
def test_a_kill_at_an_undo_leaves_old_or_new_files_and_a_repeat_completes(paths: Paths, kind: str):
    _card(paths, kind)
    old = _contents(paths)

    def set_up() -> None:
        _card(paths, kind)
        apply_changes(_plan(paths), paths)

    set_up()
    new = _contents(paths)
    for _ in kill_at_each_act(set_up, _undo(paths)):
        assert all(contents in (old[name], new[name]) for name, contents in _contents(paths).items())
        assert not (paths.setup / "changes.json").exists() or len(list(paths.setup.rglob("before/**/*.txt"))) == 2
        undo_changes(paths)
        assert _contents(paths) == old
        assert not paths.setup.exists()


def test_a_file_that_changed_during_the_set_up_is_left(paths: Paths):
    _card(paths, "stock")
    plan = _plan(paths)
    paths.config_txt.write_text("mine=1\n")
    with pytest.raises(ChangeError, match=r"^/boot/firmware/config.txt: .* repeat the set-up$"):
        apply_changes(plan, paths)
    assert paths.config_txt.read_text() == "mine=1\n"


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '{"/etc/fstab": 1}', '{"/etc/fstab": {}}', "[" * 100_000])
def test_a_damaged_list_says_where_the_copies_are(paths: Paths, text: str):
    _card(paths, "stock")
    apply_changes(_plan(paths), paths)
    (paths.setup / "changes.json").write_text(text)
    with pytest.raises(ChangeError, match=r"restore the files by hand from .*/before"):
        plan_undo(paths)


def test_a_block_without_its_end_says_so_at_an_undo(paths: Paths):
    _card(paths, "stock")
    apply_changes(_plan(paths), paths)
    paths.config_txt.write_text(paths.config_txt.read_text().replace("# --- blackjack-cabinet end", ""))
    with pytest.raises(ChangeError, match=r"^/boot/firmware/config.txt: line \d+: "):
        plan_undo(paths)


def test_a_change_is_shown_as_a_diff_with_its_reason():
    change = Change(path=Path("/a"), before=b"x\ny\n", after=b"x\nz 123456\n", reason="the reason")
    assert show_change(change) == "/a: the reason\n    -y\n    +z 123456\n"


@pytest.mark.parametrize(
    "line",
    [
        'technician_pin = "493817"',
        "technician_pin='493817'  # of the house 493817",
        "technician_pin = 493817",
        'attendant.technician_pin = "493817"',
        'attendant = { "technician_pin" = "493817" }',
        '# technician_pin = "493817"',
        'technician_pin = "493817',
    ],
)
def test_a_pin_is_hidden_on_both_sides_of_a_change_in_each_form(line: str):
    other = line.replace("493817", "820164")
    change = Change(path=Path("/a"), before=line.encode(), after=other.encode(), reason="", kind=Kind.SETTINGS)
    for shown in (show_change(change), show_change(replace(change, before=None, pattern=line.encode()))):
        assert ("493817" in shown, "820164" in shown, shown.count('"******"')) == (False, False, 2)


def test_a_new_file_is_shown_against_what_it_is_made_from():
    change = Change(path=Path("/a"), before=None, after=b"x\nz\n", pattern=b"x\ny\n", reason="the reason")
    assert show_change(change) == "/a: the reason\n    -y\n    +z\n"


def test_a_link_is_shown_with_its_targets():
    change = Change(path=ZONE, before=None, after=b"/dev/null", reason="why", kind=Kind.LINK)
    assert show_change(change) == "/etc/localtime: why\n    link to nothing -> /dev/null\n"


def test_each_write_is_durable_before_it_replaces_a_file_and_its_folder_after(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
):
    acts: list[str] = []
    sync, move = os.fsync, Path.replace

    def note_sync(descriptor: int) -> None:
        acts.append(f"sync {Path(f'/proc/self/fd/{descriptor}').readlink().name}")
        sync(descriptor)

    def note_move(beside: Path, path: Path) -> Path:
        acts.append(f"move {path.name}")
        return move(beside, path)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(Path, "replace", note_move)
    _card(paths, "stock")
    apply_changes(_plan(paths)[:1], paths)
    copied, listed = acts.index("move config.txt"), acts.index("move changes.json")
    written = len(acts) - 1 - acts[::-1].index("move config.txt")
    assert copied < listed < written
    assert [acts[at - 1] for at in (copied, listed, written)] == [
        "sync config.txt.partial",
        "sync changes.json.partial",
        "sync config.txt.partial",
    ]
    assert [acts[at + 1] for at in (listed, written)] == ["sync blackjack-cabinet-setup", "sync firmware"]


def test_a_file_that_cannot_be_written_stays_as_it_is(paths: Paths):
    _card(paths, "stock")
    if os.getuid() == 0:
        paths.config_txt.parent.joinpath("config.txt.partial").mkdir()
    else:
        paths.config_txt.parent.chmod(0o500)
    with pytest.raises(OSError, match=r"config\.txt"):
        apply_changes(_plan(paths), paths)
    assert paths.config_txt.read_text() == STOCK_CONFIG


@pytest.mark.parametrize(
    "lines",
    [
        'technician_pin = """\n493817"""  # 493817',
        "technician_pin = '''\n493817'''",
        'technician_pin = """493\\\n817"""',
        'attendant = { technician_pin = """\n493817""" }',
        'technician_pin = """\n493817',
        "technician_pin =\n493817",
    ],
)
def test_a_pin_over_several_lines_is_hidden(lines: str):
    before = f"x = 1\n{lines}\n".encode()
    change = Change(path=Path("/a"), before=before, after=b'technician_pin = "820164"\n', reason="why")
    for shown in (show_change(change), show_change(replace(change, before=change.after, after=before))):
        assert ("493" in shown, "817" in shown, "820164" in shown) == (False, False, False)
        assert shown.count('"******"') == 2


def test_what_follows_a_hidden_pin_is_shown():
    before, after = b'pin = 1\ntechnician_pin = """\n493817"""\ny = 2\n', b'technician_pin = "820164"\ny = 3\n'
    change = Change(path=Path("/a"), before=before, after=after, reason="why")
    assert show_change(change).splitlines()[-2:] == ['    +technician_pin = "******"', "    +y = 3"]


def test_nothing_is_written_behind_a_link_that_leads_out_of_the_root(paths: Paths, tmp_path: Path):
    _card(paths, "stock")
    (tmp_path / "outside").mkdir()
    planned = _plan(paths)
    paths.journald.parent.parent.mkdir(parents=True)
    paths.journald.parent.symlink_to(tmp_path / "outside")
    before = _contents(paths)
    with pytest.raises(RootError, match=r"journald\.conf\.d: is a link to"):
        apply_changes(planned, paths)
    assert (_contents(paths), list((tmp_path / "outside").iterdir())) == (before, [])


def test_an_undo_with_a_link_that_leads_out_of_the_root_changes_nothing(paths: Paths, tmp_path: Path):
    _card(paths, "stock")
    apply_changes(_plan(paths), paths)
    folder = paths.journald.parent
    folder.rename(tmp_path / "outside")
    folder.symlink_to(tmp_path / "outside")
    before = _contents(paths)
    with pytest.raises(RootError, match=r"journald\.conf\.d: is a link to"):
        undo_changes(paths)
    assert _contents(paths) == before
