## Everywhere

time = { $number } { $unit }
count-moves = { $count ->
    [one] { $count } move
   *[other] { $count } moves
}
half-moves = { $count ->
    [one] { $count } half-move
   *[other] { $count } half-moves
}
side = { $side ->
    [white] White
   *[black] Black
}
role = { $role }
piece = { $colour } { $role }
errors-in-all = { $first }; errors in all: { $count }
and-more = and { $count } more
none = none
did-you-mean = did you mean { $name }?

## What is wrong with a question

refused-at = { OPTION($name) } '{ $text }': { $error }
field-square = `{ $text }` is not a square, expected one such as a4
field-choice = not one of the values: { $text }
field-place = expected a number such as 16 (before White's move) or 16... (before Black's), not `{ $text }`
field-values = expected five whole numbers from 1 to { $most } with commas between, for Q, R, B, N and P, not `{ $text }`
field-range = { $number }: expected { $least } to { $most }
field-level = expected two numbers such as 40,2: moves kept, half-moves (1 to 100)
question-unreadable = the question: { $error }
question-member = there is no `{ $name }` in the question { $question }
no-such-player = no program `{ $name }` plays here: { $names }
no-such-question = there is no question `{ $name }`
no-files-here = { $name }: there are no files here
engine-native-only = { $question } has no machine program: only the native reference answers it
file-wrong = { $name }{ $error }
position-missing = no position is given{ OPTION(": use --fen 'FEN', --position NAME (m220 positions lists them), or --pgn FILE") }
position-wrong = { $given }: { $error }
position-put-right = { $given }: { $note }
games-passed-over = { $file }: { $count ->
    [one] one game before it cannot be read and is
   *[other] { $count } games before it cannot be read and are
} skipped
position-illegal = not a legal position: { $error }
position-unsupported = { $given }: unsupported: { $error }
position-unknown = { OPTION("--position") } { $name }: no position of this name; { $advice }
positions-list = { OPTION("m220 positions lists the names", page: "the names are in the list of positions") }
numbers-are = the numbers are { $least } to { $most }
fen-otherwise = expected it written in full as { $fen }
given-fen = { OPTION("--fen") } '{ $fen }'
given-name = { OPTION("--position") } { $name }
given-game = --pgn { $file }

## The engines

machine-line = machine: { $result }, { $instructions ->
    [one] { $instructions } instruction
   *[other] { $instructions } instructions
}: M-220 { $m220 }, M-20 { $m20 }, nominal { $nominal }
engines-equal = equal: machine and native reference give the same
engines-differ = DIFFERENT: { $count ->
    [one] { $count } difference
   *[other] { $count } differences
}
no-verdict-because = no verdict: { $reason }
no-answer-because = no answer: { $reason }
machine-failed = the machine program failed: { $fault }
machine-stopped = the machine was stopped before it had finished
machine-limit = the instruction limit was reached{ OPTION(" (--max-instructions)") }
native-reason = native: { $reason }
table-full = { $table } is full
with-advice = { $reason }; { $advice }
try-shorter-horizon = try { OPTION("a shorter --horizon, or --engine native, which has", page: "fewer half-moves, or the native reference, which has") } no such table
try-smaller-share = { OPTION("try a smaller --share, or --engine native, which has", page: "the native reference has") } no such table
try-fewer-moves = try fewer { OPTION("--moves, or --engine native, which", page: "moves, or the native reference, which") } has no such table
try-native-table = { OPTION("--engine native", page: "the native reference") } has no such table
try-native = { OPTION("--engine native", page: "the native reference") } has no such limit
program-unusable = { $name }: { $error }
program-model = --model { $model }: the machine program is written for the { $meant }; on the { $model } some of its codes mean something else

## Forms

form-fen = Position (FEN)
form-from = From
form-to = To
form-piece = Piece
form-horizon = Half-moves
form-horizon-limit = Half-moves at most
form-moves = Moves

## Pictures

legend-colours = { $sides ->
    [both] Solid: White's { $what }. Dashed: Black's.
    [white] Solid: White's { $what }.
   *[black] Dashed: Black's { $what }.
}
legend-dot = Dot: a stop on the way.
legend-wide = Wide: one move.
legend-faint = Faint: an attack that can be stopped.
legend-number = A number: the pawns that an irresistible attack wins there.

## trajectories

trajectories-title = all shortest trajectories of a piece
trajectories-way = { $piece } { $from }-{ $to }
trajectories-found = { $way }: { $count ->
    [one] { $count } shortest trajectory
   *[other] { $count } shortest trajectories
} of { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
}
trajectories-longer = { $way }: there are trajectories, but only longer ones than allowed{ OPTION(" (--max-moves)") }
trajectories-own-piece = { $way }: no path: a piece of the same side stands on { $square }
trajectories-blocked = { $way }: no path: other pieces block every route
trajectories-pawn = { $way }: no path: a pawn moves only forward, and to another file only by capturing
trajectories-never = { $way }: no path, not even on an empty board
trajectories-no-piece = { OPTION("--piece") } is needed: no piece stands on { $square }, the square of { OPTION("--from") }
trajectories-same-square = { OPTION("--from") } and { OPTION("--to") } are both { $square }: a trajectory must lead to another square
trajectories-other-piece = a { $piece } moves instead of the { $there } on { $square }
trajectories-pawn-first-rank = no game has a { $piece } on { $square }: it is assumed to advance one square, and two from the next
trajectories-pawn-last-rank = a { $piece } on { $square } is on its last rank: it can go no further
trajectories-numbers = n+m on a square: moves from the start + moves to the ringed target
trajectories-lines = A line is a move; the wider it is, the more trajectories use it.
trajectories-example = { $passed }+{ $left } on { $square }: { $passed ->
    [one] { $passed } move
   *[other] { $passed } moves
} from the start + { $left ->
    [one] { $left } move
   *[other] { $left } moves
} to the target

