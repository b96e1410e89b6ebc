## Everywhere

time = { $number } { $unit ->
    [ns] нс
    [us] мкс
    [ms] мс
    [s] с
    [min] мин
    [h] ч
   *[days] сут
}
count-moves = { $count ->
    [one] { $count } ход
    [few] { $count } хода
   *[many] { $count } ходов
}
half-moves = { $count ->
    [one] { $count } полуход
    [few] { $count } полухода
   *[many] { $count } полуходов
}
side = { $side ->
    [white] Белые
   *[black] Чёрные
}
role = { $role ->
    [king] король
    [queen] ферзь
    [rook] ладья
    [bishop] слон
    [knight] конь
   *[pawn] пешка
}
piece = { $role ->
    [king] { $colour ->
        [white] белый король
       *[black] чёрный король
    }
    [queen] { $colour ->
        [white] белый ферзь
       *[black] чёрный ферзь
    }
    [rook] { $colour ->
        [white] белая ладья
       *[black] чёрная ладья
    }
    [bishop] { $colour ->
        [white] белый слон
       *[black] чёрный слон
    }
    [knight] { $colour ->
        [white] белый конь
       *[black] чёрный конь
    }
   *[pawn] { $colour ->
        [white] белая пешка
       *[black] чёрная пешка
    }
}
errors-in-all = { $first }; ошибок всего: { $count }
and-more = и ещё { $count }
none = нет
did-you-mean = может быть, { $name }?

## What is wrong with a question

refused-at = { OPTION($name) } «{ $text }»: { $error }
field-square = «{ $text }» не поле доски, например a4
field-choice = такого значения нет: { $text }
field-place = ожидался номер хода, например 16 (перед ходом белых) или 16... (чёрных), а не «{ $text }»
field-values = ожидались пять целых чисел от 1 до { $most } через запятую (Q, R, B, N и P), а не «{ $text }»
field-range = { $number }: можно от { $least } до { $most }
field-level = ожидались два числа, например 40,2: сколько ходов оставить и на сколько полуходов смотреть (1–100)
question-unreadable = вопрос непонятен: { $error }
question-member = в вопросе { $question } нет поля «{ $name }»
no-such-player = программа «{ $name }» здесь не играет: { $names }
no-such-question = вопроса «{ $name }» нет
no-files-here = { $name }: файлов здесь нет
engine-native-only = на вопрос { $question } отвечает только эталон: машинной программы для него нет
file-wrong = { $name }{ $error }
position-missing = не указана позиция{ OPTION(": --fen 'FEN', --position ИМЯ (список: m220 positions) или --pgn ФАЙЛ") }
position-wrong = { $given }: { $error }
position-put-right = { $given }: { $note }
games-passed-over = { $file }: пропущено непрочитанных партий до неё: { $count }
position-illegal = невозможная позиция: { $error }
position-unsupported = { $given }: такого программа не знает: { $error }
position-unknown = { OPTION("--position") } { $name }: позиции с таким именем нет; { $advice }
positions-list = { OPTION("имена перечисляет m220 positions", page: "имена есть в списке позиций") }
numbers-are = номера от { $least } до { $most }
fen-otherwise = полностью это пишется { $fen }
given-fen = { OPTION("--fen") } '{ $fen }'
given-name = { OPTION("--position") } { $name }
given-game = --pgn { $file }

## The engines

machine-line = машина: { $result ->
    [ok] готово
    [limit] предел
    [table-full] таблица заполнена
    [too-long] слишком длинно
    [unsupported] вопрос не принят
   *[other] ошибка
}, { $instructions ->
    [one] { $instructions } команда
    [few] { $instructions } команды
   *[many] { $instructions } команд
}: М-220 { $m220 }, М-20 { $m20 }, номинально { $nominal }
engines-equal = совпадает: машина и эталон дали одно и то же
engines-differ = РАСХОЖДЕНИЯ: { $count }
no-verdict-because = без вывода: { $reason }
no-answer-because = ответа нет: { $reason }
machine-failed = машинная программа ошиблась: { $fault }
machine-stopped = машину остановили, не дав ей закончить
machine-limit = достигнут предел числа команд{ OPTION(" (--max-instructions)") }
native-reason = эталон: { $reason }
table-full = заполнена таблица: { $table }
with-advice = { $reason }; { $advice }
try-shorter-horizon = попробуйте горизонт покороче или { OPTION("--engine native", page: "эталон") }: у него такой таблицы нет
try-smaller-share = { OPTION("попробуйте --share поменьше или --engine native: у него", page: "у эталона") } такой таблицы нет
try-fewer-moves = попробуйте меньше ходов или { OPTION("--engine native", page: "эталон") }: у него такой таблицы нет
try-native-table = у { OPTION("--engine native", page: "эталона") } такой таблицы нет
try-native = у { OPTION("--engine native", page: "эталона") } такого предела нет
program-unusable = { $name }: { $error }
program-model = --model { $model }: программа написана для { $meant }; на { $model } некоторые коды значат другое

## Forms

form-fen = Позиция (FEN)
form-from = Откуда
form-to = Куда
form-piece = Фигура
form-horizon = Полуходов
form-horizon-limit = Полуходов, не больше
form-moves = Ходов

## Pictures

legend-colours = { $sides ->
    [both] Сплошной линией: { $what ->
        [attacks] атаки
        [relations] отношения
       *[other] ходы
    } белых. Пунктиром: чёрных.
    [white] Сплошной линией: { $what ->
        [attacks] атаки
        [relations] отношения
       *[other] ходы
    } белых.
   *[black] Пунктиром: { $what ->
        [attacks] атаки
        [relations] отношения
       *[other] ходы
    } чёрных.
}
legend-dot = Точка: остановка в пути.
legend-wide = Широкая: один ход.
legend-faint = Бледная: атака, которую можно остановить.
legend-number = Число: сколько пешек выигрывает неотразимая атака.

## trajectories

trajectories-title = все кратчайшие траектории фигуры
trajectories-way = { $piece } { $from }–{ $to }
trajectories-found = { $way }: { $count ->
    [one] { $count } кратчайшая траектория
    [few] { $count } кратчайшие траектории
   *[many] { $count } кратчайших траекторий
} в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}
trajectories-longer = { $way }: траектории есть, но длиннее заданного предела{ OPTION(" (--max-moves)") }
trajectories-own-piece = { $way }: пути нет, на { $square } своя фигура
trajectories-blocked = { $way }: пути нет, все дороги закрыты другими фигурами
trajectories-pawn = { $way }: пути нет, пешка ходит только вперёд, а на другую вертикаль лишь со взятием
trajectories-never = { $way }: пути нет даже на пустой доске
trajectories-no-piece = на { $square } нет фигуры: поставьте её или укажите, какая ходит{ OPTION(" (--piece)") }
trajectories-same-square = начало и цель — одно поле { $square }: траектория должна вести на другое поле
trajectories-other-piece = ходит { $piece }, хотя на { $square } стоит { $there }
trajectories-pawn-first-rank = { $piece } на { $square }: в партии так не бывает; считается, что она идёт на одно поле, а со следующего на два
trajectories-pawn-last-rank = { $piece } на { $square } уже на последней горизонтали: дальше ей идти некуда
trajectories-numbers = n+m на поле: ходов от начала + ходов до цели в кольце
trajectories-lines = Линия — это ход; чем она шире, тем больше траекторий по ней идёт.
trajectories-example = { $passed }+{ $left } на { $square }: от начала { $passed ->
    [one] { $passed } ход
    [few] { $passed } хода
   *[many] { $passed } ходов
}, до цели { $left ->
    [one] { $left } ход
    [few] { $left } хода
   *[many] { $left } ходов
}

