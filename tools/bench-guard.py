#!/usr/bin/env python3
"""Names what got slower by more than 5 % since another version, or since the record in this repository.

    tools/bench-guard.py                    target/release/m220 against tools/bench-record.json
    tools/bench-guard.py --against OLD      against another build of the command, the two in turns
    tools/bench-guard.py --record           measures and writes the record

What is compared is the number of the host's cycles in several runs of `m220 bench`: for the emulator's work the cycles
an instruction, for the native reference those of a task. A cycle is a dependent addition timed in the same run.
Cycles of another processor differ too; the record says which one it is of. Exit code 1 if anything got slower, or takes
another number of instructions.
"""

import argparse
import datetime
import json
import pathlib
import platform
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "tools" / "bench-record.json"
EMULATOR = ("emulator", "self_modifying", "profiled", "traced", "attacks", "endings", "mates")
SLOWER = 1.05


def measure(binary, runs):
    """The cycles and the instructions of each piece of work in one run of the command."""
    asked = [binary, "bench", "--runs", str(runs), "--format", "json"]
    found = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    cycle_us = found["cycle_ns"]["best"] / 1000
    cycles = {name: found[name]["host_cycles_per_instruction"] for name in EMULATOR}
    cycles |= {f"native: {task['task']}": task["us"]["best"] / cycle_us for task in found["native"]}
    cycles["native: mates"] = found["mates"]["native_us"]["best"] / cycle_us
    return found["version"], cycles, {name: found[name]["instructions"] for name in EMULATOR}


def take_turns(binaries, rounds, runs):
    """For each binary the version, the cycles of every round, and the instructions."""
    found = {binary: (None, [], None) for binary in binaries}
    for _ in range(rounds):
        for binary in binaries:
            version, cycles, instructions = measure(binary, runs)
            found[binary] = (version, found[binary][1] + [cycles], instructions)
    return [found[binary] for binary in binaries]


def least(rounds):
    """The least cycles of all rounds."""
    return {name: min(cycles[name] for cycles in rounds) for name in rounds[0]}


def processor():
    """The processor's name, as Linux tells it."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", default=str(ROOT / "target" / "release" / "m220"))
    parser.add_argument("--against", metavar="OLD", help="another build of the command")
    parser.add_argument("--record", action="store_true", help="write the record")
    parser.add_argument("--rounds", type=int, default=5, help="how often each command runs")
    parser.add_argument("--runs", type=int, default=2, help="the runs of each piece of work in a round")
    asked = parser.parse_args()
    binaries = [asked.binary] + ([asked.against] if asked.against else [])
    (version, rounds, instructions), *other = take_turns(binaries, asked.rounds, asked.runs)
    now = least(rounds)
    if asked.record:
        rounded = {name: round(value, 2 if value < 1000 else None) for name, value in now.items()}
        record = {"version": version, "date": datetime.date.today().isoformat(), "processor": processor()}
        record |= {"cycles": rounded, "instructions": instructions}
        RECORD.write_text(json.dumps(record, indent=2) + "\n")
        return 0
    if other:
        old_version, old_rounds, old_instructions = other[0]
        before = least(old_rounds)
    else:
        record = json.loads(RECORD.read_text())
        old_version, before, old_instructions = record["version"], record["cycles"], record["instructions"]
        old_rounds = [before] * len(rounds)
        if record["processor"] != processor():
            print(f"the record is of another processor: {record['processor']}")
    print(f"cycles: {old_version}, then {version}, and how much longer the second takes")
    worse = []
    for name, cycles in now.items():
        # Interference only adds time, and falls on one of two runs: the least must be slower, and most pairs too.
        pairs = statistics.median(new[name] / old[name] for new, old in zip(rounds, old_rounds))
        ratio = min(cycles / before[name], pairs)
        changed = instructions.get(name) != old_instructions.get(name)
        if ratio > SLOWER or changed:
            worse.append(name)
        remark = "  other instructions" if changed else "  slower" if ratio > SLOWER else ""
        print(f"{name[:42]:43}{before[name]:12.1f}{cycles:12.1f}{ratio:6.2f}{remark}")
    return 1 if worse else 0


try:
    sys.exit(main())
except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as error:
    sys.exit(f"bench-guard: {error}")
