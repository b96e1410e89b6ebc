#!/usr/bin/env python3
# /// script
# dependencies = ["chess>=1.10"]
# ///
"""What a strong engine says of a player's moves, and of its claim to win.

    uv run tools/judge-moves.py --judge stockfish POSITIONS

The player is any UCI engine (`--player`; `m220 uci --program map` unless told otherwise), or `random`, the judge another
engine. POSITIONS is a PGN, of which every game gives one position for each `--at` (in half-moves), or an EPD. Each move
is judged by the value of the position after it, at `--depth` half-moves, against the judge's own best move. A move
claims to win if an `info string` of the player begins with "wins". The claim holds

* by the first measure if the judge gives the player at least two pawns, or mate;
* by the second also if it gives the player 0.8 pawn more than the pieces on the board stood before the move (pawn 1,
  knight and bishop 3, rook 5, queen 9).

The table goes to standard output; `--moves FILE` gets a line for every position.
"""

import argparse
import itertools
import random
import shlex
import sys

import chess
import chess.engine
import chess.pgn

MATE = 3000
VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}


def positions(path, at):
    """The positions of a PGN or an EPD."""
    with open(path, encoding="utf-8") as file:
        if not path.endswith(".pgn"):
            for line in filter(None, map(str.strip, file)):
                yield chess.Board.from_epd(line)[0] if len(line.split()) < 6 else chess.Board(" ".join(line.split()[:6]))
            return
        while game := chess.pgn.read_game(file):
            board = game.board()
            for played, move in enumerate(game.mainline_moves(), start=1):
                board.push(move)
                if played in at and not board.is_game_over():
                    yield chess.Board(board.fen())


def material(board):
    """The balance of the pieces as the side to move sees it, in hundredths of a pawn."""
    count = lambda side: sum(value * len(board.pieces(kind, side)) for kind, value in VALUES.items())
    return count(board.turn) - count(not board.turn)


def worth(info, side):
    """The judge's value for a side in hundredths of a pawn, a mate as the largest."""
    return max(-MATE, min(MATE, info["score"].pov(side).score(mate_score=MATE)))


def claim(player, board, limit):
    """The player's move, and whether it claims to win."""
    if player is None:
        return random.Random(board.fen()).choice(list(board.legal_moves)), False
    with player.analysis(board, limit) as analysis:
        claims = any(str(info.get("string", "")).startswith("wins") for info in analysis)
        return analysis.wait().move, claims


def judge_all(arguments, file):
    engine = lambda command: chess.engine.SimpleEngine.popen_uci(shlex.split(command), timeout=600)
    player = None if arguments.player == "random" else engine(arguments.player)
    judge = engine(arguments.judge)
    if player:
        player.configure(dict(option.split("=", 1) for option in arguments.option))
    depth = chess.engine.Limit(depth=arguments.depth)
    for board in itertools.islice(positions(arguments.positions, arguments.at or [30]), arguments.most):
        side, before = board.turn, material(board)
        best = worth(judge.analyse(board, depth, game=object()), side)
        move, claims = claim(player, board, chess.engine.Limit(time=arguments.time))
        san = board.san(move)
        after = board.copy()
        after.push(move)
        if after.is_game_over():
            value = MATE if after.is_checkmate() else 0
        else:
            value = worth(judge.analyse(after, depth, game=object()), side)
        row = (max(0, best - value), claims, value >= 200, value >= min(200, before + 80))
        print(board.fen(), san, best, value, *row[1:], sep="\t", file=file, flush=True)
        yield row
    if player:
        player.quit()
    judge.quit()


def table(rows):
    """The table of the page, in Markdown."""
    claims = [row for row in rows if row[1]]
    part = lambda some, whole: f"{len(some)} of {len(whole)}" + (f" ({100 * len(some) / len(whole):.0f} %)" if whole else "")
    losing = lambda least: [row for row in rows if row[0] >= least]
    return "\n".join((
        "| | moves |",
        "|---|---|",
        f"| lose three pawns or more | {part(losing(300), rows)} |",
        f"| lose more than two pawns | {part(losing(201), rows)} |",
        f"| lose one pawn or more | {part(losing(100), rows)} |",
        f"| claim to win | {part(claims, rows)} |",
        f"| the claim holds: two pawns up, or mate | {part([row for row in claims if row[2]], claims)} |",
        f"| or 0.8 pawn more than the pieces before the move | {part([row for row in claims if row[3]], claims)} |",
    ))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", metavar="POSITIONS", help="a PGN or an EPD")
    parser.add_argument("--player", default="m220 uci --program map", help="the command of the player, or random")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the player")
    parser.add_argument("--time", type=float, default=600, help="seconds for a move of the player")
    parser.add_argument("--judge", default="stockfish", help="the command of the judge")
    parser.add_argument("--depth", type=int, default=12, help="half-moves that the judge looks ahead")
    parser.add_argument("--at", type=int, action="append", help="a position of each game of a PGN: the half-moves played")
    parser.add_argument("--most", type=int, default=None, help="positions judged at most")
    parser.add_argument("--moves", default=None, metavar="FILE", help="write each move with its values here")
    arguments = parser.parse_args()
    with open(arguments.moves, "w", encoding="utf-8") if arguments.moves else open("/dev/null", "w") as file:
        print(table(list(judge_all(arguments, file))))


if __name__ == "__main__":
    sys.exit(main())