## attacks

attacks-title = все атаки обеих сторон
attacks-within = атаки в пределах { $horizon ->
    [one] { $horizon } полухода
   *[other] { $horizon } полуходов
}
attacks-found = { $count ->
    [one] { $count } траектория
    [few] { $count } траектории
   *[many] { $count } траекторий
} атаки{ $from } в пределах { $horizon ->
    [one] { $horizon } полухода
   *[other] { $horizon } полуходов
}: белых { $white }, чёрных { $black }
attacks-item = { $squares } { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}, { $half_moves ->
    [one] { $half_moves } полуход
    [few] { $half_moves } полухода
   *[many] { $half_moves } полуходов
}: { $list }
attacks-numbers = рядом с фигурой или на поле: сколько траекторий там кончается, белых и чёрных
attackers-none = { OPTION("--svg-from") } { $square }: фигуры там нет
attackers-from = {" "}с { $squares }
attackers-no-attack = В пределах горизонта атак нет.
attackers-idle = В пределах горизонта нет атак с { $squares }.

## relations

relations-title = что каждая фигура атакует, защищает и контролирует
relations-short = отношения
relations-no-piece = { OPTION("--piece") } { $square }: фигуры там нет
relations-need-legal = для ходов нужна возможная позиция: { $error }
not-legal = хода { $text } здесь нет
relations-found = { $count ->
    [one] { $count } отношение
    [few] { $count } отношения
   *[many] { $count } отношений
}, E = { $evaluation } за { $side ->
    [white] белых
   *[black] чёрных
}
relations-counts = атак (at) { $at }, защит (ap) { $ap }, контроля (co) { $co }
relations-move = { $rau } ({ $san }), отметка { $note }
relations-lost = исчезло { $count }
relations-gained = появилось { $count }
relations-piece = { $piece } { $square }, динамическая ценность { $worth }
relations-attacks = атакует { $count }
relations-attacked-by = нападающих { $count }
relations-defends = защищает { $count }
relations-defended-by = защищающих { $count }
relations-controls = контролирует { $count }
relations-signature = сигнатура: { $count ->
    [one] { $count } класс
    [few] { $count } класса
   *[many] { $count } классов
}
relations-kind = вид
relations-man = фигура
relations-target = цель
relations-number = сколько
relations-machine-tables = машинная программа считает только отношения, но не центр и не сами фигуры
relations-order = { $count ->
    [one] { $count } ход
    [few] { $count } хода
   *[many] { $count } ходов
} в порядке генератора
relations-tree = ходов на каждом полуходе: { $list }; всего { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}
relations-notes = { $count ->
    [one] { $count } ход
    [few] { $count } хода
   *[many] { $count } ходов
} по отметкам
relations-cut-short = { $option }: закончено раньше времени, без результата.
relations-level = уровень ({ $width },{ $depth }): { $written ->
    [none] хода нет
   *[other] { $written }
}, оценка { $value }, { $made ->
    [one] сделан { $made } ход
    [few] сделано { $made } хода
   *[many] сделано { $made } ходов
}
relations-those-of = отношения фигуры { $square }
relations-drawn = атак { $attacks }, защит { $defences }
relations-heading = { $headline }; на рисунке: { $choice }
relations-numbers = рядом с фигурой или на поле: сколько белых и чёрных фигур на него действует
legend-attack = Широкая: атака.
legend-defence = Тонкая: защита.
legend-defence-or-control = Тонкая: защита или контроль свободного поля.
legend-control = Тонкая: контроль свободного поля.
legend-no-controls = Контроль свободных полей не нарисован.
legend-move = От оранжевого к кольцу: ход { $rau } ({ $san }), ещё не сделанный.

## plan

plan-need-legal = для плана нужна возможная позиция: { $error }
plan-one-task = ожидалось что-то одно: --plan, --refine, --prevent или --combine
plan-two-squares = ожидались два поля подряд, например e8e2
plan-carried = { $side ->
    [white] Белые
   *[black] Чёрные
} замышляют { $plan }, цель { $goal }: { $verdict ->
    [holds] план проходит
    [open] не решено
   *[rejected] план отвергнут
}
plan-depth = Вывода нет: плану, может быть, нужно больше { $count ->
    [one] { $count } своего хода
   *[other] { $count } своих ходов
} (--depth).
plan-refined = { $state ->
    [holds] { $condition } уже выполнено: хода не нужно
    [fails] { $condition } не выполнено
   *[moves] { $condition } за { $side ->
        [white] белых
       *[black] чёрных
    }
}
plan-devices = чем { $side ->
    [white] белые
   *[black] чёрные
} отвечают на { $capture }
plan-both = обоим планам служат: { $moves }
plan-served = всем целям служат: { $moves }
plan-p1 = P1, догнать чужую пешку
plan-p2 = P2, охранить путь своей
plan-missing = не хватает { $count ->
    [one] { $count } хода
   *[other] { $count } ходов
} короля
plan-gain = выигрыш { $gain }
plan-rule = { $rule ->
    [move] ход
    [capture] взятие
    [attack] атака
    [offer] под бой
    [go] прийти
   *[detour] в обход
}
plan-plays = { $name } ({ $rule })
plan-mates = { $name } ({ $rule }), мат
plan-rejection = { $reason ->
    [contradiction] одно поле нужно сразу в двух состояниях
    [optimism] фигуры на полях его взятий стоят меньше цели
    [no-move] у шага нет ни хода, ни обхода
    [balance] все шаги сделаны, а выигрыш меньше цели
    [verification] условие, которое надо было проверить, не выполнено
    [depth] отведённые ходы кончились
   *[given-up] просмотрено не до конца
}

## sync