## attacks

attacks-title = all attacks of both sides
attacks-within = attacks within { $horizon ->
    [one] { $horizon } half-move
   *[other] { $horizon } half-moves
}
attacks-found = { $count ->
    [one] { $count } attack trajectory
   *[other] { $count } attack trajectories
}{ $from } within { $horizon ->
    [one] { $horizon } half-move
   *[other] { $horizon } half-moves
}: { $white } White, { $black } Black
attacks-item = { $squares } { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
}, { $half_moves ->
    [one] { $half_moves } half-move
   *[other] { $half_moves } half-moves
}: { $list }
attacks-numbers = beside a piece or square: the trajectories that end there, White's and Black's
attackers-none = { OPTION("--svg-from") } { $square }: no piece stands there
attackers-from = {" "}from { $squares }
attackers-no-attack = No attack lies within the horizon.
attackers-idle = No attack within the horizon starts from { $squares }.

## relations

relations-title = what every piece attacks, defends and controls
relations-short = relations
relations-no-piece = { OPTION("--piece") } { $square }: no piece stands there
relations-need-legal = moves need a legal position: { $error }
not-legal = { $text } is not a legal move
relations-found = { $count ->
    [one] { $count } relation
   *[other] { $count } relations
}, E = { $evaluation } for { $side ->
    [white] White
   *[black] Black
}
relations-counts = { $at } at, { $ap } ap, { $co } co
relations-move = { $rau } ({ $san }), note { $note }
relations-lost = lost { $count }
relations-gained = gained { $count }
relations-piece = { $piece } { $square }, dynamic value { $worth }
relations-attacks = attacks { $count }
relations-attacked-by = is attacked by { $count }
relations-defends = defends { $count }
relations-defended-by = is defended by { $count }
relations-controls = controls { $count }
relations-signature = signature: { $count ->
    [one] { $count } class
   *[other] { $count } classes
}
relations-kind = kind
relations-man = piece
relations-target = target
relations-number = number
relations-machine-tables = the machine program counts only relations, not the centre or the pieces themselves
relations-order = { $count ->
    [one] { $count } move
   *[other] { $count } moves
} in the order of the generator
relations-tree = moves at each half-move: { $list }; { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
} in all
relations-notes = { $count ->
    [one] { $count } move
   *[other] { $count } moves
} by note
relations-cut-short = { $option }: ended early, without a result.
relations-level = level ({ $width },{ $depth }): { $written ->
    [none] no move
   *[other] { $written }
}, value { $value }, { $made ->
    [one] { $made } move
   *[other] { $made } moves
} made
relations-those-of = those of { $square }
relations-drawn = { $attacks ->
    [one] { $attacks } attack
   *[other] { $attacks } attacks
}, { $defences ->
    [one] { $defences } defence
   *[other] { $defences } defences
}
relations-heading = { $headline }; drawn: { $choice }
relations-numbers = beside a piece or square: how many pieces of White and of Black bear on it
legend-attack = Wide: an attack.
legend-defence = Thin: a defence.
legend-defence-or-control = Thin: a defence, or the control of a free square.
legend-control = Thin: the control of a free square.
legend-no-controls = Controls of free squares are not drawn.
legend-move = Orange to ring: the move { $rau } ({ $san }), not yet made.

## plan

plan-need-legal = plans need a legal position: { $error }
plan-one-task = expected one of --plan, --refine, --prevent and --combine
plan-two-squares = expected two squares run together, such as e8e2
plan-carried = { $side ->
    [white] White
   *[black] Black
} plans { $plan }, goal { $goal }: { $verdict ->
    [holds] the plan holds
    [open] the plan is not decided
   *[rejected] the plan is rejected
}
plan-depth = No verdict: the plan may need more than { $count ->
    [one] { $count } own move
   *[other] { $count } own moves
} (--depth).
plan-refined = { $state ->
    [holds] { $condition } holds: no move is needed
    [fails] { $condition } does not hold
   *[moves] { $condition } for { $side ->
        [white] White
       *[black] Black
    }
}
plan-devices = { $side ->
    [white] White
   *[black] Black
}'s devices against { $capture }
plan-both = moves that serve both plans: { $moves }
plan-served = moves that serve every aim: { $moves }
plan-p1 = P1, to catch the enemy pawn
plan-p2 = P2, to guard the path of its own
plan-missing = { $count ->
    [one] { $count } king move
   *[other] { $count } king moves
} missing
plan-gain = gain { $gain }
plan-rule = { $rule ->
    [go] go there
    [detour] detour attack
   *[other] { $rule }
}
plan-plays = { $name } ({ $rule })
plan-mates = { $name } ({ $rule }), mate
plan-rejection = { $reason ->
    [contradiction] one square is needed in two states at once
    [optimism] the pieces on the squares of its captures are worth less than the goal
    [no-move] neither a step nor its detour has a move
    [balance] all steps are done, but the gain is below the goal
    [verification] a condition that was to be verified does not hold
    [depth] the moves allowed are used up
   *[given-up] not examined to the end
}

