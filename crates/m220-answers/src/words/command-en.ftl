### What only the command says: no page carries it.

more-rows = { $count ->
    [one] and { $count } more: --all shows it
   *[other] and { $count } more: --all shows them
}
suite-verdict = { $verdict ->
    [different] DIFFERENT
    [open] no verdict
    [given] as given
    [otherwise] OTHERWISE
   *[found] found
}
suite-line = line { $line }
suite-given = given: { $moves }
suite-total = { $count ->
    [one] { $count } position
   *[other] { $count } positions
}: { $given } as given
suite-part = { $count } { $part ->
    [otherwise] otherwise
    [nothing] with nothing given
    [different] in which the engines differ
   *[open] without a verdict
}
suite-not-read = { $count ->
    [one] { $count } line
   *[other] { $count } lines
} not read
suite-time = { $time } on the M-220
suite-goes-on = ; the suite goes on
suite-no-answer = the machine gave no answer
progress = { $seconds } s: { $at }
progress-machine = machine: { $count ->
    [one] { $count } instruction
   *[other] { $count } instructions
}, M-220 { $time }
progress-native = native: { $count ->
    [one] { $count } position
   *[other] { $count } positions
}
progress-share = { $percent }% of the limit
progress-begun = at work; Ctrl-C ends it
cut-deadline = the time limit was reached (--timeout)
cut-keyboard = interrupted from the keyboard
cut-outside = ended from outside
cut-partial = { $reason }: the result is partial
game-players = The players: their moves that the map knows and that were not forced, and how many of these are sensible within 1, 2, 3, 4 half-moves and keep hope{ $machine ->
    [0] { "" }
   *[1] ; and how many of all that were not forced the M-220 would have played
}
game-player = player
game-unnamed = { $side }, game { $game }
game-moves = moves
game-keeps = hope
game-same = same
game-time = M-220
game-chance = chance
game-excess = excess
game-styles = What the moves do to the closed squares of each side's ways, a move, against a move at random; and how many moves are active (both fewer), passive (the other's more, one's own not fewer), for the better on both sides, or neither. The words are the book's, the count is ours
game-own = own
game-enemy = other's
game-active = active
game-passive = passive
game-both = better
game-other = neither
game-at = game { $game }, { $done } of { $all } half-moves
game-damaged = { $error }{ $rows ->
    [0] {""}
   *[other] ; the rows before it remain, and the table leaves the game out
}
game-empty = game { $number } has no moves
game-no-moves = no moves with{ $asked }; the game has moves { $first } to { $last }
game-no-moves-in-all = no moves with{ $asked } in any game of the file
game-whose = Horizons by the book: 2 half-moves, programs of the time and beginners; 3, grandmasters in complex positions; 4, the least that shows all means of fight.
game-doubt = What this cannot show: horizon 4 is mostly chance; one game of 40 moves leaves an uncertainty of 11 points either way; keeping hope is no measure of strength, since a program of about 1970 does it in 20 of 24 moves; telling two players apart by 4 points takes some 30 games of each.
game-page = A game through the eyes of 1968
game-button = { $go ->
    [first] first move
    [back] back
    [on] forward
   *[last] last move
}
game-curve = Line: E+ after each half-move, in pawns for White, cut off at { $most }; a gap where a king is counted as doomed. Bars: how long the M-220 thinks about its own move, on the scale of the longest time. Green: where the attack goes next. Yellow: closed squares on the path. Red: attacks of the other side that nothing stops.
game-clock = The M-220 would have taken { $time } for { $side ->
    [white] White
   *[black] Black
}, where a player had { $clock }.
book-page-title = The figures of Botvinnik's book, and what the programs find
book-page-intro = M. M. Botvinnik, Algoritm igry v shakhmaty, Moscow: Nauka, 1968. Page numbers may be off by one. Below each picture are the book's words in short, its numbers with those found here, and the command that repeats it.
book-page-numbers = in numbers
book-page-found = found here
book-page-book = the book
book-page-page = page
book-page-why = why, or the book's words
book-page-follows = follows
book-page-same = the same
book-page-done = { $figures ->
    [one] { $figures } figure
   *[other] { $figures } figures
}, { $statements ->
    [one] { $statements } statement
   *[other] { $statements } statements
}: { $same } as the book has them, { $derived } that follow from its words, { $otherwise } otherwise, each with its reason
exercise-passed = { $name } is solved: { $title }
exercise-all-done = That was the last one.
exercise-begin = Begin with: m220 lessons { $name } --begin { $file }, then m220 lessons { $name } --watch { $file }
exercise-exists = { $file }: already exists and was not changed
exercise-no-hint = --hint { $number }: { $name } has hints 1 to { $count }
exercise-unknown = no exercise `{ $name }`: expected a number from 1 to { $count }, or a name of m220 lessons
exercise-begun = { $file } holds the starting program
exercise-watching = watching { $file }: Ctrl-C ends it
