"""For every question the module has the document of the command; the questions stand in tests/questions.json."""

import json
import pathlib
import subprocess
import sys

import m220
import pytest

TABLE = pathlib.Path(__file__).parents[3] / "tests" / "questions.json"
ASKED = [(row, engine) for row in json.loads(TABLE.read_text(encoding="utf-8")) for engine in row["engines"]]


def by_command(row, engine):
    words = row.get("command", row["question"]).split()
    for name, value in row["fields"].items():
        option = "--" + name.replace("_", "-")
        if name == row.get("argument"):
            words.append(str(value))
        else:
            words.append(option if value is True else f"{option}={value}")
    if len(row["engines"]) > 1:
        words.append(f"--engine={engine}")
    asked = [sys.executable, "-m", "m220", *words, "--format=json"]
    return json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)


def by_module(row, engine):
    function, *rest = row.get("command", row["question"]).split()
    fields = dict(row["fields"])
    if len(row["engines"]) > 1:
        fields["engine"] = engine
    position = fields.pop("fen", None) or fields.pop("position", None)
    if function == "trajectories":
        start, to = fields.pop("from"), fields.pop("to")
        return m220.trajectories(fields.pop("piece"), start, to, position, **fields)
    if function == "sync":
        argument = [str(fields.pop(row["argument"]))] if "argument" in row else []
        return m220.sync(" ".join([*rest, *argument]), position, **fields)
    asked = getattr(m220, "_".join([function, *rest]), None) or getattr(m220, function)
    return asked(position=position, **fields)


@pytest.mark.parametrize("row, engine", ASKED, ids=[f"{row['question']} by {engine}" for row, engine in ASKED])
def test_the_document_is_the_command_s(row, engine):
    assert by_module(row, engine).to_dict() == by_command(row, engine)