## sync

sync-doublet-title = a doublet of synchronous chess: both sides move at once
sync-a-doublet = a doublet
form-white = White's move
form-black = Black's move
sync-nothing = nothing
sync-not-allowed = { OPTION($option) } { $text }: { $why } (rules `{ $rules }`, '{ $fen }')
sync-at-once = { $white } and { $black } at once
sync-before = before
sync-after = after
sync-barred = barred
sync-barred-square = { $square }, to { $side ->
    [white] White
   *[black] Black
}'s king in the next doublet
sync-check = check
sync-checked = { $side ->
    [white] White
   *[black] Black
}
sync-result = result
sync-wrote = { $side ->
    [white] White
   *[black] Black
}: { $text }
sync-wrote-events = { $side ->
    [white] White
   *[black] Black
}: { $text }, { $events }
sync-event = { $event }
sync-ended = { $result ->
    [white-mates] White mates
    [black-mates] Black mates
    [white-takes-king] White has taken the king
    [black-takes-king] Black has taken the king
    [draw-both-kings-taken] a draw: both kings are taken
    [draw-both-mated] a draw: both sides are mated
    [draw-stalemate] a draw by stalemate
    [draw-kings] a draw: two bare kings
   *[draw-repetition] a draw: the third occurrence of this placement
}
sync-no-result = none yet
sync-after-doublet = After the doublet.
sync-moves = { $side ->
    [white] White
   *[black] Black
}{ $check ->
    [yes] , in check,
   *[no] {""}
} may write { $count ->
    [one] { $count } move
   *[other] { $count } moves
} by the rules `{ $rules }`
sync-rule-set = { $set }
sync-doublets = { $count ->
    [one] { $count } doublet
   *[other] { $count } doublets
}
sync-count-left-out = more than { $count ->
    [one] { $count } different position
   *[other] { $count } different positions
} after { $after }, which are left out (--max-positions)
sync-counted = After { $after }: { $doublets } doublets, { $positions } different positions by the rules `{ $rules }`
sync-count-after = after { $after }
sync-count-doublets = doublets
sync-count-positions = different positions
sync-count-collisions = collisions
sync-count-misses = misses
sync-count-captures = captures
sync-count-inversions = inversions
sync-count-checks = with a king in check
sync-count-white-mated = White mated
sync-count-black-mated = Black mated
sync-count-both-mated = both mated
sync-no-doublet = the game has no doublet
sync-replayed = { $game }, rules `{ $rules }`: { $count ->
    [one] { $count } doublet
   *[other] { $count } doublets
}, result: { $result }
sync-in-check = check: { $sides }
sync-note = note: { $note }
sync-irregular = { $count ->
    [one] { $count } move that the rules `{ $rules }` do not allow
   *[other] { $count } moves that the rules `{ $rules }` do not allow
}
sync-lost = lost: White { $white }, Black { $black }
sync-game-after = { $game } after { $after }
sync-forbidden = { $side ->
    [white] White
   *[black] Black
} { $text } is not allowed: { $why }
sync-printed = the document prints { $signs } in column R
sync-clocks-line = expected two whole numbers, the seconds of White and of Black
sync-longer = { $side ->
    [white] White
   *[black] Black
} has thought longer and loses on time
sync-no-longer = both sides have thought equally long
sync-clock-a = clock (a), White : Black
sync-clock-b = clock (b), White : Black
sync-clock-duration = duration
sync-clock-flag = flag
sync-flag = { $side ->
    [white] White's
    [black] Black's
   *[both] both
}, after doublet { $doublet }
sync-inverse = { $values } inverted: { $inverse }
sync-ending = king and { $piece } against king: White mates for sure in { $sure } of { $states } placements
sync-ending-mated = Black is mated
sync-ending-stalemated = a side is stalemated
sync-ending-sure = sure, with those mated
sync-ending-longest = doublets of the longest sure win
sync-ending-almost = almost sure

## mate