sync-doublet-title = дуплет синхронных шахмат: обе стороны ходят одновременно
sync-a-doublet = дуплет
form-white = Ход белых
form-black = Ход чёрных
sync-nothing = ничего
sync-not-allowed = { OPTION($option) } { $text }: { $why } (правила { $rules }, '{ $fen }')
sync-at-once = { $white } и { $black } одновременно
sync-before = до
sync-after = после
sync-barred = закрыто
sync-barred-square = { $square } для { $side ->
    [white] белого
   *[black] чёрного
} короля в следующем дуплете
sync-check = шах
sync-checked = { $side ->
    [white] белым
   *[black] чёрным
}
sync-result = исход
sync-wrote = { $side ->
    [white] Белые
   *[black] Чёрные
}: { $text }
sync-wrote-events = { $side ->
    [white] Белые
   *[black] Чёрные
}: { $text }, { $events }
sync-event = { $event ->
    [capture] взятие
    [miss] промах
    [inversion] инверсия
    [collision] столкновение
    [own-loss] потеря своей
    [promotion] превращение
    [ambushed] попала в засаду
   *[held] удержана защитой
}
sync-ended = { $result ->
    [white-mates] белые дали мат
    [black-mates] чёрные дали мат
    [white-takes-king] белые взяли короля
    [black-takes-king] чёрные взяли короля
    [draw-both-kings-taken] ничья: взяты оба короля
    [draw-both-mated] ничья: мат обоим
    [draw-stalemate] ничья: пат
    [draw-kings] ничья: остались одни короли
   *[draw-repetition] ничья: позиция повторилась трижды
}
sync-no-result = пока нет
sync-after-doublet = После дуплета.
sync-moves = { $side ->
    [white] Белые
   *[black] Чёрные
}{ $check ->
    [yes] {" "}под шахом
   *[no] {""}
} могут записать { $count ->
    [one] { $count } ход
    [few] { $count } хода
   *[many] { $count } ходов
} по правилам { $rules }
sync-rule-set = { $set ->
    [first] первого набора
    [game1] первой партии
    [game2] второй партии
   *[second] второго набора
}
sync-doublets = { $count ->
    [one] { $count } дуплета
   *[other] { $count } дуплетов
}
sync-count-left-out = разных позиций больше { $count } после { $after }; дальше не считается (--max-positions)
sync-counted = После { $after }: дуплетов { $doublets }, разных позиций { $positions } по правилам { $rules }
sync-count-after = после { $after }
sync-count-doublets = дуплетов
sync-count-positions = разных позиций
sync-count-collisions = столкновений
sync-count-misses = промахов
sync-count-captures = взятий
sync-count-inversions = инверсий
sync-count-checks = король под шахом
sync-count-white-mated = мат белым
sync-count-black-mated = мат чёрным
sync-count-both-mated = мат обоим
sync-no-doublet = в партии нет ни одного дуплета
sync-replayed = { $game }, правила { $rules }, дуплетов { $count }, исход: { $result }
sync-in-check = шах { $sides }
sync-note = примечание: { $note }
sync-irregular = ходов, которых правила { $rules } не допускают: { $count }
sync-lost = потеряли: белые { $white }, чёрные { $black }
sync-game-after = { $game } после { $after }
sync-forbidden = { $side ->
    [white] белые
   *[black] чёрные
}: { $text } нельзя: { $why }
sync-printed = в документе в столбце R стоит { $signs }
sync-clocks-line = ожидались два целых числа: секунды белых и чёрных
sync-longer = { $side ->
    [white] белые
   *[black] чёрные
} думали дольше и проигрывают по времени
sync-no-longer = обе стороны думали одинаково долго
sync-clock-a = часы (а), белые : чёрные
sync-clock-b = часы (б), белые : чёрные
sync-clock-duration = вся партия
sync-clock-flag = флажок
sync-flag = { $side ->
    [white] белых
    [black] чёрных
   *[both] обоих
}, после дуплета { $doublet }
sync-inverse = обратные к { $values }: { $inverse }
sync-ending = король и { $piece } против короля: верный мат в { $sure } из { $states } расстановок
sync-ending-mated = чёрным мат
sync-ending-stalemated = одной из сторон пат
sync-ending-sure = верный выигрыш, вместе с матами
sync-ending-longest = дублетов в самом долгом верном выигрыше
sync-ending-almost = почти верный выигрыш

## mate

mate-suite-key = --key годится для одной позиции, а не для набора (--epd)
mate-suite-length = dm { $count } вне пределов: { $range }
mate-title = задача на мат
mate-within = { $side ->
    [white] белые
   *[black] чёрные
} дают мат в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}
mate-found = { $side ->
    [white] Белые
   *[black] Чёрные
} начинают и дают мат в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}, решений: { $count }
mate-at-most = { $side ->
    [white] Белые
   *[black] Чёрные
} начинают и дают мат не позже { $moves }-го хода, решений: { $count }
mate-shorter = { $side ->
    [white] Белые
   *[black] Чёрные
} начинают и дают мат в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}, а не в заданные { $asked }, решений: { $count }
mate-none = Ход { $side ->
    [white] белых
   *[black] чёрных
}: мата в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
} нет
mate-none-so-far = Ход { $side ->
    [white] белых
   *[black] чёрных
}: мата в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
} нет; закончено раньше времени, заданных ходов было { $asked }
mate-trees-cut-short = Закончено раньше времени: решения найдены все, их деревья и опровержения не все.
mate-mated = Ход { $side ->
    [white] белых
   *[black] чёрных
}: мата в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
} нет, им самим мат
mate-stalemated = Ход { $side ->
    [white] белых
   *[black] чёрных
}: мата в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
} нет, им пат
mate-sooner = мат не позже { $count }-го хода
mate-fewer = мат есть и быстрее, чем за { $count ->
    [one] { $count } ход
    [few] { $count } хода
   *[many] { $count } ходов
}
mate-visited = { $engine ->
    [native] эталон
   *[machine] машина
}: просмотрено позиций { $count }
mate-visited-levels = { $engine ->
    [native] эталон
   *[machine] машина
}: просмотрено позиций { $count }, по полуходам { $levels }
mate-too-deep = машинная программа ищет не дальше { $count } ходов: решения найдены только эталоном
mate-table-full = таблица машинной программы заполнена: решения найдены только эталоном
mate-limit = достигнут предел числа команд: решения найдены только эталоном
mate-no-tree = машина не закончила дерево ({ $refusal })
mate-no-moves = { OPTION("--key") } { $text }: такого хода нет; у { $side ->
    [white] белых
   *[black] чёрных
} нет ни одного хода
mate-bad-key = { OPTION("--key") } { $text }: такого хода нет; ходы { $side ->
    [white] белых
   *[black] чёрных
}: { $moves }
mate-stalemates = { $san }? не решает: пат
mate-not-key = { $san }? не даёт мата не позже { $moves }-го хода
mate-zugzwang = цугцванг
mate-refuted-by = { $san }? не решает: { $replies }
mate-refuted-by-many = { $san }? не решает, опровержений { $count }: { $replies }{ $more ->
    [0] { "" }
   *[other] { " " }и ещё { $more }
}
legend-key = Толстая стрелка: решающий ход.
legend-threat = Тонкая стрелка: его угроза.

## endings

endings-cut-short = эндшпиль не разобран до конца
endings-title = малое окончание, разобранное полностью
endings-only-natively = { $ending }: машинная программа знает только { $list }; разобрано эталоном
endings-unsupported = { $ending }: машинная программа знает только { $list }; эталон{ OPTION(" (--engine native)") } разберёт и это
endings-at = { $ending }: разобрано позиций { $count }, круг начинается с класса { $class }
endings-first = { $ending }, без которого не обойтись в KPK: { $outcome }, команд { $count }
endings-pawn = с пешкой программе сначала нужны KQK и KRK на барабане: спросите «Ответить здесь»
endings-no-drum = --drum: у эталона нет барабана
endings-one = { $ending }: одна позиция
endings-every = { $ending }: все позиции окончания
endings-for-drum = сначала { $ending } для барабана, { $run }
endings-of-one = { $ending }: король и { $piece } против короля
endings-of-two = { $ending }: король и { $piece ->
    [bishop] два слона
    [knight] два коня
    [rook] две ладьи
   *[other] два ферзя
} против короля
endings-of-list = { $ending }: король, { $pieces } против короля
endings-no-answer = { $ending }: ответа нет
endings-found = { $ending }, ход { $side ->
    [white] белых
   *[black] чёрных
}: { $result ->
    [mated] мат, класс 0
    [won] выигрыш в { $moves ->
        [one] { $moves } ход
        [few] { $moves } хода
       *[many] { $moves } ходов
    }, класс { $class }
    [lost] проигрыш в { $moves ->
        [one] { $moves } ход
        [few] { $moves } хода
       *[many] { $moves } ходов
    }, класс { $class }
    [stalemate] пат, ничья
   *[drawn] ничья
}
endings-best = лучшие ходы
endings-white-to-move = Ход белых
endings-black-to-move = Ход чёрных
endings-white = позиций { $count }, выиграно { $won }, ничьих { $drawn }
endings-black = позиций { $count }, проиграно { $lost }, ничьих { $drawn }, из них патов { $stalemate }
endings-longest = дольше всего, ход { $side ->
    [white] белых
   *[black] чёрных
}
endings-longest-of = { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}, позиций { $positions }, без симметричных { $unlike }: { $fen }
endings-longest-board = Ход белых, мат в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}: самый долгий выигрыш
endings-moves = ходов до мата
endings-white-won = ход белых, выиграно
endings-black-lost = ход чёрных, проиграно
endings-no-picture = картину целого окончания рисуют по классам эталона: нужен --engine native или both
endings-boards-one = Большая доска: { $piece } белых; доски на ней: белый король; малые поля: чёрный король
endings-boards-two = Большая доска: чёрный король; поля на ней: белый король; цвет: самый долгий выигрыш
endings-subtitle = Ход белых, позиций { $count }, выиграно { $won }
endings-scale-none = серое: ничья
endings-scale = белые дают мат не более чем в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}; серое: ничья; чёрное: позиции нет

