"""Which of the faults known from the field this machine is proved against, and that the list says so truly."""

import ast

from support.faults import compare_faults, find_marked_faults, name_faults, parse_faults, read_faults
from support.source import parse_source, read_tests


def test_the_list_of_proved_faults_is_true():
    assert compare_faults(read_faults(), name_faults(read_tests())) == []


def test_faults_are_numbered_from_one_without_a_gap():
    assert list(read_faults()) == list(range(1, 43))


def test_marks_are_found_on_tests_and_in_parameters():
    code = "@pytest.mark.fault(1, 2)\ndef test_x(): ...\nx = pytest.param(7, marks=pytest.mark.fault(3))\nfault(4)\n"
    assert find_marked_faults(ast.parse(code)) == {1, 2, 3}


def test_a_list_that_is_not_true_is_reported_line_by_line():
    known = parse_faults('1 = {title = "a"}\n2 = {title = "b", unproved = "why"}\n3 = {title = "c", unproved = "why"}')
    tests = [parse_source("@pytest.mark.fault(3, 9)\ndef test_x(): ...", module="tests/test_x.py")]
    assert compare_faults(known, name_faults(tests)) == [
        "tests/test_x.py names fault 9, which is not in tests/faults.toml",
        "fault 3 is proved by tests/test_x.py: take its `unproved` out of tests/faults.toml",
        "fault 1 (a) is named by no test: name it, or say in tests/faults.toml why it is `unproved`",
    ]