mate-suite-key = --key is for one position, not for a suite (--epd)
mate-suite-length = dm { $count } is out of range: { $range }
mate-title = a mate problem
mate-within = { $side ->
    [white] White
   *[black] Black
} mates in { $moves }
mate-found = { $side ->
    [white] White
   *[black] Black
} to move mates in { $moves }: { $count ->
    [one] { $count } key
   *[other] { $count } keys
}
mate-at-most = { $side ->
    [white] White
   *[black] Black
} to move mates in at most { $moves } moves: { $count ->
    [one] { $count } key
   *[other] { $count } keys
}
mate-shorter = { $side ->
    [white] White
   *[black] Black
} to move mates in { $moves }, shorter than the { $asked } asked for: { $count ->
    [one] { $count } key
   *[other] { $count } keys
}
mate-none = { $side ->
    [white] White
   *[black] Black
} to move: no mate in { $moves }
mate-none-so-far = { $side ->
    [white] White
   *[black] Black
} to move: no mate in { $moves }; ended early, mates in up to { $asked } are undecided
mate-trees-cut-short = Ended early: the keys are complete, their trees and refutations are not.
mate-mated = { $side ->
    [white] White
   *[black] Black
} to move: no mate in { $moves }, { $side ->
    [white] White
   *[black] Black
} is mated
mate-stalemated = { $side ->
    [white] White
   *[black] Black
} to move: no mate in { $moves }, { $side ->
    [white] White
   *[black] Black
} is stalemated
mate-sooner = mates in { $count } or fewer
mate-fewer = there is a mate in fewer than { $count }
mate-visited = { $engine }: { $count ->
    [one] { $count } position
   *[other] { $count } positions
} visited
mate-visited-levels = { $engine }: { $count ->
    [one] { $count } position
   *[other] { $count } positions
} visited: { $levels } by half-moves
mate-too-deep = the machine program searches at most { $count ->
    [one] { $count } move
   *[other] { $count } moves
} deep: the keys are found natively only
mate-table-full = a table of the machine program is full: the keys are found natively only
mate-limit = the instruction limit was reached: the keys are found natively only
mate-no-tree = the machine left a tree unfinished ({ $refusal })
mate-no-moves = { OPTION("--key") } { $text }: not a legal move; { $side ->
    [white] White
   *[black] Black
} has no legal move
mate-bad-key = { OPTION("--key") } { $text }: not a legal move; { $side ->
    [white] White
   *[black] Black
}'s moves are { $moves }
mate-stalemates = { $san }? is not a key: it stalemates
mate-not-key = { $san }? does not mate in { $moves }
mate-zugzwang = zugzwang
mate-refuted-by = { $san }? is not a key: { $replies }
mate-refuted-by-many = { $san }? is not a key: { $count } moves refute it: { $replies }{ $more ->
    [0] { "" }
   *[other] , and { $more } more
}
legend-key = Thick arrow: a key.
legend-threat = Thin arrow: what it threatens.

## endings

endings-cut-short = the ending was not classified to the end
endings-title = a small ending, classified exactly
endings-only-natively = { $ending }: unsupported by the machine program, which has { $list }: classified natively only
endings-unsupported = { $ending }: unsupported by the machine program, which has { $list }; { OPTION("--engine native", page: "the native reference") } classifies it
endings-at = { $ending }: { $count ->
    [one] { $count } position
   *[other] { $count } positions
} classified, the round starts from class { $class }
endings-first = { $ending }, needed first for KPK: { $outcome } after { $count ->
    [one] { $count } instruction
   *[other] { $count } instructions
}
endings-pawn = with a pawn the program first needs KQK and KRK on a drum: use "Answer here"
endings-no-drum = --drum: the native engine has no drum
endings-one = { $ending }: one position
endings-every = { $ending }: every position of the ending
endings-for-drum = first { $ending } for the drum, { $run }
endings-of-one = { $ending }: king and { $piece } against king
endings-of-two = { $ending }: king and two { $piece }s against king
endings-of-list = { $ending }: king, { $pieces } against king
endings-no-answer = { $ending }: no answer
endings-found = { $ending }, { $side ->
    [white] White
   *[black] Black
} to move: { $result ->
    [mated] mated, class 0
    [won] won in { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }, class { $class }
    [lost] lost in { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }, class { $class }
    [stalemate] stalemate, drawn
   *[drawn] drawn
}
endings-best = best moves
endings-white-to-move = White to move
endings-black-to-move = Black to move
endings-white = { $count } positions, { $won } won, { $drawn } drawn
endings-black = { $count } positions, { $lost } lost, { $drawn } drawn, { $stalemate ->
    [one] { $stalemate } stalemate
   *[other] { $stalemate } stalemates
} of these
endings-longest = longest, { $side ->
    [white] White
   *[black] Black
} to move
endings-longest-of = { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
} in { $positions ->
    [one] { $positions } position
   *[other] { $positions } positions
}, { $unlike } up to symmetry: { $fen }
endings-longest-board = White to move, mate in { $moves }: the longest win
endings-moves = moves to mate
endings-white-won = White to move, won
endings-black-lost = Black to move, lost
endings-no-picture = the picture of a whole ending is drawn from the native classes: expected --engine native or both
endings-boards-one = Great board: White's { $piece }; boards on it: White's king; small squares: Black's king
endings-boards-two = Great board: Black's king; squares on it: White's king; colour: the longest win
endings-subtitle = White to move, { $count } positions, { $won } won
endings-scale-none = grey: drawn
endings-scale = White mates in 1 to { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
}; grey: drawn; black: not a position

## map

