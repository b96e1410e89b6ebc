"""The module against python-chess, and against what the command says of itself."""

import ast
import builtins
import inspect
import json
import pathlib
import signal
import subprocess
import sys
import threading
import time
import typing
import xml.etree.ElementTree

import chess
import m220
import pytest

OPERA = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16"


def test_the_king_of_the_book():
    king = m220.trajectories("king", "a4", "h4")
    assert (king.count, king.moves, king.from_, king.equal) == (393, 7, "a4", True)
    assert 0 < king.machine.time_us.m220 < 100_000
    # Breadth first over the moves of a king alone, counted by python-chess's own tables.
    ways = {chess.A4: 1}
    for _ in range(7):
        step = {}
        for square, count in ways.items():
            for target in chess.SquareSet(chess.BB_KING_ATTACKS[square]):
                step[target] = step.get(target, 0) + count
        ways = step
    assert ways[chess.H4] == king.count


def test_one_move_attacks_are_captures():
    for fen in (OPERA, chess.STARTING_FEN, "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30"):
        board = chess.Board(fen)
        found = {a.from_ + a.to for a in m220.attacks(board, horizon=1).attacks if a.target}
        pseudo = {m.uci()[:4] for m in board.pseudo_legal_moves if board.is_capture(m) and not board.is_en_passant(m)}
        # The attack of a king is python-chess's capture too; an attack on the king is none.
        on_king = {uci for uci in found if board.piece_type_at(chess.parse_square(uci[2:])) == chess.KING}
        assert found - on_king == pseudo, fen


def test_keys_mate_on_a_board():
    mate = m220.mate(OPERA)
    assert mate.keys == ["b3b8"] and mate.equal
    board = chess.Board(OPERA)
    for solution in mate.solution:
        board.push_uci(solution.key)
        assert {variation.reply for variation in solution.variations} <= {move.uci() for move in board.legal_moves}
        for variation in solution.variations:
            board.push_uci(variation.reply)
            for move in variation.mates:
                board.push_uci(move)
                assert board.is_checkmate(), (variation.reply, move)
                board.pop()
            board.pop()
        board.pop()


def test_what_is_not_given_is_left_to_the_question():
    # A named problem has its own number of moves.
    assert (m220.mate("fool").moves, m220.mate("philidor").moves) == (1, 2)
    named = inspect.getmembers(m220, inspect.isfunction)
    given = {(name, each.name): each.default for name, made in named for each in inspect.signature(made).parameters.values()}
    assert {of: default for of, default in given.items() if default not in (None, inspect.Parameter.empty)} == {
        ("help", "command"): ""
    }


def test_moves_are_legal():
    for position in (OPERA, chess.STARTING_FEN):
        board = chess.Board(position)
        assert chess.Move.from_uci(m220.best(board, horizon_limit=1).move) in board.legal_moves
        assert chess.Move.from_uci(m220.play(board, engine="native").move) in board.legal_moves


def test_results_have_moves_of_python_chess():
    uci = lambda result: [move.uci() for move in result.as_moves()]
    assert m220.mate("philidor").as_moves() == [chess.Move(chess.C4, chess.G8)]
    best = m220.best("opera", horizon_limit=1)
    board = chess.Board(best.fen)
    for move in best.as_moves():
        board.push(board.parse_uci(move.uci()))
    assert uci(best)[0] == best.move
    for ask in (m220.analyse, m220.best, m220.play):
        assert uci(ask("8/P6k/8/8/8/8/7p/K7 w - - 0 1", engine="native")) == ["a7a8q"]
        assert uci(ask("mated", engine="native")) == []
    games = m220.game(PGN, effort="map").games
    assert uci(games[0]) == ["e2e4", "e7e5", "g1f3", "b8c6", "f3e5", "c6e5"]


def test_a_board_a_fen_and_a_name_are_the_same():
    named = m220.attacks("opera")
    assert named == m220.attacks(OPERA) == m220.attacks(chess.Board(OPERA))
    assert named != m220.attacks("fig22")


def documents():
    return [
        m220.trajectories(None, "e5", "g7", "fig22"),
        m220.attacks("fig22"),
        m220.mate("philidor"),
        m220.map("fig22"),
        m220.analyse("fig22", horizon=1),
        m220.best("opera", horizon_limit=1),
        m220.endings("KRK", engine="native"),
        m220.endings(position="8/8/8/8/8/2k5/8/K6R w - - 0 1", engine="native"),
        m220.relations("fig22"),
        m220.play("opera", engine="native"),
        m220.run("origin 0100\nstart begin\nbegin: STOP\n"),
        m220.assemble("origin 0100\nstart begin\nbegin: STOP\n"),
    ]


