### What the libraries say of texts that no page reads.

## The texts that are read: plans, aims, values of relations, Rău's notation, games for learning

expected-before-the-next-aim-or-the = ожидались `&` перед следующей целью или конец
expected-an-aim-reach-attack-catch-or = ожидалась цель: reach, attack, catch или guard
expected-reach-attack-catch-or-guard = ожидалось reach, attack, catch или guard
no-enemy-pawn-stands-on-square = на { $square } нет чужой пешки
no-own-pawn-stands-on-square = на { $square } нет своей пешки
a-step-has-64-conditions-at-most = в шаге не больше 64 условий
expected-before-the-next-step-or-the = ожидались `;` перед следующим шагом, `&` или конец
expected-the-end-this-is-one-condition = ожидался конец: это одно условие
expected-letter = ожидалось `{ $letter }`
only-a-state-is-verified-expected-v = проверяют только состояние: ожидались V, A или E
expected-v-a-e-a-state-x = ожидались V, A, E (состояние), x (взятие) или m (ход)
cannot-stand-here-a-verified-condition-makes = `*` здесь не ставят: проверка условия хода не делает
expected-the-letter-of-a-piece-k = ожидалась буква фигуры: K, Q, R, B, N или P
expected-the-file-of-a-square-a = ожидалась вертикаль поля, от a до h
expected-the-rank-of-a-square-1 = ожидалась горизонталь поля, от 1 до 8
expected-a-square = ожидалось поле
expected-a-move-in-uci-notation-such = ожидался ход в записи UCI, например e2e4
text-is-not-a-legal-move-of = { $text }: такого хода у { $side ->
    [white] белых
   *[black] чёрных
} нет
expected-a-fen-and-a-move-in = ожидались FEN, `;` и ход в записи UCI
named-a-second-time = названо второй раз
a-weight-is-positive-and-below-1 = вес больше нуля и меньше 1
the-three-weights-add-up-to-1 = три веса составляют вместе 1
expected-two-pieces-and-a-value-such = ожидались две фигуры и значение, например `at R B 1.5`
expected-a-piece-and-a-value-such = ожидались фигура и значение, например `co N 0.5` или `man N 3.05`
expected-three-weights-such-as-weights-0 = ожидались три веса, например `weights 0.5 0.3 0.2`
expected-a-value-and-the-last-move = ожидались значение и последний ход, на котором оно считается, например `centre 1 10`
expected-at-ap-co-weights-man-or = ожидалось `at`, `ap`, `co`, `weights`, `man` или `centre`
expected-a-number-between-most-and-most = ожидалось число от -{ $most } до { $most }, знаков после точки не больше { $decimals }
expected-a-whole-number-0-to-most = ожидалось целое число от 0 до { $most }
expected-a-number-0-to-most-with = ожидалось число от 0 до { $most }, знаков после точки не больше { $decimals }
expected-the-square-from-which-the-piece = ожидалось поле, с которого ходит фигура, например e2
expected-a-blank-or-for-a-capture = ожидались -, пробел или : при взятии
expected-the-square-to-which-the-piece = ожидалось поле, на которое ходит фигура, например e4
expected-the-end-or-one-of-d = ожидались конец или D, T, N, C (превращение), P (взятие на проходе), R (рокировка)
expected-nothing-after-the-mark = после знака ничего не ожидалось
a-piece-is-captured-expected-or-a = это взятие: ожидались : или пробел
nothing-is-captured-expected-or-a-blank = это не взятие: ожидались - или пробел
castling-is-marked-r = рокировка отмечается буквой R
a-capture-in-passing-is-marked-p = взятие на проходе отмечается буквой P
the-move-is-not-castling = это не рокировка
the-move-is-not-a-capture-in = это не взятие на проходе
the-pawn-is-promoted-expected-d-queen = пешка превращается: ожидались D (ферзь), T (ладья), N (слон) или C (конь)
nothing-is-promoted = пешка не превращается
no-piece-stands-on-from = на { $from } нет фигуры
the-piece-on-from-is-not-side = фигура на { $from } не { $side ->
    [white] белая, а ход белых
   *[black] чёрная, а ход чёрных
}
castling-is-written-with-the-squares-that = рокировку пишут полями, с которого и на которое идёт король, например e8-c8R
a-pawn-does-not-capture-straight-ahead = вперёд пешка не берёт

## Suites of positions

no-positions-expected-one-in-epd-per = нет позиций; ожидалась одна на строку в EPD
more-than-most-bytes = больше { $most } байтов
text-expected-placement-side-to-move-castling = «{ $text }»: ожидались расстановка, очередь хода, рокировки и поле взятия на проходе
given-error = «{ $given }»: { $error }
given-is-not-a-legal-position-error = «{ $given }»: невозможная позиция: { $error }
no-after-the-last-operation = нет ; после последней операции
bm-text-is-in-uci-notation = bm { $text }: запись UCI
bm-expected-a-move = bm: ожидался ход
dm-operand-expected-a-number-of-moves = dm { $operand }: ожидалось число ходов
dm-moves-asks-nothing = dm { $moves } ни о чём не спрашивает
id-expected-a-name = id: ожидалось имя
a-quotation-mark-is-not-closed = кавычка не закрыта
bm-text-not-a-legal-move = bm { $text }: такого хода нет
bm-text-not-a-move = bm { $text }: это не ход