map-title = the mathematical map
map-within = map within { $horizon ->
    [one] { $horizon } half-move
   *[other] { $horizon } half-moves
}
map-found = The map for a horizon of { $horizon ->
    [one] { $horizon } half-move
   *[other] { $horizon } half-moves
}, { $side ->
    [white] White
   *[black] Black
} to move: { $count ->
    [one] { $count } attack
   *[other] { $count } attacks
}, { $winning } of which cannot be stopped
map-picture = The map's attacks{ $from } within { $horizon ->
    [one] { $horizon } half-move
   *[other] { $horizon } half-moves
    }, { $side ->
    [white] White
   *[black] Black
    } to move
map-doomed-by = Doomed by { $side ->
    [white] White's
   *[black] Black's
} attacks, in pawns
map-sensible = { $side ->
    [white] White's
   *[black] Black's
} sensible moves ({ $count }): { $moves }
map-attack = attack
map-trajectory = trajectory
map-in = in
map-aim = aim
map-q = q
map-f = F
map-value = value
map-functions = functions
map-retreats = safe retreats
map-legend = j: Black's. in: half-moves to the capture. aim: the attacked piece, in pawns. q: closed squares. F: 1 if irresistible (theta if White attacks); the attack then wins value. functions: f of each square, 1 if open.{ OPTION(" More: m220 map --help") }
map-too-many = { $error }; { OPTION("a shorter --horizon has", page: "fewer half-moves have") } fewer
map-bad-trajectory = { OPTION("--explain") } { $text }: expected squares such as e5-f6-g7
map-no-attack-there = { OPTION("--explain") } { $text }: the map for a horizon of { $horizon } has no such trajectory; no attack starts there
map-no-trajectory = { OPTION("--explain") } { $text }: the map for a horizon of { $horizon } has no such trajectory; from there it has { $known }

## reply

reply-bell = exchanges { $exchanges ->
    [win] win material
    [lose] lose material
   *[even] win nothing
}, { $moves } moves are left after the worst answer
reply-many-pieces = Computed without the machine: its lists hold 16 pieces a side.
reply-no-room = Computed without the machine: a table of its program is too small for this position.
reply-no-answer = Computed without the machine: its program gave no answer.
reply-unknown = Computed without the machine: its program knows none of the legal moves.

## best

best-title = the move that the mathematical map chooses
best-share = --share is for the machine: expected --engine m220 or both
best-native-options = --positions and --nu are for the native choice; --engine { $engine } has --share
best-at = horizon { $horizon } done, best so far { $best }
best-on-machine = horizons 1 to { $horizon }, on the machine
analyse-share = { OPTION("--share") } { $share }: the machine program has room for at most { $most } positions per first move; { OPTION("--engine native", page: "the native reference") } has no such limit
best-no-move = No move: { $side ->
    [white] White
   *[black] Black
} is { $how ->
    [mate] mated
   *[stalemate] stalemated
}
best-none = No move: the map knows none
best-mates = { $side ->
    [white] White
   *[black] Black
} mates: { $line }
best-chosen = { $played }: { $reason }
best-only = there is no other legal move
best-is-mate = it is mate
best-ahead-king = comes out ahead by the rules of 1968 (horizon { $horizon }): the other king is counted as doomed
best-ahead = comes out ahead by the rules of 1968 (horizon { $horizon }), by { $gain } at the end of the main line
best-king-doomed = the other king is counted as doomed by the rules of 1968 (horizon { $horizon }); not confirmed
best-gains = gains { $gain } by the rules of 1968 (horizon { $horizon }); not confirmed
best-keeps-hope = keeps hope: every other move comes out behind by the rules of 1968
best-all-behind-king = every move comes out behind by the rules of 1968 (horizon { $horizon }): its own king is counted as doomed
best-all-behind = every move comes out behind by the rules of 1968; this one least, by { $pawns ->
    [one] { $pawns } pawn
   *[other] { $pawns } pawns
} at horizon { $horizon }
best-assessment = the best balance of material and threats (E+)
best-weight = of the moves with the best balance, the one that most frees its own side's attacks and hampers the other's (W)
best-new-position = the best of the moves that do not repeat a position (a rule of ours)
best-name = the first by name of equal moves
best-ahead-at = comes out ahead by the rules of 1968 at horizon { $horizon }; { $nearer }
best-nearer-none = the nearer ones do not agree
best-nearer-all = all nearer ones agree
best-nearer-some = { $count ->
    [one] { $count } nearer one agrees
   *[other] { $count } nearer ones agree
}
best-all-lose = every move comes out behind by the rules of 1968
best-assessment-of = the best balance (E+) { $group ->
    [ahead] of the moves that come out ahead in as many positions
    [behind] of these
   *[holding] of the moves that do not come out behind
}
best-weight-of = the largest weight (W) { $group ->
    [ahead] of the moves that come out ahead in as many positions
    [behind] of these
   *[holding] of the moves that do not come out behind
} and have the best balance
best-name-of = the first by name { $group ->
    [ahead] of the moves that come out ahead in as many positions
    [behind] of these
   *[holding] of the moves that do not come out behind
} and are otherwise equal
best-table = Moves: the chosen one, then by E+ and W; those that come out behind last
best-table-verdicts = Moves by verdict, then by E+ and W
best-move = move
best-looked-at = reason
best-e-plus = E+
best-w = W
best-verdict = verdict
best-group = { $group }
best-row-ahead = ahead
best-row-ahead-at = ahead, horizon { $horizon }
best-row-behind = behind
best-row-seen = was on the board before
best-no-reply = By these rules no reply holds: { OPTION("m220 analyse") } shows each with its inequality.
best-all-equal = The map cannot tell the first of these moves apart: within its horizon nothing depends on them.
best-ending = For this ending the exact answer is known: { OPTION("m220 endings") }, with the same position.
best-empty-map = The map is empty up to the horizon limit: balance and weight alone decide.
best-interrupted = Ended early: the best move found so far.
best-mate = The map does not see it: there is a mate in { $moves }, { $keys }{ OPTION("typed", page: "") ->
    [typed] {" "}(m220 mate --moves { $moves }).
   *[other] .
}
best-horizons = Horizons
best-horizon = horizon { $horizon }: { $count ->
    [one] { $count } position
   *[other] { $count } positions
}{ $complete ->
    [yes] {""}
   *[no] , not complete
}; ahead: { $moves }
best-horizon-nothing = horizon { $horizon }: { $count ->
    [one] { $count } position
   *[other] { $count } positions
}{ $complete ->
    [yes] {""}
   *[no] , not complete
}; nothing comes out ahead
best-map = { $count ->
    [one] { $count } position
   *[other] { $count } positions
} in all, those of moves that may lose included; map of { $horizon ->
    [one] { $horizon } half-move
   *[other] { $horizon } half-moves
}: q = { $white } (White), { $black } (Black)
best-types = After the move, the pieces under attack (in brackets the loss in pawns)
best-type-2 = lost (type 2), { $side ->
    [white] White
   *[black] Black
}: { $pieces }
best-type-3 = lost once the pieces that can still join in are counted (type 3), { $side ->
    [white] White
   *[black] Black
}: { $pieces }
best-type-4 = safe (type 4), { $side ->
    [white] White
   *[black] Black
}: { $pieces }
best-piece = { $role } { $square }{ $pawns }
best-promotion = promotion on { $square }{ $pawns }
best-legend = E+: White's material minus Black's, counting what is doomed on both sides, in pawns. W, our own measure: how much freer the mover's attacks become and how much less free the enemy's. Both describe the board after the move, from White's side. The verdict is about the play that follows, by the rules of 1968, on another scale.{ OPTION(" More: m220 best --help") }
best-of-share = The machine examined at most { $share } positions for each first move. With more{ OPTION(" (--share)") } it may choose otherwise: the book's position took it a night.
best-board-after = The board after { $played }, the wide arrow.
best-types-legend = The number on a piece under attack is its type of value: 2 lost as it stands, 3 lost once the pieces that can still join in are counted, 4 safe.