## map

map-title = математическое отображение
map-within = отображение в пределах { $horizon ->
    [one] { $horizon } полухода
   *[other] { $horizon } полуходов
}
map-found = Отображение с горизонтом в { $horizon ->
    [one] { $horizon } полуход
    [few] { $horizon } полухода
   *[many] { $horizon } полуходов
}, ход { $side ->
    [white] белых
   *[black] чёрных
}: { $count ->
    [one] { $count } атака
    [few] { $count } атаки
   *[many] { $count } атак
}, неотразимых из них { $winning }
map-picture = Атаки отображения{ $from } в пределах { $horizon ->
    [one] { $horizon } полухода
   *[other] { $horizon } полуходов
    }, ход { $side ->
    [white] белых
   *[black] чёрных
    }
map-doomed-by = Обречено атаками { $side ->
    [white] белых
   *[black] чёрных
}, в пешках
map-sensible = Имеют смысл ходы { $side ->
    [white] белых
   *[black] чёрных
} ({ $count }): { $moves }
map-attack = атака
map-trajectory = траектория
map-in = через
map-aim = цель
map-q = q
map-f = F
map-value = цена
map-functions = функции
map-retreats = куда отойти
map-legend = j: фигура чёрных. через: полуходов до взятия. цель: что атаковано, в пешках. q: закрытых полей. F: 1, если атака неотразима (у белых тета), тогда она выигрывает цену. функции: f каждого поля, 1 открыто.{ OPTION(" Подробнее: m220 map --help") }
map-too-many = { $error }; с меньшим горизонтом их меньше
map-bad-trajectory = { OPTION("--explain") } { $text }: ожидались поля, например e5-f6-g7
map-no-attack-there = { OPTION("--explain") } { $text }: в отображении с горизонтом { $horizon } такой траектории нет; оттуда атак нет
map-no-trajectory = { OPTION("--explain") } { $text }: в отображении с горизонтом { $horizon } такой траектории нет; оттуда есть { $known }

## reply

reply-bell = размены { $exchanges ->
    [win] дают материал
    [lose] теряют материал
   *[even] ничего не дают
}, после худшего ответа ходов: { $moves }
reply-many-pieces = Вычислено без машины: в её списках по 16 фигур на сторону.
reply-no-room = Вычислено без машины: одна из таблиц её программы мала для этой позиции.
reply-no-answer = Вычислено без машины: её программа не дала ответа.
reply-unknown = Вычислено без машины: её программа не знает ни одного из возможных ходов.

## best

best-title = ход, который выбирает отображение
best-share = --share действует только с машиной: нужен --engine m220 или both
best-native-options = --positions и --nu действуют только у эталона; у --engine { $engine } есть --share
best-at = горизонт { $horizon } пройден, пока лучший { $best }
best-on-machine = горизонты от 1 до { $horizon }, на машине
analyse-share = { OPTION("--share") } { $share }: в машинной программе есть место не больше чем для { $most } позиций на первый ход; у { OPTION("--engine native", page: "эталона") } такого предела нет
best-no-move = Хода нет: { $side ->
    [white] белым
   *[black] чёрным
} { $how ->
    [mate] мат
   *[stalemate] пат
}
best-none = Хода нет: отображение ни одного не знает
best-mates = { $side ->
    [white] Белые
   *[black] Чёрные
} дают мат: { $line }
best-chosen = { $played }: { $reason }
best-only = другого хода нет
best-is-mate = это мат
best-ahead-king = по правилам 1968 года ведёт к выигрышу (горизонт { $horizon }): король противника считается обречённым
best-ahead = по правилам 1968 года выигрывает { $gain } в конце главного варианта (горизонт { $horizon })
best-king-doomed = по правилам 1968 года король противника обречён (горизонт { $horizon }); не подтверждено
best-gains = по правилам 1968 года даёт { $gain } (горизонт { $horizon }); не подтверждено
best-keeps-hope = сохраняет надежду: все остальные ходы по правилам 1968 года проигрывают
best-all-behind-king = по правилам 1968 года проигрывает любой ход (горизонт { $horizon }): свой король считается обречённым
best-all-behind = по правилам 1968 года проигрывает любой ход; этот теряет меньше всех, { $pawns ->
    [one] { $pawns } пешку
    [few] { $pawns } пешки
   *[many] { $pawns } пешек
} (горизонт { $horizon })
best-assessment = лучшее соотношение материала и угроз (E+)
best-weight = из ходов с лучшим соотношением он больше всех освобождает свои атаки и стесняет чужие (W)
best-new-position = лучший из ходов, не повторяющих позицию (правило наше)
best-name = из равных ходов первый по алфавиту
best-ahead-at = по правилам 1968 года ведёт к выигрышу, горизонт { $horizon }; { $nearer }
best-nearer-none = ближние горизонты этого не видят
best-nearer-all = так же судят и все ближние
best-nearer-some = так же судят ближние: { $count }
best-all-lose = по правилам 1968 года проигрывает любой ход
best-assessment-of = лучшее соотношение (E+) { $group ->
    [ahead] среди ведущих к выигрышу за столько же позиций
    [behind] среди них
   *[holding] среди непроигрывающих
}
best-weight-of = наибольший вес (W) при лучшем соотношении { $group ->
    [ahead] среди ведущих к выигрышу за столько же позиций
    [behind] среди них
   *[holding] среди непроигрывающих
}
best-name-of = первый по алфавиту из равных { $group ->
    [ahead] среди ведущих к выигрышу за столько же позиций
    [behind] среди них
   *[holding] среди непроигрывающих
}
best-table = Ходы: выбранный, затем по E+ и W; ведущие к проигрышу последними
best-table-verdicts = Ходы по выводу, затем по E+ и W
best-move = ход
best-looked-at = почему
best-e-plus = E+
best-w = W
best-verdict = вывод
best-group = { $group ->
    [attack] атака
    [negation] отрицание
    [positional] позиционный
   *[legal] возможный
}
best-row-ahead = выигрывает
best-row-ahead-at = выигрывает, горизонт { $horizon }
best-row-behind = проигрывает
best-row-seen = позиция уже была
best-no-reply = По этим правилам ни один ответ не держит: каждый с его неравенством показывает { OPTION("m220 analyse") }.
best-all-equal = Первые из этих ходов для отображения одинаковы: в пределах горизонта от них ничего не зависит.
best-ending = Для этого окончания известен точный ответ: { OPTION("m220 endings") } с той же позицией.
best-empty-map = Отображение пусто до предельного горизонта: решают только соотношение и вес.
best-interrupted = Закончено раньше времени: лучшее из найденного.
best-mate = Отображение этого не видит: есть мат в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}, { $keys }{ OPTION("typed", page: "") ->
    [typed] {" "}(m220 mate --moves { $moves }).
   *[other] .
}
best-horizons = Горизонты
best-horizon = горизонт { $horizon }: позиций { $count }{ $complete ->
    [yes] {""}
   *[no] , не до конца
}; выигрывают: { $moves }
best-horizon-nothing = горизонт { $horizon }: позиций { $count }{ $complete ->
    [yes] {""}
   *[no] , не до конца
}; ни один ход не выигрывает
best-map = всего позиций { $count }, с теми, где проверялось, не проигрывает ли ход; отображение на { $horizon ->
    [one] { $horizon } полуход
    [few] { $horizon } полухода
   *[many] { $horizon } полуходов
}: q = { $white } (белые), { $black } (чёрные)
best-types = Фигуры под ударом после хода (в скобках потеря в пешках)
best-type-2 = потеряны (тип 2), { $side ->
    [white] белые
   *[black] чёрные
}: { $pieces }
best-type-3 = потеряны, если считать и тех, кто ещё подойдёт (тип 3), { $side ->
    [white] белые
   *[black] чёрные
}: { $pieces }
best-type-4 = в безопасности (тип 4), { $side ->
    [white] белые
   *[black] чёрные
}: { $pieces }
best-piece = { $role } { $square }{ $pawns }
best-promotion = превращение на { $square }{ $pawns }
best-legend = E+: материал белых минус материал чёрных вместе с тем, что обречено у обеих сторон, в пешках. W (наша мера): насколько свободнее становятся свои атаки и теснее чужие. Оба числа о доске после хода, глазами белых. Вывод о дальнейшей игре по правилам 1968 года: это другая шкала.{ OPTION(" Подробнее: m220 best --help") }
best-of-share = Машина рассматривала не больше { $share } позиций на каждый первый ход. С большим числом{ OPTION(" (--share)") } выбор может быть другим: на позицию книги ушла ночь.
best-board-after = Доска после { $played }, широкая стрелка.
best-types-legend = Число на фигуре под ударом — её тип ценности: 2 — потеряна, 3 — потеряна с учётом тех, кто ещё подойдёт, 4 — в безопасности.