def fits(value, hint):
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Union:
        return any(fits(value, kind) for kind in arguments)
    if typing.get_origin(hint) is list:
        return isinstance(value, list) and all(fits(each, arguments[0]) for each in value)
    return isinstance(value, hint)


def promised(record):
    """The record and those within it have what their classes promise."""
    hints = {name: hint for name, hint in typing.get_type_hints(type(record)).items() if not name.startswith("_")}
    for name, hint in hints.items():
        assert fits(getattr(record, name), hint), (type(record), name, hint)
    for value in vars(record).values():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, m220.Record):
                promised(part)
    return hints


def test_every_annotation_is_a_key():
    """What the annotations promise is there, and the picture is a picture."""
    for document in documents():
        assert promised(document)
        assert type(document).__doc__ and json.dumps(document.to_dict())
        picture = document._repr_svg_()
        assert picture is None or xml.etree.ElementTree.fromstring(picture).tag.endswith("svg")
        assert repr(document).startswith(type(document).__name__ + "(schema=")
    assert sum(document._repr_svg_() is not None for document in documents()) >= 7


def test_functions_have_their_documentation():
    for name in [*m220.__all__, "help", "map"]:
        assert getattr(m220, name).__doc__, name


def test_a_star_import_hides_nothing_of_python_s():
    assert not set(m220.__all__) & set(dir(builtins))


def test_parts_have_their_classes():
    attacks = m220.attacks("fig22")
    assert type(attacks.attacks[0]) is m220.Attack and type(attacks.machine.time_us) is m220.Times
    assert type(m220.map("fig22").values[0]) is m220.MapValue
    assert type(m220.analyse("fig22", horizon=1).analyses[0]) is m220.HorizonAnalysis


def test_the_readme_shows_what_is_found():
    page = pathlib.Path(__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8")
    scope = {"chess": chess}
    compared = 0
    for line in page.split("```python\n")[1].split("```")[0].splitlines():
        code, _, said = line.partition("  # ")
        if said[:1].isdigit() or said.startswith("["):
            assert eval(code, scope) == ast.literal_eval(said.split(":")[0].strip()), line
            compared += 1
        else:
            exec(code, scope)
    assert compared == 3


def test_a_program_runs():
    assert m220.run("origin 0100\nstart begin\nbegin: STOP\n").stop.reason == "halt"
    assert m220.assemble("origin 0100\nstart begin\nbegin: STOP\n").image.startswith(b"\x7fELF")


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: m220.mate("8/8/8/8 w - - 0 1"), m220.BadInputError, "8/8/8/8"),
        (lambda: m220.attacks("no-such-name"), m220.Error, "no-such-name"),
        (lambda: m220.trajectories("king", "a4", "z9"), m220.UsageError, "z9"),
        (lambda: m220.mate("opera", no_such_option=1), m220.UsageError, "--no-such-option"),
        (lambda: m220.assemble("origin 0100\nbegin: NONSENSE\n"), m220.BadInputError, "NONSENSE"),
        (lambda: m220.play_history(engine="native").svg(), m220.UsageError, "play draws no picture"),
        (lambda: m220.attacks("fig22", engine="native", svg="-"), m220.UsageError, "something else than the document"),
    ],
)
def test_what_is_wrong_is_said_by_the_command(call, kind, words):
    with pytest.raises(kind, match=words) as raised:
        call()
    assert isinstance(raised.value, m220.Error)


