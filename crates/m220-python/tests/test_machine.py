"""The machine in Python's hands."""

import json
import pathlib
import threading
import time
import xml.etree.ElementTree

import m220
import pytest

EXAMPLES = pathlib.Path(__file__).parents[3] / "m220-programs" / "examples"

# 1 + 2 + ... + 10, and a halt.
SUM = """
        start   begin
        export  sum, count, next
        origin  0100
begin:  MOV     zero, 0, sum
        MOV     zero, 0, count
next:   ADD     count, one, count
        ADD     sum, count, sum
        SUB     count, ten
        JO      0, next
        STOP
zero:   number  0
one:    number  1
ten:    number  10
sum:    reserve 1
count:  reserve 1
"""

#: Jumps to itself.
ENDLESS = "start a\norigin 0100\na: JMP 0, a\n"


def states(machine):
    return machine.registers, machine.next_cell, machine.instructions, machine.cells[:]


def test_to_the_halt_and_back():
    machine = m220.Machine(SUM)
    before = [states(machine)]
    while (stand := machine.step()) is None:
        before.append(states(machine))
    assert (stand.reason, stand.at) == ("halt", machine.address("begin") + 6)
    assert machine.cells.number("sum") == sum(range(11))
    # Every earlier state comes back, one by one and at once.
    for state in reversed(before):
        machine.back()
        assert states(machine) == state
    machine.step(len(before) - 1)
    machine.back(len(before) - 1)
    assert states(machine) == before[0]
    with pytest.raises(m220.UsageError, match="just before this, the program started"):
        machine.back()


def test_so_many_steps_as_are_asked_for():
    machine = m220.Machine(ENDLESS)
    assert machine.step(4_000_001) is None
    assert machine.instructions == 4_000_001


def test_a_run_is_the_commands():
    for name in ("primes.m220", "newton.m20", "life.m220"):
        path = EXAMPLES / name
        machine, run = m220.Machine(path, plain_numbers=True), m220.run(path, plain_numbers=True)
        stand = machine.run()
        assert (stand.reason, f"{stand.at:04o}") == (run.stop.reason, run.stop.at), name
        assert (machine.instructions, machine.time_us.m220) == (run.instructions, run.time_us.m220), name
        assert (machine.printed, f"{machine.core_checksum:015o}") == (run.printer, run.core_checksum), name


def test_breakpoints_and_places():
    machine = m220.Machine(SUM)
    assert machine.run("next").reason == "until"
    machine.break_at("next")
    rounds = 1
    while machine.run().reason == "breakpoint":
        rounds += 1
        assert machine.cells.number("count") == rounds - 1
    assert (rounds, machine.breakpoints) == (10, [machine.symbols["next"]])
    assert machine.run(max_instructions=0).reason == "instruction-limit"
    machine = m220.Machine(SUM)
    assert "sum" in machine.debug("watch sum")
    assert machine.run().reason == "breakpoint"


def test_what_is_set_is_used():
    machine = m220.Machine(SUM)
    machine.run("next")
    machine.cells["count"] = 7.0
    assert machine.run().reason == "halt"
    assert machine.cells.number("sum") == 8 + 9 + 10
    machine.cells[0o200] = 2**45 - 1
    assert machine.cells[0o200:0o202] == [2**45 - 1, 0]
    for index in (machine.cubes * 0o10000, 2**31):
        with pytest.raises(IndexError):
            machine.cells[index]
    with pytest.raises(ValueError):
        machine.cells[0o200] = 2**45
    with pytest.raises(IndexError, match="sums"):
        machine.cells["sums"]


def test_a_snapshot_is_a_checkpoint(tmp_path):
    machine = m220.Machine(SUM)
    machine.step(5)
    kept = machine.snapshot()
    after = states(machine)
    machine.run()
    machine.restore(kept)
    assert states(machine) == after
    with pytest.raises(m220.UsageError, match="just before this, something was set"):
        machine.back()
    # The command goes on from it.
    file = tmp_path / "kept"
    file.write_bytes(kept)
    words, _ = m220.call(["run", "--resume", str(file), "--format", "json"])
    machine.restore(kept)
    assert machine.run().reason == "halt"
    assert json.loads(words)["instructions"] == machine.instructions
    for wrong in (b"", kept[:-1], m220.Machine(SUM, model="m20").snapshot()):
        with pytest.raises(m220.BadInputError):
            machine.restore(wrong)


def test_calls_and_limits():
    machine, seen = m220.Machine(ENDLESS), []
    stand = machine.run(max_instructions=10_000, every=3_000, call=lambda m: seen.append(m.instructions))
    assert (stand.reason, seen) == ("instruction-limit", [3_000, 6_000, 9_000])
    assert machine.run(seconds=0.01).reason == "time-limit"

    class Enough(Exception):
        pass

    def stop(_):
        raise Enough

    with pytest.raises(Enough):
        machine.run(every=1, call=stop)


def test_one_thread_at_a_time():
    machine, refused = m220.Machine(ENDLESS), []

    def look():
        while not refused:
            try:
                machine.instructions
            except RuntimeError as error:
                refused.append(str(error))

    other = threading.Thread(target=look)
    other.start()
    # Python's other threads run meanwhile.
    begun = time.monotonic()
    while not refused and time.monotonic() - begun < 60:
        machine.run(max_instructions=50_000_000)
    other.join()
    assert refused == ["the machine is running in another thread"]


def test_cards_and_pictures():
    machine = m220.Machine("start a\norigin 0010\na: octal 0 10 0100 0000 0077\nSTOP\n", cards="1 0 05 0201 0201 0600 0\n1 0 05 0201 0201 0600 1\n")
    assert machine.run().reason == "halt"
    assert machine.cells[0o100] == 0o005020102010600
    xml.etree.ElementTree.fromstring(machine._repr_svg_())
    assert "m220" in repr(machine)


def test_bad_programs():
    for program, options in ((b"\x7fELF", {}), (b"no deck", {}), (SUM, {"model": "m21"}), (SUM, {"start": "nowhere"}), (SUM, {"cubes": 9})):
        with pytest.raises(m220.Error):
            m220.Machine(program, **options)
    with pytest.raises(FileNotFoundError):
        m220.Machine("absent.m20")