## analyse

field-line = { $text }: ожидались ходы в записи UCI, например c1a3 e7a3
analyse-title = ходы, которые допускает неравенство надежды
analyse-checkpoint = --checkpoint и --resume хранят одну машину: нужны --engine m220 или both и --horizon вместо --max-horizon
analyse-max-positions = --max-positions действует только у эталона; у --engine { $engine } предел задаёт --share
analyse-native-tree = --line, --svg и --dot показывают дерево эталона: нужен --engine native или both
analyse-at = горизонт { $horizon }, не больше чем { $count ->
    [one] { $count } позиция
    [few] { $count } позиции
   *[many] { $count } позиций
}
analyse-on-machine = горизонт { $horizon }, на машине
analyse-no-horizon = нет горизонта для анализа
analyse-within = анализ в пределах { $horizon ->
    [one] { $horizon } полухода
   *[other] { $horizon } полуходов
}
analyse-suite-note = горизонт { $horizon }, { $count ->
    [one] { $count } позиция
    [few] { $count } позиции
   *[many] { $count } позиций
}
analyse-horizon-tree = Горизонт { $horizon }: у { $side ->
    [white] белых
   *[black] чёрных
} { $count ->
    [one] { $count } ход, имеющий смысл
    [few] { $count } хода, имеющих смысл
   *[many] { $count } ходов, имеющих смысл
}. Рассмотрено: { $positions ->
    [one] { $positions } позиция
    [few] { $positions } позиции
   *[many] { $positions } позиций
}, в дереве { $size }
analyse-horizon = Горизонт { $horizon }: у { $side ->
    [white] белых
   *[black] чёрных
} { $count ->
    [one] { $count } ход, имеющий смысл
    [few] { $count } хода, имеющих смысл
   *[many] { $count } ходов, имеющих смысл
}. Рассмотрено: { $positions ->
    [one] { $positions } позиция
    [few] { $positions } позиции
   *[many] { $positions } позиций
}
analyse-line = Вариант: { $line }
analyse-first = { $name }: { $verdict }, { $count ->
    [one] { $count } позиция
    [few] { $count } позиции
   *[many] { $count } позиций
}
analyse-after = После { $line }: { $verdict }; { $fen }
analyse-survey = Все атаки этой позиции в пределах 3 полуходов М-220 находит за { $once }, атаки стольких же позиций за { $often }. Анализ проделан здесь эталоном{ OPTION("; m220 analyse --engine both проделает его и на машине") }.
analyse-partial = Прервано раньше времени: результат неполный.
analyse-legend = Слева: выигранное белыми минус выигранное чёрными, вместе с тем, что берёт полуход и чем грозит ответ. Справа: что обречено атаками ходящей стороны и на что она может надеяться. Белые продолжают, пока левая часть >= -правой, чёрные, пока левая <= правой: их выигрыш считается с минусом. «Ведёт» означает: по правилам 1968 года, а не по всем правилам шахмат.{ OPTION(" Подробнее: m220 analyse --help") }
analyse-not-sensible = --line: { $step } (полуход { $at }) там не имеет смысла; в отображении { $count ->
    [0] ходов, имеющих смысл, нет
   *[other] есть { $known }
}
analyse-no-verdict = Вывода нет
analyse-chosen = { $name }: ведёт к выигрышу по правилам 1968 года
analyse-nothing-sensible = Вывода нет: в пределах этого горизонта отображение не видит ходов, имеющих смысл
analyse-all-rejected = Вывода нет: по правилам 1968 года ни один ход, имеющий смысл, в пределах этого горизонта не ведёт к выигрышу
analyse-position-limit = Вывода нет: достигнут предел числа позиций{ OPTION(" (--max-positions, а для одного первого хода --share)") }
analyse-tree-limit = Вывода нет: в дереве миллион позиций, больше в памяти не держится; остальное не рассмотрено
analyse-cut-repetition = (позиция варианта повторилась)
analyse-cut-stop = (вариант окончен)
analyse-cut-open = (не рассматривалось)
analyse-doomed = обречено { $pawns }
analyse-hoped = надежда { $pawns }
analyse-king-lost = , и короля можно взять
analyse-stop = стоп
analyse-picture = { $fen }, горизонт { $horizon }
analyse-picture-legend = Стрелки: первые полуходы варианта, у самого первого — широкая. В дереве у варианта толстые рамки. Зелёное: ведут белые, красное: чёрные. Серое: никто или неизвестно. Под каждым ходом его неравенство; отвергнутые и ненужные ходы сложены вместе.
analyse-picture-too-large = рисунок занял бы { $across } на { $down } пикселей, больше, чем принимают программы просмотра ({ $most }): уменьшите --depth или возьмите --dot
analyse-folded = { $which ->
    [all] все { $count }
    [more] ещё { $count }
   *[some] { $count }
}: { $verdict }
verdict-fails = отвергнуто сразу
verdict-wins = ведут { $side ->
    [white] белые
   *[black] чёрные
}
verdict-even = никто не ведёт
verdict-no-win = { $side ->
    [white] белые
   *[black] чёрные
} не ведут
verdict-open = неизвестно

