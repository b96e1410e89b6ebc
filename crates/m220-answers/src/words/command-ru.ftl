### What only the command says: no page carries it.

more-rows = и ещё { $count }: их покажет --all
suite-verdict = { $verdict ->
    [different] РАСХОДЯТСЯ
    [open] без вывода
    [given] как дано
    [otherwise] ИНАЧЕ
   *[found] найдено
}
suite-line = строка { $line }
suite-given = дано: { $moves }
suite-total = { $count ->
    [one] { $count } позиция
    [few] { $count } позиции
   *[many] { $count } позиций
}: как дано — { $given }
suite-part = { $part ->
    [otherwise] иначе
    [nothing] без данного ответа
    [different] с расхождением машины и эталона
   *[open] без вывода
} — { $count }
suite-not-read = { $count ->
    [one] не прочитана { $count } строка
    [few] не прочитаны { $count } строки
   *[many] не прочитано { $count } строк
}
suite-time = { $time } на М-220
suite-goes-on = ; на этом остановлено, строки ещё есть
suite-no-answer = машина не ответила
progress = { $seconds } с: { $at }
progress-machine = машина: { $count ->
    [one] { $count } команда
    [few] { $count } команды
   *[many] { $count } команд
}, М-220 { $time }
progress-native = эталон: { $count ->
    [one] { $count } позиция
    [few] { $count } позиции
   *[many] { $count } позиций
}
progress-share = { $percent } % предела
progress-begun = работает; Ctrl-C прервёт
cut-deadline = достигнут предел времени (--timeout)
cut-keyboard = прервано с клавиатуры
cut-outside = прервано извне
cut-partial = { $reason }: результат неполный
game-players = Игроки: сколько из ходов, известных отображению и не вынужденных, имеют смысл с горизонта 1, 2, 3, 4 полухода и оставляют надежду{ $machine ->
    [0] { "" }
   *[1] ; и сколько из всех не вынужденных совпадают с ходом М-220
}
game-player = игрок
game-unnamed = { $side }, партия { $game }
game-moves = ходов
game-keeps = надежда
game-same = те же
game-time = М-220
game-chance = случай
game-excess = избыток
game-styles = Как ходы меняют число закрытых полей на путях каждой стороны: в среднем на ход, в сравнении со случайным ходом; и сколько ходов активны (меньше у обеих сторон), пассивны (у противника больше, у себя не меньше), выгодны с обеих сторон или ни то, ни другое. Слова — из книги, счёт — наш
game-own = свои
game-enemy = чужие
game-active = активны
game-passive = пассивны
game-both = выгодны
game-other = прочие
game-at = партия { $game }, { $done } из { $all } полуходов
game-damaged = { $error }{ $rows ->
    [0] {""}
   *[other] ; строки до этого места остаются, таблица партию не учитывает
}
game-empty = в партии { $number } нет ходов
game-no-moves = с{ $asked } ходов нет; в партии ходы с { $first } по { $last }
game-no-moves-in-all = с{ $asked } ходов нет ни в одной партии файла
game-whose = Чей горизонт какой, по книге: 2 полухода — программы того времени и новички; 3 — гроссмейстеры в сложных позициях; 4 — наименьший, при котором видны все средства борьбы.
game-doubt = Чего отсюда не вывести: горизонт 4 — почти случай; одна партия в 40 ходов оставляет неточность в 11 пунктов в обе стороны; доля ходов с надеждой силы не измеряет: программа примерно 1970 года делает такими 20 из 24; чтобы различить двух игроков на 4 пункта, нужно по 30 партий каждого.
game-page = Партия глазами 1968 года
game-button = { $go ->
    [first] первый ход
    [back] назад
    [on] вперёд
   *[last] последний ход
}
game-curve = Линия: E+ после каждого полухода, в пешках за белых, обрезана на { $most }; разрыв там, где король считается обречённым. Столбики: сколько М-220 думает над своим ходом, в масштабе самого долгого. Зелёное: куда атака идёт дальше. Жёлтое: закрытые поля пути. Красное: неотразимые атаки другой стороны.
game-clock = За { $side ->
    [white] белых
   *[black] чёрных
} М-220 думала бы { $time }; у игрока было { $clock }.
book-page-title = Рисунки книги Ботвинника и что находят программы
book-page-intro = М. М. Ботвинник. Алгоритм игры в шахматы. М.: Наука, 1968. Номера страниц могут отличаться на единицу. Под каждой картинкой — коротко слова книги, её числа рядом с найденными здесь и команда, которая это повторяет.
book-page-numbers = в числах
book-page-found = найдено здесь
book-page-book = в книге
book-page-page = страница
book-page-why = почему, или слова книги
book-page-follows = следует
book-page-same = то же
book-page-done = Рисунков: { $figures }, утверждений: { $statements }; { $same } — как в книге, { $derived } следуют из её слов, { $otherwise } иначе, каждое с причиной
exercise-passed = { $name } решено: { $title }
exercise-all-done = Это было последнее.
exercise-begin = Начните так: m220 lessons { $name } --begin { $file }, затем m220 lessons { $name } --watch { $file }
exercise-exists = { $file }: такой файл есть, он не изменён
exercise-no-hint = --hint { $number }: у { $name } подсказки с 1 по { $count }
exercise-unknown = упражнения «{ $name }» нет: ожидалось число от 1 до { $count } или имя из m220 lessons
exercise-begun = в { $file } — программа, с которой надо начать
exercise-watching = жду изменений в { $file }: Ctrl-C заканчивает
