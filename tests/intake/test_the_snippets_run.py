"""The snippets of docs/integrate.md are executed as they stand, against a running server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from sqlalchemy import select

from countinghouse.claims.tables import claims
from countinghouse.users.tables import users
from tests.desk import Desk
from tests.intake.pushing import add_key
from tests.pictures import without_a_code
from tests.servers import running_server

DOCUMENT = Path(__file__).parents[2] / "docs" / "integrate.md"
PROGRAMS = {"sh": ["bash", "-eu"], "python": [sys.executable], "js": ["node"]}
NAMES = {"sh": "push.sh", "python": "push.py", "js": "push.mjs"}


def test_each_snippet_stores_what_it_says(desk: Desk, database_url: str, tmp_path: Path) -> None:
    snippets: dict[str, str] = {}
    for language, text in re.findall(r"^```(sh|python|js)\n(.*?)^```$", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE):
        snippets[language] = snippets.get(language, "") + text
    assert set(snippets) == set(PROGRAMS)
    (tmp_path / "proof.png").write_bytes(without_a_code())
    key = add_key(desk)
    said: dict[str, str] = {}
    with running_server(database_url) as url:
        for language, text in snippets.items():
            file = tmp_path / NAMES[language]
            file.write_text(text)
            # Twice: a second delivery changes nothing.
            for _ in range(2):
                ended = subprocess.run(
                    [*PROGRAMS[language], str(file)],
                    env={"PATH": os.environ["PATH"], "DESK": url, "DESK_KEY": key},
                    cwd=tmp_path,
                    capture_output=True,
                    text=True,
                    timeout=60,
                    check=False,
                )
                assert ended.returncode == 0, (language, ended.stderr)
                said.setdefault(language, ended.stdout)
    answers = [json.loads(line) for line in said["sh"].replace("}{", "}\n{").splitlines()]
    proof = answers.pop()
    assert (proof["externalId"], proof["outcome"]) == ("p-2001", "created")
    assert [answer["results"][0]["outcome"] for answer in answers] == ["created"] * 3
    assert [line.split()[-1] for line in said["python"].splitlines()] == ["Pending", "Rejected", "Pending", "Pending"]
    assert "u-7001 created" in said["js"]
    assert "u-7002 invalid { mobile: 'mobile is not an Indian" in " ".join(said["js"].split())
    assert sorted(row.external_id for row in desk.rows(select(claims))) == ["c-1", "c-2", "c-3", "c-3001"]
    assert len(desk.rows(select(users))) == 5
    corrected = desk.rows(select(claims.c.account_no).where(claims.c.external_id == "c-1"))
    assert corrected == [("004599999999",)]