## bell

bell-title = программа Белла
bell-reading = --reading { $reading }: машинная программа знает только чтение swap; отвечает эталон
bell-chosen = Ход { $side ->
    [white] белых
   *[black] чёрных
}: программа Белла играет { $san }
bell-visited = { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}, { $replies ->
    [one] { $replies } ответ
    [few] { $replies } ответа
   *[many] { $replies } ответов
}, в списках третьих полуходов: { $third }
bell-outcome = { $outcome ->
    [mate] мат
   *[stalemate] пат
}
bell-barred = до { $number }-го хода ферзём ходить нельзя
bell-move = ход
bell-swing = размен
bell-rank = ранг
bell-control = подвижность
bell-note = примечание

## lessons

lessons-no-move = в позиции { $fen } нет возможного хода
lessons-plays = { $side ->
    [white] Белые
   *[black] Чёрные
} играют { $san } ({ $rau }): { $stage ->
    [opening] по дебютной картотеке
    [space] чтобы оставить голому королю меньше места
    [pawns] по правилам пешечных окончаний
   *[level] перебором заданного уровня
}
lessons-value = оценка { $value }, { $made ->
    [one] сделан { $made } ход
    [few] сделано { $made } хода
   *[many] сделано { $made } ходов
}
lessons-file-plays = дебютная картотека отвечает { $san } ({ $nodes ->
    [one] { $nodes } узел
    [few] { $nodes } узла
   *[many] { $nodes } узлов
})
lessons-file-silent = в дебютной картотеке ответа нет ({ $nodes ->
    [one] { $nodes } узел
    [few] { $nodes } узла
   *[many] { $nodes } узлов
})
geometry-opposition = { $side ->
    [white] у белых
   *[black] у чёрных
} { $kind ->
    [direct] ближняя
    [distant] дальняя
    [diagonal] диагональная
    [distant-diagonal] дальняя диагональная
   *[rectangular] прямоугольная
} оппозиция
geometry-no-opposition = оппозиции нет ни у кого
geometry-take = ходы короля, занимающие оппозицию
geometry-space = поля, доступные королям, белые : чёрные
geometry-centre = ходов короля до центра, белые : чёрные
geometry-drive = ход, сильнее всего теснящий короля
geometry-unopposed = пешки, перед которыми нет пешек
geometry-holds-two = пешки, держащие две чужие
geometry-led = пешки, которых ведёт король
geometry-squares = каждая пешка против чужого короля
geometry-pawn = пешка
geometry-moves = ходов
geometry-king-moves = король
geometry-corners = углы
geometry-caught = догонит
geometry-free = свободна
yes = да
no = нет
cut-short = остановлено, не дойдя до конца
learn-no-cases = случаев нет; ожидался один на строку
learn-no-moves = ходов нет; ожидались в записи UCI
learn-cases = учтено: { $used ->
    [one] { $used } случай
    [few] { $used } случая
   *[many] { $used } случаев
}
learn-game = { $side ->
    [white] белые
   *[black] чёрные
}: { $judged ->
    [one] оценён { $judged } ход
    [few] оценено { $judged } хода
   *[many] оценено { $judged } ходов
}, неудачных { $failed }

# Whole games.
game-does = { $played } { $does }.
game-off = { $played }: { $off ->
    [castling] рокировки в отображении нет
    [en-passant] взятия на проходе в отображении нет
   *[underpromotion] в отображении пешка становится только ферзём
}.
game-nothing = { $played }: в пределах четырёх полуходов ничто этого хода не требует.
game-only = — единственный возможный ход
game-sensible = { $does }; имеет смысл { $horizon ->
    [1] сразу
    [2] с горизонта в два полухода
    [3] с горизонта в три полухода
   *[other] с горизонта в четыре полухода
}, { $hope }
game-hope = надежда остаётся
game-no-hope = надежды не остаётся
game-takes = { $target ->
    [none] проводит пешку на { $to }
    [pawn] берёт пешку { $to }
    [knight] берёт коня { $to }
    [bishop] берёт слона { $to }
    [rook] берёт ладью { $to }
    [queen] берёт ферзя { $to }
   *[king] берёт короля { $to }
}
game-goes-for = { $target ->
    [none] ведёт пешку на { $to }
    [pawn] метит в пешку { $to }
    [knight] метит в коня { $to }
    [bishop] метит в слона { $to }
    [rook] метит в ладью { $to }
    [queen] метит в ферзя { $to }
   *[king] метит в короля { $to }
}
game-though = { $goes }, хотя противник может взять { $closed } под удар
game-opens = { $role ->
    [pawn] открывает пешке
    [knight] открывает коню
    [bishop] открывает слону
    [rook] открывает ладье
    [queen] открывает ферзю
   *[king] открывает королю
} путь { $from }–{ $to }
game-retreats = уходит с { $square }, куда метит { $role ->
    [pawn] пешка
    [knight] конь
    [bishop] слон
    [rook] ладья
    [queen] ферзь
   *[king] король
} { $from }
game-blocks = { $role ->
    [pawn] встаёт на пути пешки
    [knight] встаёт на пути коня
    [bishop] встаёт на пути слона
    [rook] встаёт на пути ладьи
    [queen] встаёт на пути ферзя
   *[king] встаёт на пути короля
} { $from }–{ $to }
game-mates = ставит мат
game-stalemates = ставит пат
game-parries = { $target ->
    [king] отражает атаку на короля { $to }
   *[other] отражает взятие на { $to }
}
game-parries-promotion = отражает превращение на { $to }
game-serves = служит атаке
game-machine = М-220 ({ $time }) играет { $played }.
game-machine-same = М-220 ({ $time }) играет так же.
game-machine-none = М-220 ({ $time }) хода не находит.
game-machine-not-asked = Для этой позиции у М-220 нет места.
game-choice = Выбор эталона — { $played }.
game-choice-same = Выбор эталона тот же.
game-title = { $white } — { $black }, { $result }
score-empty = здесь нет партии; ожидается запись в PGN
score-first-of-several = Из нескольких партий показана только первая.
score-no-move = { $text }: такого хода в этой позиции нет

# Упражнения.
exercise-no-name = в программе нет имени `{ $name }`: сохраните строку `export`
exercise-no-start = в программе нет строки `start`
exercise-endless = случай { $case }: и после { $count } команд программа не остановилась
exercise-stopped = случай { $case }: машина остановилась: { $reason ->
    [halt] останов
    [mismatch] слова различны
    [addition-overflow] переполнение суммы
    [multiplication-overflow] переполнение произведения
    [division-overflow] переполнение частного
    [exponent-overflow] переполнение порядка
    [negative-root] корень из отрицательного
    [illegal-instruction] нет такой команды
    [unfitted-cube] нет такого куба
    [device] устройство
    [checksum] неверная сумма
    [end-of-core] конец памяти
   *[other] { $reason }
} в { $at } ({ $word })
exercise-cell = случай { $case }: `{ $name }` — { $found }, ожидалось { $expected }{ $decimal ->
    [yes] {" "}(десятичные)
   *[no] {""}
}
exercise-print = напечатано: { $found }, ожидалось { $expected }
exercise-next = Следующее: m220 lessons { $name }
exercise-hints = { $count ->
    [one] { $count } подсказка: --hint 1
    [few] { $count } подсказки: --hint 1, 2 ...
   *[many] { $count } подсказок: --hint 1, 2 ...
}