## analyse

field-line = { $text }: expected moves in UCI notation, such as c1a3 e7a3
analyse-title = the moves that the inequality of hope allows
analyse-checkpoint = --checkpoint and --resume keep one machine: expected --engine m220 or both, and --horizon instead of --max-horizon
analyse-max-positions = --max-positions is for the native analysis; with --engine { $engine } the limit is --share
analyse-native-tree = --line, --svg and --dot show the native tree: expected --engine native or both
analyse-at = horizon { $horizon }, at most { $count ->
    [one] { $count } position
   *[other] { $count } positions
}
analyse-on-machine = horizon { $horizon }, on the machine
analyse-no-horizon = there is no horizon to analyse
analyse-within = analysis within { $horizon ->
    [one] { $horizon } half-move
   *[other] { $horizon } half-moves
}
analyse-suite-note = horizon { $horizon }, { $count ->
    [one] { $count } position
   *[other] { $count } positions
}
analyse-horizon-tree = Horizon { $horizon }: { $side ->
    [white] White
   *[black] Black
} has { $count ->
    [one] { $count } sensible move
   *[other] { $count } sensible moves
}. { $positions ->
    [one] { $positions } position
   *[other] { $positions } positions
} examined, { $size } in the tree
analyse-horizon = Horizon { $horizon }: { $side ->
    [white] White
   *[black] Black
} has { $count ->
    [one] { $count } sensible move
   *[other] { $count } sensible moves
}. { $positions ->
    [one] { $positions } position
   *[other] { $positions } positions
} examined
analyse-line = Line: { $line }
analyse-first = { $name }: { $verdict }, { $count ->
    [one] { $count } position
   *[other] { $count } positions
}
analyse-after = After { $line }: { $verdict }; { $fen }
analyse-survey = An M-220 finds all attacks of this position within 3 half-moves in { $once }, those of as many positions in { $often }. The analysis was worked out natively here{ OPTION("; m220 analyse --engine both also does it on the machine") }.
analyse-partial = Ended early: the result is partial.
analyse-legend = Left: White's gains minus Black's, including what the half-move captures and the reply threatens. Right: what the mover's attacks doom and what the mover may hope for. White goes on while left >= -right, Black while left <= right, since his gains count as negative. "Ahead" is by the rules of 1968, not by all of chess.{ OPTION(" More: m220 analyse --help") }
analyse-not-sensible = --line: { $step } (half-move { $at }) is not sensible there; the map has { $count ->
    [0] no sensible move
   *[other] { $known }
}
analyse-no-verdict = No verdict
analyse-chosen = { $name }: comes out ahead by the rules of 1968
analyse-nothing-sensible = No verdict: the map shows no sensible move within this horizon
analyse-all-rejected = No verdict: no sensible move comes out ahead by the rules of 1968 within this horizon
analyse-position-limit = No verdict: the limit of positions was reached{ OPTION(" (--max-positions, or --share for one first move)") }
analyse-tree-limit = No verdict: the tree has reached a million positions, the most kept in memory; the rest is left out
analyse-cut-repetition = (a position of this variation again)
analyse-cut-stop = (the variation is over)
analyse-cut-open = (not examined)
analyse-doomed = { $pawns } doomed
analyse-hoped = { $pawns } hoped
analyse-king-lost = , and the king could be taken
analyse-stop = stop
analyse-picture = { $fen }, horizon { $horizon }
analyse-picture-legend = Arrows: the first half-moves of the line, the very first one wide. In the tree the line has thick frames. Green: White comes out ahead; red: Black; grey: nobody, or undecided. Below each move is its inequality; moves that were rejected or not needed are folded.
analyse-picture-too-large = --svg: not drawn: the picture would be { $across } x { $down } pixels, and viewers accept { $most }; a smaller --depth shows less, and --dot has no such limit
analyse-folded = { $which ->
    [all] all { $count }
    [more] { $count } more
   *[some] { $count }
}: { $verdict }
verdict-fails = rejected at once
verdict-wins = { $side ->
    [white] White
   *[black] Black
} comes out ahead
verdict-even = nobody comes out ahead
verdict-no-win = { $side ->
    [white] White
   *[black] Black
} does not come out ahead
verdict-open = open

