"""Scores of chess with one to three damages each, and what python-chess reads in them, one JSON object a line.

    python3 tools/pgn-second-reader.py COUNT SEED > cases.jsonl

`fen` and `moves` are those of the first game; `errors` tells that python-chess itself complains of it. It may take up
the moves of a variation in which it has found an error, so it then reads the score once more without variations.
"""
import io, json, logging, random, sys
import chess.pgn

logging.disable(logging.CRITICAL)
GAMES = [
    '[Event "Paris"]\n[White "Morphy"]\n[Black "Duke \\"Karl\\""]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 {a pin} '
    '4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 (6... Qf6 7. Qb3) 7. Qb3 Qe7\n8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 '
    '12. O-O-O Rd8\n13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+!! Nxb8 17. Rd8# 1-0\n',
    '[Event "Problem"]\n[SetUp "1"]\n[FEN "8/P6k/8/3pP3/8/8/6K1/8 w - d6 0 30"]\n\n30. exd6 Kg7 31. a8=Q Kf7 ; quick\n32. Qe4 *\n',
    '[Event "A"]\n[Result "1/2-1/2"]\n\n1.d4 Nf6 2.c4 $1 e6 3.Nc3 Bb4 4.e3 0-0 5.Bd3 d5 1/2-1/2\n\n[Event "B"]\n[Result "*"]\n\n'
    '1. e4 c5 *\n',
    '\ufeff[Event "x"]\r\n[Site "Gr\u00fcnfeld"]\r\n\r\n1. Nf3 d5 2. g3 (2. d4 {the (main} Nf6) 2... c5\r\n% escaped\r\n3. Bg2 Nc6 '
    '4. O-O e5 0-1\r\n',
    '[Event "UCI"][Site "?"]\n\n1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 g8f6 4. e1g1 f6e4 *\n\n\n[Event "next"]\n\n1. a3 *\n',
    '[FEN "4k3/P7/8/3p4/4P3/8/8/R3K2R w KQ - 0 1"]\n\n\n1. ed5 \u00b1 Ke7 2. a8Q +- Kd6 3. 0-0 = Kxc5\n\n{late} 4. Ra1-a5 1-0\n',
]
PIECES = ['"', ']', '[', '{', '}', '(', ')', '\n', '\n\n', ' ', ';', '%', '\\', '*', '1-0', '8', '.', 'x', 'e4', 'Nf3', '--', '0-0', 'O-O',
          'e.p.', '$1', '!', '+', '#', '=Q', '\x1b', '\u202e', '\xa0', '\t', '\r', '[FEN "8/8/8/8/8/8/k7/7K b - - 0 1"]', '1...', 'Z0', '@@@@',
          'o-o', 'e8Q', '=q', '\u2658f3', 'Ng1-f3', 'e2e4', 'g1f3', 'ed5', 'Nxf3', 'N f3', 'nf3', '\u00b1', '+-', '=', '\u00bd-\u00bd', 'null',
          '\n\n\n', '][', '\u2013', 'N', 'a', '1', '-', '[Event "x"]', '\n[Round "1"]\n']


def damaged(rng):
    text = rng.choice(GAMES)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at, kind = rng.randrange(len(text) + 1), rng.randrange(6)
        to = min(len(text), at + rng.choice([1, 1, 2, 5, 20]))
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:at] + text[at:to] + text[at:]
        elif kind == 2:
            text = text[:at]
        elif kind == 3:
            text = text[:at] + rng.choice(PIECES) + text[to:]
        else:
            text = text[:at] + rng.choice(PIECES) + text[at:]
    return text


def reading(text):
    # Universal line ends, as of a file opened as text.
    try:
        game = chess.pgn.read_game(io.StringIO(text.replace('\r\n', '\n').replace('\r', '\n')))
        game.board()
    except (ValueError, IndexError, AttributeError):
        return {'fen': '', 'moves': '', 'errors': True}
    return {'fen': game.board().fen(en_passant='legal'), 'moves': ' '.join(move.uci() for move in game.mainline_moves()),
            'errors': bool(game.errors)}


def without_variations(text):
    kept, depth, end = [], 0, None
    for at, sign in enumerate(text):
        if end:
            end = None if sign == end else end
        elif sign in '{;' or sign == '%' and text[:at].endswith('\n'):
            end = '}' if sign == '{' else '\n'
        elif sign in '()':
            depth += 1 if sign == '(' else -1
            continue
        if depth <= 0:
            kept.append(sign)
    return ''.join(kept)


rng = random.Random(int(sys.argv[2]))
for _ in range(int(sys.argv[1])):
    text = damaged(rng)
    read = reading(text)
    if read['errors'] and '(' in text:
        read = reading(without_variations(text))
    print(json.dumps({'pgn': text, **read}))
