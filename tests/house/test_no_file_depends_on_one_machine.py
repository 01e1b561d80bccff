"""The patterns are written so that they do not match their own source."""

import re

from tests.house.repository import code_files, files, lines_matching

NAMES_A_REGISTRY = re.compile(
    r'"resolved"\s*:\s*"http'
    r"|--(?:extra-)?index-ur[l]\b|--find-link[s]\b|^\s*(?:extra-)?index-ur[l]\s*="
    r"|\bregistr[y]\s*=\s*\"?http"
    r"|\bregistry[.][a-z0-9-]+[.][a-z]{2,}|\bpypi[.][a-z]{2,}|\bpythonhosted[.]|\bdeb[.]debian[.]",
    re.IGNORECASE,
)
NAMES_A_HOME = re.compile(r"(?<![\w.~*-])/(?:home|Users|root|work)/[\w.]")
UNFINISHED = re.compile(
    r"pytest[.]mark[.](?:skip|xfail)|pytest[.](?:skip|xfail|importorskip)[(]|unittest[.]skip"
    r"|\b(?:it|test|describe|suite)[.](?:skip|skipIf|todo|fixme|fails)\b|[.]only[(]|\bx(?:it|describe)[(]"
    r"|\b(?:TO(?:DO)|FIX(?:ME)|X{3})\b"
)


def test_no_file_names_the_host_of_a_package_registry() -> None:
    assert lines_matching(NAMES_A_REGISTRY, files()) == []


def test_no_file_names_a_path_of_one_machine() -> None:
    assert lines_matching(NAMES_A_HOME, files()) == []


def test_no_test_is_disabled_and_no_work_is_left_unfinished() -> None:
    assert lines_matching(UNFINISHED, code_files()) == []