## bell

bell-title = Bell's program
bell-reading = --reading { $reading }: the machine program knows only the reading swap; the native reference answers
bell-chosen = { $side ->
    [white] White
   *[black] Black
} to move: Bell's program plays { $san }
bell-visited = { $moves ->
    [one] { $moves } move
   *[other] { $moves } moves
}, { $replies ->
    [one] { $replies } reply
   *[other] { $replies } replies
}, { $third ->
    [one] { $third } third half-move
   *[other] { $third } third half-moves
} listed
bell-outcome = { $outcome ->
    [mate] mate
   *[stalemate] stalemate
}
bell-barred = the queen is barred before move { $number }
bell-move = move
bell-swing = swing
bell-rank = rank
bell-control = control
bell-note = note

## lessons

lessons-no-move = there is no legal move in { $fen }
lessons-plays = { $side ->
    [white] White
   *[black] Black
} plays { $san } ({ $rau }): { $stage ->
    [opening] from the opening file
    [space] to shrink the space of the bare king
    [pawns] by the rules for endings of kings and pawns
   *[level] by the search of the level
}
lessons-value = value { $value }, { $made ->
    [one] { $made } move
   *[other] { $made } moves
} made
lessons-file-plays = the opening file answers { $san } ({ $nodes ->
    [one] { $nodes } node
   *[other] { $nodes } nodes
})
lessons-file-silent = the opening file has no answer ({ $nodes ->
    [one] { $nodes } node
   *[other] { $nodes } nodes
})
geometry-opposition = { $side ->
    [white] White
   *[black] Black
} has the { $kind ->
    [direct] direct
    [distant] distant
    [diagonal] diagonal
    [distant-diagonal] distant diagonal
   *[rectangular] rectangular
} opposition
geometry-no-opposition = neither side has the opposition
geometry-take = king moves that take an opposition
geometry-space = squares that the kings can reach, White : Black
geometry-centre = king moves to the centre, White : Black
geometry-drive = the move that shrinks the space most
geometry-unopposed = pawns with no pawn ahead
geometry-holds-two = pawns that hold two
geometry-led = pawns led by their king
geometry-squares = each pawn against the enemy king
geometry-pawn = pawn
geometry-moves = moves
geometry-king-moves = king
geometry-corners = corners
geometry-caught = caught
geometry-free = free
yes = yes
no = no
cut-short = stopped before the end
learn-no-cases = no cases; expected one per line
learn-no-moves = no moves; expected some in UCI notation
learn-cases = { $used ->
    [one] { $used } case
   *[other] { $used } cases
} used
learn-game = { $side ->
    [white] White
   *[black] Black
}: { $judged ->
    [one] { $judged } move
   *[other] { $judged } moves
} judged, { $failed } failed

