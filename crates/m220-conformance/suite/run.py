#!/usr/bin/env python3
"""Puts conformance cases to an emulator by its standard input and output, and prints a table by code.

usage: run.py FOLDER_OR_FILE ... -- EMULATOR ARGUMENT ...
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
    yield from (f"core {cell} {word}" for cell, word in initial["core"].items())
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
    sys.exit("the emulator ended without `done`")


def differences(case, told):
    """What differs, as (what, expected, found)."""
    if case["stop"] != told["stop"]:
        yield "stop", case["stop"], told["stop"]
    for name, value in case["final"].items():
        if name != "core" and value is not None and value != told.get(name, value):
            yield name, value, told[name]
    core = case["final"]["core"]
    for cell in sorted(core.keys() | told["core"].keys()):
        if core.get(cell) != told["core"].get(cell):
            yield f"cell {cell}", core.get(cell), told["core"].get(cell)
    for model, time in case["cycles"].items():
        if time is not None and time != told["cycles"].get(model, time):
            yield f"time {model}", time, told["cycles"][model]


def main(arguments):
    if "--" not in arguments or arguments.index("--") in (0, len(arguments) - 1):
        sys.exit(__doc__)
    places, command = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    files = [file for place in map(pathlib.Path, places) for file in (sorted(place.rglob("*.json")) if place.is_dir() else [place])]
    failed = 0
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as emulator:
        for file in files:
            cases = json.loads(file.read_text(encoding="utf-8"))
            if not isinstance(cases, list):
                continue  # metadata
            wrong = []
            for case in cases:
                emulator.stdin.write("\n".join(question(case)) + "\n")
                emulator.stdin.flush()
                if found := list(differences(case, answer(emulator.stdout))):
                    wrong.append((case, found))
            failed += len(wrong)
            print(f"{file}: {len(cases)} cases, {len(wrong)} differ")
            for case, found in wrong[:3]:
                print(f"  {case['source']} {case['name']} ({case['why']})")
                for what, expected, value in found:
                    print(f"    {what}: expected {expected}, found {value}")
        emulator.stdin.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
