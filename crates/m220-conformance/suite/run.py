#!/usr/bin/env python3
"""Puts conformance cases to an emulator by its standard input and output, and prints a table by file.

usage: run.py FOLDER_OR_FILE ... -- EMULATOR ARGUMENT ...

Ends with 0 if every case agrees, 1 if one does not, 2 if there was nothing to compare.
"""

import json
import pathlib
import subprocess
import sys


def question(case):
    """The lines that put the case to the emulator."""
    machine, initial = case["machine"], case["initial"]
    yield f"machine {machine['model']}"
    yield f"mode {machine['mode']}"
    yield f"cubes {machine['cubes']}"
    yield from (f"key {key} {word}" for key, word in enumerate(machine["keys"], 1))
    yield from (f"{name} {value}" for name, value in initial.items() if name != "core")
    yield from (f"core {cell} {word}" for cell, word in initial.get("core", {}).items())
    yield f"run {case['steps']}"


def answer(lines):
    """The state that the emulator tells, in the form of the cases."""
    told = {"core": {}, "cycles": {}, "stop": None}
    for line in lines:
        match line.split():
            case ["done"]:
                return told
            case ["core", cell, word]:
                if int(word, 8):
                    told["core"][cell] = word
            case ["time", model, time]:
                told["cycles"][model] = int(time)
            case [name, value]:
                told[name] = value
    raise ValueError("the emulator ended without `done`")


def differences(case, told):
    """What differs, as (what, expected, found)."""
    if case["stop"] != told["stop"]:
        yield "stop", case["stop"], told["stop"]
    for name, value in case["final"].items():
        if name != "core" and value is not None and value != told.get(name, value):
            yield name, value, told[name]
    core, zero = case["final"].get("core", {}), "0" * 15
    for cell in sorted(core.keys() | told["core"].keys()):
        expected, found = core.get(cell, zero), told["core"].get(cell, zero)
        if expected != found:
            yield f"cell {cell}", expected, found
    for model, time in case.get("cycles", {}).items():
        if time is not None and time != told["cycles"].get(model, time):
            yield f"time {model}", time, told["cycles"][model]


def cases_of(places):
    """The files of the folders, each with its cases."""
    for place in map(pathlib.Path, places):
        for file in sorted(place.rglob("*.json")) if place.is_dir() else [place]:
            if file.name != "metadata.json":
                try:
                    cases = json.loads(file.read_text(encoding="utf-8"))
                except ValueError as error:
                    raise ValueError(f"{file}: {error}") from None
                if not isinstance(cases, list):
                    raise ValueError(f"{file}: a file is a list of cases")
                yield file, cases


def main(arguments):
    if "--" not in arguments or arguments.index("--") in (0, len(arguments) - 1):
        sys.exit(__doc__)
    places, command = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    run = failed = 0
    file = case = None
    try:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as emulator:
            for file, cases in cases_of(places):
                wrong = []
                for case in cases:
                    emulator.stdin.write("\n".join(question(case)) + "\n")
                    emulator.stdin.flush()
                    if found := list(differences(case, answer(emulator.stdout))):
                        wrong.append((case, found))
                run, failed, case = run + len(cases), failed + len(wrong), None
                print(f"{file}: {len(cases)} cases, {len(wrong)} differ")
                for one, found in wrong[:3]:
                    print(f"  {one['name']} ({one.get('source', '')} {one.get('why', '')})")
                    for what, expected, value in found:
                        print(f"    {what}: expected {expected}, found {value}")
            emulator.stdin.close()
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        place = [] if case is None else [str(file)]
        place += [str(case["name"])] if isinstance(case, dict) and "name" in case else []
        missing = "there is no " if isinstance(error, KeyError) else ""
        print(": ".join([*place, f"{missing}{error}"]), file=sys.stderr)
        return 2
    if not run:
        print("no cases: expected files as `conformance export` writes them", file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