# Whole games.
game-does = { $played } { $does }.
game-off = { $played }: { $off ->
    [castling] the map knows no castling
    [en-passant] the map knows no capture en passant
   *[underpromotion] the map knows promotion to a queen only
}.
game-nothing = { $played }: nothing within four half-moves calls for it.
game-only = is the only legal move
game-sensible = { $does }; sensible { $horizon ->
    [1] at once
    [2] from two half-moves
    [3] from three half-moves
   *[other] from four half-moves
}, { $hope }
game-hope = and hope remains
game-no-hope = but no hope remains
game-takes = { $target ->
    [none] promotes on { $to }
   *[other] takes the { $target } on { $to }
}
game-goes-for = { $target ->
    [none] goes for promotion on { $to }
   *[other] goes for the { $target } on { $to }
}
game-though = { $goes }, though { $closed } can be guarded
game-opens = opens the path of the { $role } from { $from } to { $to }
game-retreats = leaves { $square }, at which the { $role } on { $from } aims
game-blocks = stands in the way of the { $role } from { $from } to { $to }
game-mates = is mate
game-stalemates = is stalemate
game-parries = { $target ->
    [king] parries an attack on the king on { $to }
   *[other] parries a capture on { $to }
}
game-parries-promotion = parries a promotion on { $to }
game-serves = serves an attack
game-machine = The M-220 ({ $time }) plays { $played }.
game-machine-same = The M-220 ({ $time }) plays it too.
game-machine-none = The M-220 ({ $time }) finds no move.
game-machine-not-asked = The M-220 has no room for the position.
game-choice = The native choice is { $played }.
game-choice-same = The native choice is the same.
game-title = { $white } – { $black }, { $result }
score-empty = no game here; expected a score in PGN
score-first-of-several = Only the first game of several is shown.
score-no-move = { $text } is not a move in this position

# Exercises.
exercise-no-name = the program has no name `{ $name }`: keep the line `export`
exercise-no-start = the program has no line `start`
exercise-endless = case { $case }: still running after { $count } instructions
exercise-stopped = case { $case }: the machine stopped: { $reason } at { $at } ({ $word })
exercise-cell = case { $case }: `{ $name }` is { $found }, expected { $expected }{ $decimal ->
    [yes] {" "}(decimal)
   *[no] {""}
}
exercise-print = printed: { $found }, expected { $expected }
exercise-next = Next: m220 lessons { $name }
exercise-hints = { $count ->
    [one] { $count } hint: --hint 1
   *[other] { $count } hints: --hint 1, 2 ...
}

# The table of instructions.
operand = { $role ->
    [jump] jump to
    [places] 100+places
   *[other] { $role }
}
opcode = { $name ->
   *[other] { $summary }
}
opcode-omega = { $when ->
    [exponent] exponent r > 100
    [address] bits 36-1 of r = 0
    [carry36] carry from bit 36
    [borrow36] borrow to bit 36
    [carry45] carry from bit 45
    [borrow45] borrow to bit 45
    [not-less] bits 36-1: y >= x
   *[other] { $when }
}

# Titles of positions.
position-title = { $name ->
   *[other] { $title }
}
position-of-book = Position { $number } of the book, { $section ->
   *[other] { $section }
}
position-of-bell = Bell's program (Atlas) - Scott's, game { $game }, before { $played }
position-made = { $sort ->
    [castling] Castling
    [en-passant] Capture en passant
    [promotion] Promotion
    [underpromotion] Underpromotion
    [stalemate] Stalemate
    [zugzwang] Zugzwang
    [no-solution] No solution
   *[other] { $title }
}, generated; { $is_mate ->
    [yes] mate in { $moves }
   *[no] no mate in { $moves }
}

## The book's figures

book-no-figure = figure { $number } is not here; m220 book lists those that show a position, a code table or moves
book-no-position = the figure shows no position or moves: the machine is not asked
book-which-picture = --svg draws one figure: expected its number
book-row = { $number }  p. { $page }  { $title }
book-headline = Fig. { $number }, page { $page }: { $title }
book-figure = Fig. { $number }
book-to-move = Fig. { $number }: { $side ->
    [white] White
   *[black] Black
} to move
book-moves-legend = The moves that the piece needs to each square.
book-says = The book: { $says }
book-numbers = In numbers, as found here
book-after = after { $moves }: { $what }
book-statement = { $what }: { $found } { $kind ->
    [follows] (follows from p. { $page })
    [same] (as on p. { $page })
   *[differs] (p. { $page }: { $book }; { $note })
}
book-asked = The machine was asked for { $what }.
book-asked-attacks = all attacks within { $horizon ->
    [one] { $horizon } half-move
   *[other] { $horizon } half-moves
}
book-asked-moves = the moves to each of the 63 squares
book-list = The { $count } figures of the book that show a position, a code table or moves
book-how = m220 book N shows one, m220 book --html book.html all of them in a page.
book-missing = Our copy has no diagrams: Fig. 1 is left out, Figs 2 and 3 are rebuilt from the text.
book-pages = Page numbers may be off by one.

history-reproduced = { $reproduced } of the { $count } moves that Bell's program played are chosen again
history-game = Game { $number }: { $white } - { $black }, { $count ->
    [one] { $count } move
   *[other] { $count } moves
}
history-value = value
history-place = place
history-choice = now
history-third = third half-moves
history-m220 = M-220
history-mean = M-220: { $time } per move on average. Scott's program took about a minute; Bell's on the Atlas answered almost at once.
history-listed = { $count ->
    [one] { $count } third half-move
   *[other] { $count } third half-moves
} listed in all.
history-fit = The reading was chosen to reproduce as many of these moves as possible: a fit, not a test.
