"""The table of mounts."""

from cabinet.installation.system.fstab import Mounts, find_own_mounts, put_mounts

STOCK = (
    "proc            /proc           proc    defaults          0       0\n"
    "PARTUUID=0a1b2c3d-01  /boot/firmware  vfat    defaults          0       2\n"
    "PARTUUID=0a1b2c3d-02  /               ext4    defaults,noatime  0       1\n"
)
BOTH = Mounts(books=True, second=True)


def test_both_file_systems_are_mounted_by_label_and_may_be_missing():
    rows = [line.split() for line in put_mounts(STOCK, BOTH).splitlines() if line.startswith("LABEL=")]
    assert [(row[0], row[1], row[2]) for row in rows] == [
        ("LABEL=CABINETDATA", "/var/lib/blackjack-cabinet", "ext4"),
        ("LABEL=CABINET2ND", "/media/second", "ext4"),
    ]
    assert all({"nofail", "noatime", "noexec"} < set(row[3].split(",")) for row in rows)


def test_a_second_run_changes_nothing_and_the_users_lines_stay():
    once = put_mounts(STOCK, BOTH)
    assert (put_mounts(once, BOTH), once.startswith(STOCK)) == (once, True)


def test_without_file_systems_there_is_no_block():
    assert put_mounts(put_mounts(STOCK, BOTH), Mounts(books=False, second=False)) == STOCK


def test_a_folder_that_the_user_mounts_otherwise_is_named_and_left():
    own = f"{STOCK}/dev/sda1 /media/second/ ext4 defaults 0 2\n#LABEL=x /var/lib/blackjack-cabinet ext4 defaults 0 2\n"
    text = put_mounts(own, BOTH)
    assert (text.count("CABINET2ND"), text.count("CABINETDATA")) == (0, 1)
    assert [each.split(":")[0] for each in find_own_mounts(own, BOTH)] == ["fstab line 4"]
