"""A survey of many games on the workers of a cluster and under GNU parallel, as the page on many machines shows it."""

import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import chess.pgn
import m220
import pytest

ROOT = pathlib.Path(__file__).parents[3]
MASTERS = ROOT / "crates/m220-cli/docs/games/masters.pgn"
PAGE = (ROOT / "crates/m220-compare/docs/many-machines.md").read_text(encoding="utf-8")


def games_of(text):
    return list(iter(lambda stream=io.StringIO(text): chess.pgn.read_game(stream), None))


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Five short games."""
    file = tmp_path_factory.mktemp("games") / "games.pgn"
    short = sorted(games_of(MASTERS.read_text(encoding="utf-8")), key=lambda game: game.end().ply())[:5]
    file.write_text("\n\n".join(str(game) for game in short) + "\n", encoding="utf-8")
    return file


def same(rows):
    """Rows without the time that they took here."""
    return [{name: value for name, value in row.items() if name != "host_seconds"} for row in rows]


def test_the_games_of_the_masters_are_sound():
    """Legal to the end, each once, and a game that is over on the board has the result that it has there."""
    games = games_of(MASTERS.read_text(encoding="utf-8"))
    for game in games:
        end = game.end().board()
        assert not game.errors and end.move_stack, game.headers
        assert end.outcome() is None or end.result() == game.headers["Result"], game.headers
    players = [name for game in games for name in (game.headers["White"], game.headers["Black"])]
    counts = {name: players.count(name) for name in ("Botvinnik", "Capablanca", "Alekhine")}
    assert counts == {"Botvinnik": 17, "Capablanca": 22, "Alekhine": 18}
    assert len({tuple(game.end().board().move_stack) for game in games}) == len(games) == 49


def test_a_row_has_the_columns_of_its_schema(games):
    """Whatever was asked for: the keys are those of the schema and of the command's table, and so are the types."""
    for options in ({"effort": "map"}, {"effort": "choice", "positions": 100, "measure_style": True}):
        rows = m220.game_rows(games, 2, to=6, **options)
        assert len(rows) == 12 and {row["game"] for row in rows} == {2}
        for row in rows:
            assert list(row) == list(m220.GAME_ROW)
            for name, value in row.items():
                assert value is None or isinstance(value, m220.GAME_ROW[name]), (name, value)
        # No key of the document is left out.
        documents = [row.to_dict() for row in m220.game(games, game=2, to=6, **options).games[0].rows]
        parts = [(name, part) for row in documents for name, part in row.items() if isinstance(part, dict)]
        assert {f"{name}.{key}" for name, part in parts for key in part} <= set(m220.GAME_ROW)
    table = subprocess.run(
        [sys.executable, "-m", "m220", "game", games, "--to", "1", "--effort", "map", "--format", "csv"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert table.stdout.splitlines()[0].split(",") == list(m220.GAME_ROW)


def test_style_is_measured_over_all_legal_moves():
    """What q would be after a move at random is the mean over games of each legal move."""
    board = chess.Board("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16")
    every = []
    for move in board.legal_moves:
        board.push(move)
        every.append(str(chess.pgn.Game.from_board(board)))
        board.pop()
    rows = m220.game("\n\n".join(every) + "\n", games="all", measure_style=True).rows()
    assert len(rows) == board.legal_moves.count() > 40
    for side in ("own", "enemy"):
        after = [row[f"closed.{side}_after"] for row in rows if row[f"closed.{side}_after"] is not None]
        assert all(row[f"style.{side}"] == pytest.approx(sum(after) / len(after)) for row in rows) and len(set(after)) > 3


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'm220[survey]'")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def survey(cluster):
    """The program of the page, and a client of the cluster."""
    pytest.importorskip("polars", reason="polars is not installed: pip install 'm220[survey]'")
    program = {"__name__": "page"}
    exec(PAGE.split("```python\n")[1].split("```")[0], program)
    with cluster.get_client() as client:
        yield program, client


def test_workers_find_what_one_process_finds(survey, games, tmp_path):
    program, client = survey
    rows = program["survey"](client, str(games), str(tmp_path), parts=7)
    expected = m220.game(games, games="all", effort="map").rows()
    assert len(expected) > 100 and same(rows.to_dicts()) == same(expected)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes cannot be killed so here")
def test_a_killed_worker_loses_nothing_and_doubles_nothing(survey, games, tmp_path):
    program, client = survey
    part = program["part"]

    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    def dying(games, folder, number, parts):
        killed = pathlib.Path(folder, f"killed-{number}")
        first = number <= 2 and not killed.exists()
        if first:
            killed.touch()
        if first and number == 1:
            # Its rows are written, but not under their name.
            os.replace = die
        name = part(games, folder, number, parts)
        if first:
            # The part is done, but nobody has been told.
            die()
        return name

    program["part"] = dying
    rows = program["survey"](client, str(games), str(tmp_path), parts=4)
    left = {file.name.split(".parquet")[0] for file in tmp_path.glob("part-0001.parquet.*")}
    assert (tmp_path / "killed-1").exists() and (tmp_path / "killed-2").exists() and left == {"part-0001"}
    assert same(rows.to_dicts()) == same(m220.game(games, games="all", effort="map").rows())


@pytest.mark.skipif(shutil.which("parallel") is None, reason="GNU parallel is not installed")
def test_shards_under_gnu_parallel(games, tmp_path):
    """The commands of the page: also after a run that was cut off in the middle of a row."""
    shutil.copy(games, tmp_path / "games.pgn")
    commands = PAGE.split("### With GNU parallel")[2].split("```sh\n")[1].split("```")[0]
    scripts = pathlib.Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}

    def run():
        subprocess.run(["bash", "-ec", commands], cwd=tmp_path, env=environment, check=True, capture_output=True)
        lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
        rows = sorted((line for line in lines if line["kind"] == "move"), key=lambda row: (row["game"], row["ply"]))
        return rows, [line for line in lines if line["kind"] == "player"]

    document = m220.game(games, games="all", effort="map").to_dict()
    expected = [{"kind": "move", **row} for game in document["games"] for row in game["rows"]]
    rows, players = run()
    assert same(rows) == same(expected) and len(players) == len(document["players"])
    whole = (tmp_path / "part-3.jsonl").read_bytes()
    (tmp_path / "part-3.jsonl").write_bytes(whole[: len(whole) // 2])
    again, _ = run()
    assert same(again) == same(expected)
    # What was whole was kept, with the time that it took then.
    assert sum(old == new for old, new in zip(rows, again)) > len(rows) * 2 // 3