class Index:
    """An integer of another library, as numpy's."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number

    def __float__(self):
        return float(self.number)


def test_a_document_of_a_text_can_be_told(tmp_path):
    source = "start a\norigin 0100\na: STOP\n"
    run = m220.run(source, dump=["0100"])
    assert run.text().startswith("halt at 0100")
    assert run.cells["0100"] == "077000000000000" and run["instructions"] == run.instructions == 1
    assert "1 word" in m220.assemble(source).text()
    drawn = m220.attacks("fig22", engine="native", svg=str(tmp_path / "o.svg"))
    assert drawn._repr_svg_().startswith("<svg")
    for drawn in (m220.geometry("k7/8/8/8/8/4P3/8/4K3 w - - 0 1"), m220.book(22), m220.play("opera", engine="native")):
        assert drawn._repr_svg_().startswith("<svg")


def test_an_integer_is_one_whatever_its_library():
    machine = m220.Machine("start a\norigin 0100\na: STOP\n")
    machine.cells[Index(0o200)] = Index(5)
    assert machine.cells[0o200] == 5 and machine.cells[-1] == 0
    with pytest.raises(IndexError, match="no cell"):
        machine.cells[len(machine.cells)]
    assert m220.trajectories("rook", Index(0), 63).to == "h8"
    with pytest.raises(TypeError, match="a position is a FEN"):
        m220.attacks(5)


def test_other_threads_run_meanwhile():
    ticks = []
    done = threading.Event()

    def count():
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    counter = threading.Thread(target=count)
    counter.start()
    m220.analyse("17", horizon=7, share=100000000, timeout=1)
    done.set()
    counter.join()
    assert len(ticks) > 10


def test_ctrl_c_ends_a_command():
    program = (
        "import m220, sys\n"
        "print('ready', flush=True)\n"
        "try:\n    m220.analyse('17', horizon=7, share=100000000, max_positions=100000000)\n"
        "except KeyboardInterrupt:\n    print('interrupted', m220.trajectories('king', 'a4', 'h4').count)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out == "interrupted 393\n"


def test_the_command_is_installed():
    shown = subprocess.run([sys.executable, "-m", "m220", "--version"], capture_output=True, text=True)
    assert shown.returncode == 0 and shown.stdout.startswith("m220 " + m220.__version__)
    wrong = subprocess.run([sys.executable, "-m", "m220", "mate", "--fen", "x"], capture_output=True, text=True)
    assert wrong.returncode == 3 and wrong.stderr.startswith("m220: ")


PGN = """[White "A"]
[Black "B"]

1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 *
"""


def test_whole_games_have_rows():
    games = m220.game(PGN, effort="map")
    rows = games.rows()
    assert [row["san"] for row in rows] == ["e4", "e5", "Nf3", "Nc6", "Nxe5", "Nxe5"]
    # Each row's position and count of legal moves, by python-chess.
    board = chess.Board()
    for row in rows:
        assert (row["fen"], row["legal"]) == (board.fen(en_passant="legal"), board.legal_moves.count())
        board.push_uci(row["uci"])
    assert rows[4]["first_horizon"] == 1 and rows[4]["aim.way"] == "f3-e5" and rows[4]["closed.own_after"] is not None
    assert games.players[0].player == "A" and games.players[0].moves == 3
    with pytest.raises(m220.BadInputError, match="no game here"):
        m220.game("\n", effort="map")


def test_squares_and_pieces_of_python_chess():
    assert m220.trajectories(chess.KING, chess.A4, chess.H4) == m220.trajectories("king", "a4", "h4")


def test_a_document_is_json():
    king = m220.trajectories("king", "a4", "h4")
    assert json.loads(json.dumps([king], default=m220.encode)) == [king.to_dict()]


def test_every_question_has_a_function():
    named = m220.positions("opera")
    assert named.to_dict()["schema"] == 1
    assert m220.book(22).to_dict()
    assert m220.diff("relations", random=5).equal
    assert m220.reproduce(runs=0).to_dict()
    assert m220.geometry("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1").fen.startswith("8/8/8/3k4")
    assert m220.sync("doublet", white="e2e4", black="e7e5").to_dict()
    assert m220.sync("count", depth=1).to_dict()
    assert m220.play_opening("e2e4 e7e5").answer == "g1f3"
    assert m220.learn("cases", "6k1/8/8/8/8/8/8/K3R3 w - - 0 1; e1e8\n").used == 1
    assert m220.learn("game", "e2e4\ne7e5\n", side="black").judged == 0


def test_the_types_are_right(tmp_path):
    """The module's own types, and those that a user's editor sees."""
    user = tmp_path / "user.py"
    user.write_text(
        "import m220\n"
        "count: int = m220.trajectories('king', 'a4', 'h4').count\n"
        "machine = m220.Machine('STOP\\n')\n"
        "reason: str = machine.run(max_instructions=3).reason\n"
        "words: list[int] = machine.cells[0o100:0o102]\n"
        "moves: list[str] = m220.mate('opera').as_moves()\n"
        "machine.run(until=1.5)\n"
    )
    mypy = lambda *of: subprocess.run([sys.executable, "-m", "mypy", *of], capture_output=True, text=True)
    package = mypy("-p", "m220")
    assert package.returncode == 0, package.stdout
    found = mypy(str(user))
    # The faults are the wrong types of `moves` and `until`.
    assert found.stdout.count("error:") == 2 and 'user.py:7: error: Argument "until"' in found.stdout, found.stdout
    assert 'user.py:6: error: Incompatible types in assignment (expression has type "list[Move]"' in found.stdout