# Таблица команд.
operand = { $role ->
    [jump] куда
    [places] 100+разряды
    [sum] сумма
    [choice] выбор
    [condition] УЧ
    [device] адрес на устройстве
    [cell] ячейка
   *[other] { $role }
}
opcode = { $name ->
    [MOV] r = x
    [ADD] r = x + y, с округлением и нормализацией
    [SUB] r = x - y, с округлением и нормализацией
    [SUBM] r = |x| - |y|, с округлением и нормализацией
    [DIV] r = x / y, с округлением
    [MUL] r = x * y, с округлением и нормализацией; младшая часть произведения — в РМР
    [EXPA] r = y, к порядку прибавлено A1 mod 200 - 100
    [ADDE] обе части складываются, каждая с циклическим переносом (правило контрольной суммы)
    [CARD] ввод карт, начиная с A1; при неверной сумме останов, пуск — с A2
    [JLO] переход к A2, если РА < A1 и Омега = 1; затем РА := A3
    [JL] переход к A2, если РА < A1; затем РА := A3
    [ADDA] адресные части складываются по модулю 2^36; старшая часть — от x
    [SHA] адресная часть y сдвигается на A1 mod 200 - 100 разрядов
    [XOR] r = x и y, сложенные по модулю 2 (поразрядное сравнение)
    [CALL] r = слово 0 16 0000 A1 0000, команда возврата; переход к A2
    [FETD] выборка из динамики: r = слово по 17-разрядной сумме двух слов
    [KEY] r = 0, клавишный регистр 1–4 или РР при A1 mod 10 = 0, 1–4, 5
    [ADDU] r = x + y, без округления
    [SUBU] r = x - y, без округления
    [SUBMU] r = |x| - |y|, без округления
    [DIVU] r = x / y, без округления
    [MULU] r = x * y, без округления; младшая часть произведения — в РМР
    [EXPX] r = y, к порядку прибавлен порядок x - 100
    [SUBE] обе части вычитаются, каждая с циклическим займом
    [CARDJ] ввод карт, начиная с A1; при неверной сумме — переход к A2
    [JGO] переход к A2, если РА >= A1 и Омега = 1; затем РА := A3
    [JG] переход к A2, если РА >= A1; затем РА := A3
    [SUBA] адресные части вычитаются по модулю 2^36; старшая часть — от x
    [SHAX] адресная часть y сдвигается на порядок x - 100 разрядов
    [XORS] r = x и y, сложенные по модулю 2; останов, если не нуль
    [JO] r = x; переход к A2, если Омега = 1
    [STOD] запись в динамику: слово из A3 идёт по 17-разрядной сумме двух слов
    [JLW] переход к A2, если РА меньше поля A2 слова x; затем РА := A3
    [ADDN] r = x + y, без нормализации
    [SUBN] r = x - y, без нормализации
    [SUBMN] r = |x| - |y|, без нормализации
    [SQRT] r = квадратный корень из x, с округлением
    [MULN] r = x * y, без нормализации; младшая часть произведения — в РМР
    [EXPS] r = y, из порядка вычтено A1 mod 200 - 100
    [LOW] r = РМР после умножения; иначе старшая часть РР с адресной частью Р1
    [PREP] подготовка обмена: условное число, адрес на устройстве, последняя ячейка
    [JLN] переход к A2, если РА < A1 и Омега = 0; затем РА := A3
    [SETR] r = слово 0 52 0000 A1 0000; РА := A2
    [ADDO] старшие части складываются по модулю 2^9; адресная часть — от x
    [SHW] все 45 разрядов y сдвигаются на A1 mod 200 - 100
    [AND] r = x и y (поразрядно)
    [JMP] r = x; переход к A2
    [CUBE] смена регистров кубов; в A3 — команда, которая их восстановит
    [JGW] переход к A2, если РА не меньше поля A2 слова x; затем РА := A3
    [ADDUN] r = x + y, без округления и нормализации
    [SUBUN] r = x - y, без округления и нормализации
    [SUBMUN] r = |x| - |y|, без округления и нормализации
    [SQRTU] r = квадратный корень из x, без округления
    [MULUN] r = x * y, без округления и нормализации; младшая часть произведения — в РМР
    [EXPY] r = y, из порядка вычтен порядок x - 100
    [CYC] циклический сдвиг на 24 в сетке из 48 разрядов: младшие и старшие 21 меняются местами, разряды 24–22 пропадают
    [EXCH] подготовленный обмен, начиная с A1; сумма — в A3, при несовпадении переход к A2
    [JGN] переход к A2, если РА >= A1 и Омега = 0; затем РА := A3
    [SETRW] r = слово 0 52 0000 A1 0000; РА := поле A2 слова y
    [SUBO] старшие части вычитаются по модулю 2^9; адресная часть — от x
    [SHWX] все 45 разрядов y сдвигаются на порядок x - 100
    [OR] r = x или y (поразрядно)
    [JN] r = x; переход к A2, если Омега = 0
    [STOP] останов; нуль в A3
    [STOPA] останов; нуль в A3
    [STOPB] останов; нуль в A3
    [STOPC] останов; нуль в A3
    [FORMA] прибавляет поля A2 трёх слов к адресам следующей команды и исполняет её
    [CLR] r = 0
    [CLRB] r = 0
    [FORMI] составляет команду из полей; записывает её в A3 или исполняет, если A3 = 0000
   *[other] { $summary }
}
opcode-omega = { $when ->
    [exponent] порядок r > 100
    [address] разряды 36–1 в r = 0
    [carry36] перенос из 36-го разряда
    [borrow36] заём в 36-й разряд
    [carry45] перенос из 45-го разряда
    [borrow45] заём в 45-й разряд
    [not-less] разряды 36–1: y >= x
   *[other] { $when }
}

# Названия позиций.
position-title = { $name ->
    [startpos] Начальная позиция
    [opera] Морфи — герцог Брауншвейгский и граф Изуар, Париж 1858, перед 16.Фb8+
    [reti] Рети — Тартаковер, Вена 1910, перед 9.Фd8+
    [philidor] Спёртый мат Филидора, перед Фg8+
    [legal] Мат Легаля, перед Сxf7+
    [excelsior] «Эксцельсиор» С. Лойда, 1861: мат в пять ходов
    [reti-study] Этюд Р. Рети, 1921: ничья (он же — позиция 41 книги)
    [itep-rxh7] ИТЭФ — Стэнфорд, партия 3, 1967, перед 15.Лxh7
    [fig22] Ботвинник — Капабланка, АВРО-турнир 1938, перед 30.Сa3: рис. 22 книги
    [morphy] Приписывается юному Полу Морфи; мат в 2 хода
    [loyd-organ-pipes] По Сэмюэлу Лойду, «Органные трубы», «Бостон газетт» 1859; поле ферзя до вступления — по памяти, вступление и игра после него достоверны; мат в 2 хода
    [langstaff-castling-allowed] У. Лангстафф, «Чесс аматёр» 1922, по памяти: если чёрные могут рокировать, последним был двойной шаг; мат в 2 хода
    [langstaff-castling-forbidden] Та же задача, если король или ладья чёрных уже ходили; мат в 2 хода
    [langstaff-neither] Та же позиция с правом рокировки, но без взятия на проходе: ни одна партия к ней не ведёт; мата в 2 хода нет
    [petrovic-218] Ненад Петрович, 1964: 218 возможных ходов — больше не известно ни в одной позиции; мат в 1 ход
    [immortal] Андерсен — Кизерицкий, Лондон 1851, перед 22.Фf6+; мат в 2 хода
    [evergreen] Андерсен — Дюфрень, Берлин 1852, перед 23.Сd7+; мат в 2 хода
    [buckle] Бокль — любитель, Лондон 1840 (по сборникам); мат в 2 хода
    [legal-g6] Мат Легаля: 1.e4 e5 2.Кf3 d6 3.Сc4 Сg4 4.Кc3 g6 5.Кxe5 Сxd1; мат в 2 хода
    [greco] Рукопись Греко, XVII век: 1.e4 b6 2.d4 Сb7 3.Сd3 f5 4.exf5 Сxg2 5.Фh5+ g6 6.fxg6 Кf6; мат в 2 хода
    [boden] Шульдер — Боден, Лондон 1853, перед 14...Фxc3+; мат в 2 хода
    [zukertort] Цукерторт — Андерсен, Бреслау 1865 (по сборникам); мат в 2 хода
    [neumann] Нейман — Майет, Берлин 1866 (по сборникам); мат в 2 хода
    [paulsen] Л. Паульсен — Блахи, Нью-Йорк 1857 (по сборникам); мат в 2 хода
    [teed] Тид — Дельмар, Нью-Йорк 1896, перед 7.Фxh5+; мат в 2 хода
    [reti-10] Рети — Тартаковер, Вена 1910, перед 10.Сg5+; мат в 2 хода
    [lasker-thomas-17] Эд. Ласкер — Томас, Лондон 1912, перед 17.Лh2+; рокировка тоже решает; мат в 2 хода
    [lasker-thomas-18] Та же партия, перед 18.Крd2; мат в 1 ход
    [gundersen-14] Гундерсен — Фауль, Мельбурн 1928, перед 14.Кxe6+; мат в 2 хода
    [gundersen-15] Та же партия, перед 15.hxg6; мат в 1 ход
    [fischer] Д. Бирн — Фишер, Нью-Йорк 1956, перед 40...Кc3+; мат в 2 хода
    [alekhine] Алехин — консультанты-любители, Пальма 1935: 1.e4 c6 2.d4 d5 3.Кc3 dxe4 4.Кxe4 Кd7 5.Фe2 Кgf6; мат в 1 ход
    [budapest] Ловушка будапештского гамбита: 1.d4 Кf6 2.c4 e5 3.dxe5 Кg4 4.Сf4 Кc6 5.Кf3 Сb4+ 6.Кbd2 Фe7 7.a3 Кgxe5 8.axb4; мат в 1 ход
    [philidors-legacy] Спёртый мат, известный со времён Лусены (1497), только с нужными фигурами; мат в 2 хода
    [fool] Самая короткая партия: 1.f3 e5 2.g4; мат в 1 ход
    [scholar] Детский мат: 1.e4 e5 2.Фh5 Кc6 3.Сc4 Кf6; мат в 1 ход
    [first-position] Начальная позиция партии; мата в 2 хода нет
    [botvinnik-capablanca] Ботвинник — Капабланка, АВРО-турнир 1938, перед 30.Сa3: ход выигрывает, но до мата далеко; мата в 2 хода нет
    [mated] Детский мат поставлен: стороне, чей ход, мат
    [stalemated] Стороне, чей ход, пат
    [both-castle] Составлена для набора: все четыре рокировки; мата в 2 хода нет
   *[other] { $title }
}
position-of-book = Позиция { $number } книги, { $section ->
    [opening] дебют
    [middlegame] миттельшпиль
   *[endgame] эндшпиль
}
position-of-bell = Программа Белла («Атлас») — программа Скотта, партия { $game }, перед { $played }
position-made = { $sort ->
    [castling] Рокировка
    [en-passant] Взятие на проходе
    [promotion] Превращение
    [underpromotion] Слабое превращение
    [stalemate] Пат
    [zugzwang] Цугцванг
    [no-solution] Без решения
   *[other] { $title }
} (позицию составила программа); { $is_mate ->
    [yes] мат в { $moves ->
        [one] { $moves } ход
        [few] { $moves } хода
       *[many] { $moves } ходов
    }
   *[no] мата в { $moves ->
        [one] { $moves } ход
        [few] { $moves } хода
       *[many] { $moves } ходов
    } нет
}

## Рисунки книги

book-no-figure = рисунка { $number } здесь нет; m220 book перечисляет те, где есть позиция, кодовая таблица или ходы
book-no-position = на рисунке нет ни позиции, ни ходов: машину не спрашивают
book-which-picture = --svg рисует один рисунок: ожидался его номер
book-row = { $number }  с. { $page }  { $title }
book-headline = Рис. { $number }, с. { $page }: { $title }
book-figure = Рис. { $number }
book-to-move = Рис. { $number }: { $side ->
    [white] ход белых
   *[black] ход чёрных
}
book-moves-legend = Сколько ходов нужно фигуре до каждого поля.
book-says = В книге: { $says }
book-numbers = В числах, как найдено здесь
book-after = после { $moves }: { $what }
book-statement = { $what }: { $found } { $kind ->
    [follows] (следует из с. { $page })
    [same] (как на с. { $page })
   *[differs] (с. { $page }: { $book }; { $note })
}
book-asked = Машину спросили: { $what }.
book-asked-attacks = все атаки в пределах { $horizon ->
    [one] { $horizon } полухода
   *[other] { $horizon } полуходов
}
book-asked-moves = ходы до каждого из 63 полей
book-list = { $count ->
    [one] { $count } рисунок книги с позицией
    [few] { $count } рисунка книги с позицией
   *[many] { $count } рисунков книги с позицией
}, кодовой таблицей или ходами
book-how = m220 book N показывает один, m220 book --html book.html все на одной странице.
book-missing = В нашем экземпляре диаграмм нет: рис. 1 опущен, рис. 2 и 3 восстановлены по тексту.
book-pages = Номера страниц могут отличаться на единицу.

history-reproduced = Из сыгранных программой Белла ходов ({ $count }) снова выбрано { $reproduced }
history-game = Партия { $number }: { $white } — { $black }, { $count ->
    [one] { $count } ход
    [few] { $count } хода
   *[many] { $count } ходов
}
history-value = оценка
history-place = место
history-choice = теперь
history-third = третьих полуходов
history-m220 = М-220
history-mean = М-220: в среднем { $time } на ход. Программе Скотта нужно было около минуты; программа Белла на «Атласе» отвечала почти сразу.
history-listed = Всего перечислено { $count ->
    [one] { $count } третий полуход
    [few] { $count } третьих полухода
   *[many] { $count } третьих полуходов
}.
history-fit = Чтение выбрано так, чтобы повторить как можно больше этих ходов: это подгонка, а не проверка.
