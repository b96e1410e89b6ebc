### What the libraries below say. Their English text stands where it is said; its words are the key of the message.

error = { $error }
verbatim = { $verbatim }

## The assembler

place-error-message = { $place }: { $message }
place-error-message-help = { $place }: { $message } ({ $help })
help-used = { $help }; { $used }
keyword = `{ $keyword }`
by-place = она занята в { $place }
cannot-read-root-reason = `{ $root }` не прочитать: { $reason }
cannot-read-name-reason = `{ $name }` не прочитать: { $reason }
in-the-use-of-name-at-place = в вызове `{ $name }`, { $place }
no-arguments = без аргументов
argument = с одним аргументом
wanted-arguments = аргументов: { $wanted }
name-takes-takes-but-given-were-given = `{ $name }` вызывается иначе ({ $takes }), а дано аргументов: { $given }
it-is-defined-as-macro-name-parameters = определение: `macro { $name } { $parameters }`
more-than-depth-macros-use-one-another = больше { $depth } макросов вызывают здесь друг друга
name-would-be-defined-by-every-use = `{ $name }` определялось бы при каждом вызове макроса
a-label-within-a-macro-is-local = метка внутри макроса местная: `.{ $name }:`
cannot-repeat-copies-times = нельзя повторить столько раз: { $copies }
copies-copies-are-too-many = слишком много повторений: { $copies }
a-program-has-at-most-lines-lines = в программе не больше { $lines } строк (восьмеричное число), вместе с повторениями
the-local-label-name-has-no-label = перед местной меткой `{ $name }` нет метки
full-is-the-address-register-not-a = `{ $full }` — регистр адреса, а не имя
full-is-defined-twice = имя `{ $full }` определено дважды
full-is-defined-by-every-copy-of = `{ $full }` определяется в каждом повторении `repeat`
the-other-definition-is-at-place = другое определение: { $place }
this-goes-beyond-cell-7777-of-cube = это выходит за ячейку 7777 куба { $cube }
there-is-no-cell-cell = ячейки { $cell } нет
cannot-reserve-cells-cells = столько ячеек не отвести: { $cells }
the-model-has-no-instruction-name = у { $model } нет команды `{ $name }`
name-belongs-to-the-others-model-says = `{ $name }` — команда { $others }: машину называет строка `model`
latin-needs-needed-operands-but-operands-were = команде `{ $latin }` нужно операндов { $needed }, а дано { $operands }
latin-is-summary-where-nothing-is-to = { $latin }: где копировать нечего, пишите `{ $latin } 0, ...`
latin-is-summary-write-0-where-cell = { $latin }: где нужна ячейка 0000, пишите 0
text-stands-before-any-label = `{ $text }` стоит раньше всех меток
the-value-of-name-depends-on-itself = значение `{ $name }` зависит от себя самого
more-than-count-constants-depend-on-one = больше { $count } постоянных зависят здесь друг от друга
text-is-not-defined = имя `{ $text }` не определено
there-is-near-which-only-looks-the = есть `{ $near }`, которое только выглядит так же: в одном из имён буквы другого алфавита
did-you-mean-near = может быть, `{ $near }`?
did-you-mean-near-in-letters-of = может быть, `{ $near }` буквами одного алфавита?
this-jump-goes-to-what = этот переход ведёт на { $what }
a-number = число
text = текст
this-jump-goes-to-cell-cell-which = этот переход ведёт в ячейку { $cell }, где ничего нет
this-jump-goes-to-an-address-constant = этот переход ведёт на адресную постоянную
if-it-is-filled-at-run-time = если она заполняется во время работы, отведите её: `reserve`
the-label-name-is-never-used = метка `{ $name }` нигде не нужна
the-program-cannot-start-at-cell = программа не может начинаться в { $cell }
cell-cell-is-taken-already = ячейка { $cell } уже занята
cell-cell-an-operand-cannot-be-negative = ячейка { $cell }: операнд не бывает отрицательным
addresses-count-modulo-10000-write-wrapped-if = адреса считаются по модулю 10000: если так и задумано, пишите { $wrapped }
cell-cell-address-value-exceeds-7777 = ячейка { $cell }: адрес { $value } больше 7777
this-keyword-has-no-end = у этого `{ $keyword }` нет `end`
keyword-nested-too-deeply = слишком глубоко вложено: `{ $keyword }`
name-has-a-meaning-already = `{ $name }` уже означает другое
the-macro-name-is-defined-twice = макрос `{ $name }` определён дважды
parameter-cannot-be-a-parameter-here = `{ $parameter }` не может быть параметром
there-is-no-model-name = модели `{ $name }` нет
name-includes-itself = `{ $name }` включает сам себя
it-is-being-read-already-open-name = он уже читается: { $open } -> { $name }
more-than-depth-files-deep-or-count = вложенность файлов больше { $depth } или включений больше { $count }
it-is-larger-than-size-bytes = он больше { $size } байтов
more-than-size-bytes-in-all-files = во всех файлах вместе больше { $size } байтов
the-program-is-longer-than-lines-lines = в программе больше { $lines } строк
expected-what-found-found = ожидалось: { $what }; стоит { $found }
the-end-of-the-line-or-after = конец строки или «;» после { $after }
a-name-of-longest-bytes = имя в { $longest } байтов слишком длинное
wrong-is-not-an-octal-digit = `{ $wrong }` не восьмеричная цифра
number-is-always-decimal-write-plain = `number` всегда десятичное: пишите { $plain }
the-machine-s-code-gost-10859-has = в коде машины, ГОСТ 10859, нет знака `{ $shown }`
text-is-not-a-number = `{ $text }` не число
numbers-are-octal-for-decimal-write-digits = числа восьмеричные; десятичное пишется `{ $digits }d`
write-short = пишите `.{ $short }:`
name-defines-a-constant-of-that-name = `{ $name } =` определяет постоянную с этим именем
name-is-not-an-instruction = `{ $name }` не команда
digits-is-not-a-name = `{ $digits }` не имя
digits-is-not-an-operation-code = `{ $digits }` не код операции
a-whole-word-in-digits-is-written = целое слово цифрами пишется `octal { $word }`
m220-asm-help-opcodes-prints-the-codes = коды и мнемоники печатает `m220 asm --help-opcodes`
name-is-neither-an-instruction-nor-a = `{ $name }` не команда и не указание
a-label-is-followed-by-a-colon = после метки стоит двоеточие: `{ $name }:`
more-than-count-operands = больше { $count } операндов
fields-takes-three-operands-but-operands-were = у `fields` три операнда, а дано { $operands }
there-is-no-text-name = текста `{ $name }` нет
longer-than-the-limit-of-size-bytes = длиннее { $size } байтов, предела для файла
byte-byte-is-not-utf-8 = байт { $byte } не UTF-8
the-start-is-given-twice = начало указано дважды
there-is-no-origin-before-this-line = перед этой строкой нет `origin`
a-local-label-belongs-to-the-plain = местная метка принадлежит метке над нею
choose-another-name = выберите другое имя
choose-another-name-for-the-macro = выберите для макроса другое имя
put-the-name-in-front-of-the = поставьте имя перед `repeat`
say-where-the-program-stands-for-instance = укажите, где стоит программа, например `origin 0100`
a-run-of-cells-ends-at-7777 = ряд ячеек кончается на 7777: дальше нужен новый `origin`
the-model-has-cells-0001-to-7777 = у { $model } только ячейки от 0001 до 7777
cells-go-from-0001-to-7777-with = ячейки — от 0001 до 7777, с кубом впереди — от 00001 до 37777
a-cube-has-10000-cells-octal = в кубе 10000 ячеек (восьмеричное число)
an-argument-with-ra-can-only-stand = аргумент с `[RA]` может стоять только в операнде
to-add-the-address-register-write-ra = чтобы прибавить регистр адреса, пишите `[RA]` после операнда
what-origin-reserve-and-repeat-need-must = то, что нужно для `origin`, `reserve` и `repeat`, должно быть определено выше них
remove-the-lines-or-export-the-name = уберите строки или объявите имя `export`, если оно нужно снаружи
remove-it-or-export-it-if-something = уберите её или объявите `export`, если она нужна снаружи
this-word-falls-on-cell-0000 = это слово попадает в ячейку 0000
cell-0000-always-reads-as-zero-a = из ячейки 0000 всегда читается нуль; слово, записанное туда, пропадает
is-it-in-another-cube-write-cell = может быть, он в другом кубе? Пишите `cell(...)`, а куб пусть назовёт регистр куба
has-no-value-before-the-first-origin = до первого `origin` у `.` нет значения
the-value-leaves-the-range-of-45 = значение не помещается в 45 разрядов
end-without-a-repeat-or-macro = `end` без `repeat` или `macro`
end-closes-a-repeat-or-macro-a = `end` закрывает `repeat` или `macro`; программе он не нужен
a-macro-is-defined-outside-of-every = макрос определяется вне других блоков
a-macro-is-not-a-cell-and = макрос — не ячейка, метки у него нет
put-the-label-in-front-of-the = поставьте метку перед строкой, которая вызывает макрос
the-model-is-given-twice = модель указана дважды
the-models-are-m220-m20-and-itep = модели: m220, m20 и itep
close-it-with-a-line-that-says = закройте его строкой `end`
the-path-is-relative-to-the-folder = путь отсчитывается от папки включающего файла
the-copies-that-repeat-and-macros-make = повторения `repeat` и вызовы макросов тоже считаются
a-comment-begins-with = примечание начинается с «;»
the-end-of-the-line = конец строки
an-operand-a-number-a-name-or = операнд: число, имя, `.` или `(`
an-operand-is-the-address-of-a = операнд — адрес ячейки: положите значение в ячейку (`one: number 1`) и пишите её имя
there-is-no-word-here = здесь нет слова
there-is-no-number-here = здесь нет числа
this-text-has-no-closing-quote = текст не закрыт кавычкой
no-such-escape-in-a-text = такого знака с `\` в тексте нет
is-followed-by-three-octal-digits-up = после `\` стоят три восьмеричные цифры до 177, `"` или `\`
an-empty-text-fills-no-word = пустой текст не занимает ни слова
a-word-of-spaces-is-text = слово из пробелов — `text " "`
a-text-in-double-quotes = текст в двойных кавычках
this-expression-is-too-long = выражение слишком длинное
expression-nested-too-deeply = выражение вложено слишком глубоко
the-number-has-more-than-45-bits = в числе больше 45 разрядов
a-name-does-not-begin-with-a = имя не начинается с цифры
a-local-label-is-defined-by-its = местная метка определяется коротким именем
a-constant-has-a-plain-name-without = у постоянной простое имя, без точки
only-labels-can-be-local = местными бывают только метки
this-is-not-a-name = это не имя
names-are-letters-digits-and-a-letter = имя — буквы, цифры и `_`, впереди буква или `_`
an-instruction-has-three-operands-at-most = у команды не больше трёх операндов
an-address-is-modified-by-ra-only = адрес меняется только через `[RA]`
the-address-register-is-added-by-ra = регистр адреса прибавляется через `[RA]`
a-code-is-two-octal-digits = код — две восьмеричные цифры
a-local-label-is-followed-by-a = после местной метки стоит двоеточие
a-label-is-followed-by-a-constant = после метки стоит «:», после постоянной «=»; команда начинается с мнемоники или двух восьмеричных цифр
write-0-for-a-field-that-stays = где поле остаётся пустым, пишите 0
a-label-a-mnemonic-an-octal-code = метка, мнемоника, восьмеричный код или указание
m220-m20-or-itep = m220, m20 или itep
the-name-of-the-macro = имя макроса
an-operator-ra-or-the-end-of = `,`, знак действия (`+ - *`), `[RA]` или конец строки
a-name = имя
the-constant-s-value = значение постоянной
text-is-not-a-decimal-number-expected = `{ $text }` не десятичное число: например, -12.5 или 3e-4
text-is-too-large-the-largest-number = `{ $text }` слишком велико: числа меньше 2^63
word-not-octal = «{ $sign }» не восьмеричная цифра: в слове 15 восьмеричных цифр, между ними могут стоять пробелы
word-digits = восьмеричных цифр { $count }, а в слове их 15
word-too-large = в { $word } больше 45 разрядов
address-not-in-cube = «{ $text }» не восьмеричный адрес: ожидалось до 4 цифр 0–7
address-not-octal = «{ $text }» не восьмеричный адрес: до 4 цифр 0–7 или 5 с кубом впереди
address-too-large = адрес { $address } больше { $most }

## The debugger

message-help = { $message } ({ $help })
did-you-mean-name = может быть, `{ $name }`?
help-lists-the-commands = все команды показывает `help`
there-is-no-command-word-hint = команды `{ $word }` нет; { $hint }
word-may-be-names = `{ $word }` может быть началом: { $names }
name-takes-no-argument-but-rest-was = у `{ $name }` нет аргументов, а дано `{ $rest }`
this-machine-has-no-cell-cell = в этой машине нет ячейки { $cell }
register-is-a-register-watch-it-by = { $register } — регистр: за ним следят условием, `break if { $register } = ...`
cells-cells-at-most-most-can-be = ячеек { $cells }: сразу следить можно не больше чем за { $most }
there-is-no-breakpoint-number = точки останова { $number } нет
register-holds-one-word = в { $register } одно слово
register-holds-0-to-most-not-value = в { $register } помещаются числа от 0 до { $most }, а не { $value }
words-words-do-not-fit-room-cells = слов { $words }, а ячеек { $room }
cell-cell-is-not-core-it-stands = ячейка { $cell } не в памяти: это { $register }, его и можно задать
cell-cell-is-not-core-what-is = ячейка { $cell } не в памяти: записанное туда пропадает
there-is-no-display-number = строки display { $number } нет
cannot-go-back-just-before-this-began = назад нельзя: прямо перед этим { $began }
can-go-back-by-only-1-instruction = назад можно только на одну команду: перед нею { $began }
can-go-back-by-only-most-instructions = назад можно только на { $most ->
    [one] { $most } команду
    [few] { $most } команды
   *[many] { $most } команд
}: перед ними { $began }
no-breakpoint-was-passed-since-began = точек останова не было с тех пор, как { $began }
the-program-started = программа началась
something-was-set = что-то задали
a-device-was-used-which-cannot-be = работало устройство, а этого не отменить
no-source-line-is-known-for-cell = строки текста для ячейки { $place } нет; ячейки показывает `disassemble`
there-is-no-view-name-octal-number = вида `{ $name }` нет: octal, number, instruction, text, all
more-than-most-in-one-value = в одном значении больше { $most } скобок `[`
no-name-of-the-program-contains-rest = в программе нет имени с `{ $rest }`
info-knows-topics = `info` знает { $topics }
count-cells-from-first-more-than-the = ячеек { $count } с { $first }: больше, чем в кубе, или ни одной
first-to-last-is-not-a-range = от { $first } до { $last } — не ряд ячеек одного куба
there-is-no-cell-value-this-machine = ячейки { $value } нет: в этой машине ячейки от 0000 до { $last }
text-is-below-zero = `{ $text }` меньше нуля
whole-is-too-large = `{ $whole }` слишком велико
line-is-not-a-line-expected-decimal = `{ $line }` не номер строки: после двоеточия стоят десятичные цифры
no-file-of-the-program-is-called = файла `{ $file }` в программе нет, есть { $names }
neither-line-wanted-nor-any-line-after = ни у строки { $wanted }, ни у следующих нет ячейки
whole-is-incomplete = `{ $whole }` не закончено
term-is-a-local-label-did-you = `{ $term }` — местная метка; может быть, { $some }?
the-program-has-no-name-term-did = в программе нет имени `{ $term }`; может быть, `{ $name }`?
the-program-has-no-name-term = в программе нет имени `{ $term }`
decimal-error = `{ $decimal }`: { $error }
text-is-not-a-word-15-octal = `{ $text }` не слово: ожидались 15 восьмеричных цифр, десятичное число (`12.5`, `=12`), "текст" или команда, например `ADD a, b, c`
text-is-neither-a-word-nor-an = `{ $text }` не слово и не команда: { $message }
text-is-not-a-count-expected-decimal = `{ $text }` не количество: ожидались десятичные цифры
text-is-not-octal-expected-digits-0 = `{ $text }` не восьмеричное число: ожидались цифры 0–7 или десятичные цифры и «d»
text-is-not-a-comparison-a-condition = `{ $text }` не сравнение: например, `RA >= 10` или `OMEGA = 1`
instructions-at-least-one-is-expected = 0 команд: нужна хотя бы одна
a-cell-is-missing-tbreak-cell = не хватает ячейки: `tbreak ЯЧЕЙКА`
passes-are-counted-from-1-not-from = проходы считаются с 1, а не с 0
a-breakpoint-s-number-is-expected-or = ожидался номер точки останова или `all`
a-number-is-expected-or-all = ожидался номер или `all`
no-open-call-is-known-see-backtrace = незаконченных вызовов нет: их показывает `backtrace`
set-what-value-for-instance-set-ra = `set ЧТО = ЗНАЧЕНИЕ`: например, `set RA = 12`, `set sum = =1.5`
the-words-go-beyond-the-cube-s = слова выходят за последнюю ячейку куба
no-breakpoint-on-a-cell-is-enabled = включённых точек останова на ячейках нет: их ставит `break`
interrupted-it-stands-where-it-stood = прервано: машина стоит, где стояла
the-image-has-no-source-text-disassemble = в образе нет текста; ячейки показывает `disassemble`
print-what-a-register-a-cell-or = что печатать? Регистр, ячейку или ячейки: `print RA`, `print sum`, `print 0100-0107`
the-program-has-no-names-it-is = в программе нет имён: это колода, или в её образе их нет
the-program-has-no-lines-it-is = в программе нет строк: это колода, или в её образе их нет
a-cell-is-missing-octal-digits-a = не хватает ячейки: восьмеричные цифры, имя из программы или `.`
one-instruction-is-expected = ожидалась одна команда
it-does-not-assemble = это не переводится в слово
nothing = ничего
an-empty-text-has-no-words = в пустом тексте нет слов
a-word-is-missing = не хватает слова
a-condition-is-missing-for-instance-ra = не хватает условия: например, `RA >= 10` или `OMEGA = 1`

## The console and its files

name-error = { $name }: { $error }
word-error = `{ $word }`: { $error }
drum-number-error = барабан { $number }: { $error }
tape-number-error = лента { $number }: { $error }
cell-cell-error = ячейка { $cell }: { $error }
there-is-no-drum-number = барабана { $number } нет
there-is-no-tape-number = ленты { $number } нет
there-is-no-key-register-key-1 = клавишного регистра { $key } нет: есть 1–4
name-is-in-core = { $name }: программа в памяти
name-is-in-its-device-the-program = { $name }: в своём устройстве; программа снова в начале
neither-an-elf-image-nor-an-octal = не образ ELF и не восьмеричная колода: { $error }
there-is-no-word-in-this-file = в этом файле нет ни одного слова
the-program-has-ended-play-starts-it = программа закончилась; «Пуск» начнёт её снова
a-speed-is-greater-than-0 = скорость больше 0
no-tasks-are-known-here = здесь нет задач
close-the-window-to-leave-a-console = чтобы выйти, закройте окно; консоль завершают там, где она запущена
not-utf-8-text = не текст UTF-8
deck-error = строка { $line }, столбец { $column }: { $error }; в строке «{ $text }»
deck-expected = «{ $sign }»: { $expected }
deck-line-ends = строка кончается: { $expected }
deck-exponent = десятичный порядок { $exponent }: ожидалось от -39 до 39
the-main-mark-0-or-1 = ожидалась главная пометка, 0 или 1
the-auxiliary-mark-0-or-1 = ожидалась дополнительная пометка, 0 или 1
or-for-the-tag = ожидался + или - для признака
or-for-the-sign = ожидался + или - для знака
a-decimal-exponent-of-one-or-two = ожидался десятичный порядок из одной или двух цифр
a-digit-0-7-for-tag-sign = ожидалась цифра 0–7 для признака, знака и знака порядка
a-decimal-exponent-of-two-digits = ожидался десятичный порядок из двух цифр
the-second-digit-of-the-decimal-exponent = ожидалась вторая цифра десятичного порядка
nine-decimal-digits = ожидались девять десятичных цифр
deck-not-octal = «{ $sign }» не восьмеричная цифра: ожидалось слово из 15 восьмеричных цифр
deck-twice = ячейка { $cell } уже дана в строке { $line }
not-utf-8-text-expected-a-deck = не текст UTF-8: ожидалась колода, то есть восьмеричные слова, по одному в строке
no-cell-for-this-word-the-one = для этого слова нет ячейки: предыдущее стоит в последней, 7777
unexpected-text-after-the-address-expected-the = лишний текст после адреса: ожидался конец строки или примечание после «;»
cell-cell-lies-in-cube-cube-an = ячейка { $cell } лежит в кубе { $cube }: в восьмеричной колоде есть только ячейки куба 0
the-file-is-cut-short-part-should = файл обрезан
not-an-elf-file-it-does-not = не файл ELF: он не начинается с 7F 45 4C 46
what-is-found-expected-expected = { $what }: { $found }, а ожидалось { $expected }
the-class = класс
the-byte-order = порядок байтов
the-elf-version = версия ELF
the-machine-type = тип машины
the-file-type = тип файла
the-model = модель
the-size-of-a-program-header = длина заголовка сегмента
the-size-of-a-section-header = длина заголовка раздела
the-section-of-the-names = раздел имён
what-index-reason = { $what } { $index }: { $reason }
segment = сегмент
section = раздел
symbol = имя
segment-segment-reaches-cell-last-the-machine = сегмент { $segment } доходит до ячейки { $last }, а у машины кубов { $cubes }, ячейки до { $limit }
segments-first-and-second-both-hold-cell = ячейка { $cell } есть и в сегменте { $first }, и в сегменте { $second }
cell-cell-error-bits-46-to-64 = ячейка { $cell }: { $error }: разряды 46–64 должны быть нулями
the-entry-entry-is-not-a-cell = начало { $entry } — не ячейка машины
name-at-at-leaves-no-room-for = от { $at } до конца памяти не помещаются все ячейки `{ $name }`: { $cells }
the-program-has-no-name-name = в программе нет имени `{ $name }`
name-is-a-constant-of-the-program = `{ $name }` — постоянная программы, а не ячейка
name-is-a-cell-of-the-program = `{ $name }` — ячейка программы, а не постоянная
a-fourth-drum-expected-at-most-three = четвёртый барабан: их не больше трёх
there-is-no-card-in-this-file = в этом файле нет ни одной карты
cube-not-fitted = куба { $cube } в памяти нет
no-drum-number-expected-expected = барабана { $number } у этой машины нет
a-drum-of-words-words-does-not = барабан в { $words } слов не от этой машины
no-tape-number-expected-a-number-0 = ленты { $number } нет: есть 0–3
drum-too-long = слов { $words }, а на барабане { $capacity }
drum-bad-word = слово { $index } (восьмеричный номер): в нём больше 45 разрядов
tape-file-of-version-version-expected-version = файл ленты версии { $version }, а известна версия 1
the-tape-file-is-cut-short-it = файл ленты обрезан: в нём { $bytes } байтов
bytes-too-many-at-the-end-of = лишних байтов в конце файла ленты: { $bytes }
the-tape-file-is-damaged-its-checksum = файл ленты повреждён: сумма не сходится
zone-number-of-length-words-at-byte = зона { $number } не на месте или неверной длины
word-index-of-zone-zone-is-bits = зона { $zone }, слово { $index }: в нём больше 45 разрядов
more-than-a-tape-of-this-model = на ленту этой машины столько не помещается
machine-version = файл машины версии { $version }, а известна другая: его записала другая версия лаборатории
machine-bad-byte = файл машины испорчен: байт { $at }
the-file-is-damaged-or-cut-off = файл повреждён или обрезан: сумма не сходится
drum-odd-length = байтов { $bytes }, это не целые слова: в образе барабана 8 байтов на слово
not-a-tape-file-expected-it-to = не файл ленты: он начинается с `M220TAPE` или состоит из зон, как их пишет М-20 в SIMH

## Full tables of the machine programs

a-table-of-the-machine-program = одна из таблиц машинной программы
the-machine-program-s-list-of-moves = список ходов
the-machine-program-s-store-of-positions = запас позиций
the-machine-program-s-table-of-answers = ответы
the-machine-program-s-table-of-classes = классы
the-machine-program-s-table-of-half = половины траекторий (`pool`)
the-machine-program-s-table-of-scattered = разорванные списки (`chain`)
the-machine-program-s-table-of-trajectories = траектории и атаки
the-machine-program-s-table-of-attacks = атаки и их траектории
the-machine-program-s-table-of-the = ходы одной позиции
the-machine-program-s-table-for-the = путь
the-machine-program-s-table-of-rows = строки или блоки

## Positions and searches

not-a-fen-error-expected-for-instance = не FEN: { $error } (пример: `8/8/8/8/K7/8/8/8 w - - 0 1`)
not-a-fen-field-1-placement-fault = не FEN: поле 1 (расстановка): { $fault }
not-a-fen-field-field-name-text = не FEN: поле { $field } ({ $name }): `{ $text }` слишком велико
half-move-clock = счётчик полуходов
move-number = номер хода
not-an-orthodox-fen-castling-rights-rights = не обычный FEN: права рокировки { $rights } — из шахмат-960, в которые здесь не играют
not-an-orthodox-fen-it-has-pockets = это FEN особого вида шахмат
castling-right-right-dropped-it-needs-the = право рокировки { $right } снято: нужны король на { $king } и ладья на { $rook }
en-passant-square-square-dropped-reason = поле взятия на проходе { $square } снято: { $reason }
word-read-as-reads = «{ $word }» прочитано как { $reads }
word-read-as-reads-the-moves-are = «{ $word }» прочитано как { $reads }: ходы записаны в нотации UCI
the-tag-name-read-as-fen = тег { $name } прочитан как FEN
read-as-text = прочитано как `{ $text }`
move-number-0-read-as-1 = номер хода 0 прочитан как 1
six-fields-were-expected-the-first-of = ожидалось шесть полей, первое из них расстановка
field-1-placement-should-be-eight-ranks = поле 1 (расстановка): ожидалось восемь горизонталей по восемь полей, буквами PNBRQK, pnbrqk и цифрами 1–8
field-1-placement-has-more-than-eight = поле 1 (расстановка): горизонталей больше восьми
field-2-side-to-move-should-be = поле 2 (чей ход): ожидалось w или b
field-3-castling-rights-should-be-or = поле 3 (рокировки): ожидались - или буквы из KQkq
field-4-en-passant-square-should-be = поле 4 (взятие на проходе): ожидались - или поле доски
it-belongs-to-a-variant-of-chess = он от другого вида шахмат
field-5-half-move-clock-should-be = поле 5 (счётчик полуходов): ожидалось число
field-6-move-number-should-be-a = поле 6 (номер хода): ожидалось число
rank-rank-text-found-wrong-expected-pieces = горизонталь { $rank } («{ $text }»): знак «{ $wrong }», а ожидались фигуры (PNBRQK, pnbrqk) и числа пустых полей (1–8)
rank-rank-text-has-two-numbers-side = горизонталь { $rank } («{ $text }»): два числа рядом, а нужна их сумма
rank-rank-text-has-squares-squares-expected = горизонталь { $rank } («{ $text }»): полей { $squares }, а нужно 8
it-has-count-plural-expected-8-with = горизонталей { $count }, а нужно 8 через /, например `8/8/8/8/K7/8/8/8`
not-a-legal-position-error = невозможная позиция: { $error }
side-is-in-a-check-that-no = { $side ->
    [white] белые
   *[black] чёрные
} под шахом, которого не мог дать ни один ход
a-side-has-more-promoted-pieces-than = превращённых фигур больше, чем недостаёт пешек
side-has-no-king-each-side-needs = { $side ->
    [white] у белых
   *[black] у чёрных
} нет короля, а нужен ровно один
side-has-count-kings-each-side-needs = { $side ->
    [white] у белых
   *[black] у чёрных
} королей { $count }, а нужен ровно один
side-has-count-pieces-a-side-has = { $side ->
    [white] у белых
   *[black] у чёрных
} фигур { $count }, а их не больше 16
side-has-count-pawns-a-side-has = { $side ->
    [white] у белых
   *[black] у чёрных
} пешек { $count }, а их не больше 8
a-side-pawn-stands-on-square-pawns = { $side ->
    [white] белая
   *[black] чёрная
} пешка на { $square }, а пешки стоят на горизонталях 2–7
side-is-in-check-but-it-is = { $side ->
    [white] белые
   *[black] чёрные
} под шахом, а ход не их
impossible-castling-right-of-side-it-needs = { $side ->
    [white] у белых
   *[black] у чёрных
} не может быть права рокировки: нужны король на { $king } и ладья на { $rook }
impossible-en-passant-square-square-reason = взятие на проходе на { $square } невозможно: { $reason }
with-white-to-move-it-is-on = при ходе белых оно на горизонтали 6
with-black-to-move-it-is-on = при ходе чёрных оно на горизонтали 3
it-is-not-on-rank-3-or = оно не на горизонтали 3 или 6
no-pawn-of-the-side-that-has = перед ним нет пешки стороны, которая только что ходила
the-pawn-s-way-is-not-empty = путь пешки не свободен
before-the-double-step-the-other-king = до двойного шага другой король был бы под шахом
the-tables-know-no-castling-take-the = рокировки таблицы не знают: уберите право на неё
pieces-expected-a-king-and-one-of = { $pieces }: ожидался король против короля с ферзём, ладьёй, пешкой, одной или двумя лёгкими фигурами
name-not-one-of-the-endings-classified = { $name } — не из окончаний, которые здесь решены (KRK, KQK, KPK, KBK, KNK, KBNK, KBBK, KNNK)
moves-limit = пришлось бы сделать больше ходов, чем { $count }, а это предел
search-limit = без вывода: позиций { $count }, это предел
search-stopped = без вывода: остановлено после { $count ->
    [one] { $count } позиции
   *[other] { $count } позиций
}
the-machine-program-looks-1-to-4 = машинная программа смотрит на 1–4 полухода вперёд и берёт не больше 16 фигур с каждой стороны
the-machine-program-does-not-accept-this = машинная программа такого не берёт
the-search-takes-too-long-for-the = для машинной программы это слишком долгий поиск
the-path-is-longer-than-the-7 = путь длиннее 7 ходов, которые помещаются в слово машинной программы
no-enemy-piece-stands-on-from = на { $from } нет чужой фигуры
no-piece-of-the-side-to-move = на { $to } нет фигуры той стороны, чей ход
the-piece-on-from-does-not-attack = фигура на { $from } не нападает на { $to }

## Synchronous chess

sync-not-a-move = «{ $text }» не ход: ожидались два поля (e2e4, e7e8q, e1g1), O или Z и поле (Zd5)
sync-no-piece = на { $square } нет своей фигуры
the-piece-cannot-go-there = фигура так не ходит
a-pawn-is-promoted-on-the-last = пешка превращается на последней горизонтали, и только там
a-piece-of-this-side-stands-there = там своя фигура, а по этим правилам по своим не стреляют
the-king-neither-fires-on-its-own = король не стреляет по своим, и свои по нему тоже
in-check-there-is-no-fire-on = под шахом по своим не стреляют
these-rules-do-not-let-a-move = по этим правилам ход не нападает на короля
a-king-never-takes-a-king = король не бьёт короля
the-king-may-not-go-where-it = король не может идти на поле, которое сейчас под ударом
an-ambush-has-just-met-the-king = там короля только что встретила засада: в следующем дуплете туда нельзя
in-check-these-rules-let-only-the = под шахом по этим правилам ходит только король
the-move-does-not-answer-the-check = ход не защищает от шаха
the-move-exposes-its-own-king = ход открывает своего короля
castling-is-not-possible-here = рокировка здесь невозможна
these-rules-have-no-pauses = по этим правилам пропусков нет
in-check-there-is-no-pause = под шахом ход не пропускают
the-king-does-not-lie-in-ambush = король в засаде не стоит
after-a-check-the-sides-move-in = после шаха стороны ходят по очереди, и ход чужой
this-side-has-to-move = этой стороне надо ходить
the-game-is-over = партия закончена
both-sides-move-at-once-field-2 = поле 2 (чей ход): ожидалось w, ходят обе стороны сразу
field-4-squares-for-captures-in-passing = поле 4 (взятие на проходе): { $text }, а ожидались -, одно или два поля слитно (d6d3)
field-4-passing-needs-the-side-pawn = поле 4: для { $passing } нужна { $side ->
    [white] белая
   *[black] чёрная
} пешка на { $pawn }, только что прошедшая два поля
side-has-count-kings-expected-one = { side-has-count-kings-each-side-needs }
a-pawn-stands-on-square-on-the = пешка на { $square }, на первой или последней горизонтали
field-3-castling-with-the-rook-rook = поле 3: для рокировки с ладьёй { $rook } нужны эта ладья и её король на вертикали e той же горизонтали
expected-white-s-and-black-s-moves = ожидались ходы белых и чёрных через пробел; - для стороны, которая не ходит
no-doublets-expected-one-per-line-e2e4 = дуплетов нет, ожидался один в строке (e2e4 e7e6)

## Games

pgn-place = строка { $line }, столбец { $column }: { $error }
pgn-game-place = партия { $game }, строка { $line }, столбец { $column }: { $error }
move-null = «{ $text }» — пустой ход, а в шахматной партии таких нет
move-unreadable = «{ $text }» не ход: ожидались, например, e2e4, e7e8q, Nf3 или O-O
move-illegal = { $text }: так здесь не ходят (ход { $side ->
    [white] белых
   *[black] чёрных
}, можно: { $legal })
move-ambiguous = { $text } можно понять по-разному: { $moves }
move-number-error = ход { $number }{ $error }
text-is-what = «{ $text }»: { $what }
text-is-not-a-move-expected-a = «{ $text }» не ход: ожидались, например, Nf3, O-O или e8=Q
sign-has-no-meaning-here-expected-a = знак «{ $sign }» здесь не к месту: ожидался ход
word-the-move-is-not-a-capture = «{ $word }»: это не взятие на проходе
text-after-the-result-expected-an-empty = «{ $text }» после результата: перед следующей партией ожидалась пустая строка
text-is-in-this-notation-the-moves = «{ $text }» записано иначе ({ $this }), чем ходы до него ({ $others })
there-is-no-game-number-expected-1 = партии { $number } нет: есть 1–{ $game }
there-is-no-game-0-expected-1 = партии 0 нет: они считаются с 1
the-game-has-more-than-most-bytes = в партии больше { $most } байтов примечаний и вариантов
a-comment-of-more-than-most-bytes = примечание длиннее { $most } байтов
more-than-most-variations-inside-one-another = больше { $most } вариантов один в другом
more-than-most-tags = больше { $most } тегов
more-than-most-half-moves = больше { $most } полуходов
a-line-of-more-than-most-bytes = строка длиннее { $most } байтов
cannot-be-read-error = не читается: { $error }
nothing-more-was-read = дальше не читается
no-game-here-expected-a-score-in = здесь нет партии: ожидалась запись PGN
from-here-on-there-are-more-such = дальше таких мест ещё больше
expected-a-tag-such-as-event-match = ожидалась строка вида [Event "Match"]
a-variation-without-a-move-before-it = вариант, перед которым нет хода
a-variation-ends-here-that-has-not = здесь кончается вариант, который не начат
a-variation-without-an-end-expected = вариант без конца: ожидалась )
a-comment-without-an-end-expected = примечание без конца: ожидалась закрывающая фигурная скобка
expected-the-number-of-a-mark-after = после $ ожидался номер знака
an-empty-line-within-a-game-expected = пустая строка внутри партии: перед нею ожидался результат
no-blank-before-the-value-of-a = перед значением нет пробела
blanks-after-the-value-of-a-tag = после значения лишние пробелы
no-empty-line-before-the-next-game = перед следующей партией нет пустой строки
the-game-has-no-result-and-no = у партии нет результата, и перед следующей нет пустой строки
white-is-mated = белым мат
black-is-mated = чёрным мат
stalemate = пат
drawn-by-threefold-repetition = ничья: троекратное повторение
drawn-by-the-fifty-move-rule = ничья: правило пятидесяти ходов
drawn-neither-side-can-mate = ничья: мат невозможен

## The players

swing-swing-rank-rank-control-control = размен { $swing }, ранг { $rank }, подвижность { $control }
mate = мат
stalemate-and-nothing-better = пат, и ничего лучше
the-best-so-far-interrupted = лучшее из найденного: прервано
chosen-at-plies-noun = выбрано на глубине { $plies }
mate-in-moves = мат в { $moves ->
    [one] { $moves } ход
    [few] { $moves } хода
   *[many] { $moves } ходов
}
from-the-opening-file = из дебютной картотеки
to-shrink-the-space-of-the-bare = чтобы оставить голому королю меньше места
value-by-pieces-and-pawns-that-get = { $value } по фигурам и проходящим пешкам
value-by-relations-and-pieces-own-less = { $value } по отношениям и фигурам, свои без чужих
there-is-no-legal-move = ходов нет
the-program-s-move-half-move-is = ход программы { $half_move } невозможен
the-machine-program-gave-no-answer-refusal = машинная программа не дала ответа: { $refusal }
interrupted-before-the-program-had-a-move = прервано до того, как программа нашла ход
the-instruction-limit-was-reached = достигнут предел числа команд
the-itep-program-cannot-accept-this-position = программа ИТЭФ не берёт этой позиции: { $why }
side-has-count-role-s-the-program = { $role ->
    [king] королей
    [queen] ферзей
    [rook] ладей
    [bishop] слонов
   *[knight] коней
} у { $side ->
    [White] белых
   *[Black] чёрных
} { $count }, а программа берёт не больше { $room }
the-itep-program-has-chosen-word-not = программа ИТЭФ выбрала { $word }, а это не ход
the-itep-program-stopped-at-at-word = программа ИТЭФ остановилась в { $at } ({ $word }): { $message }
the-itep-program-cannot-take-this-position = программа ИТЭФ не берёт этой позиции: к её полю взятия на проходе не ведёт двойной шаг
the-itep-program-can-promote-only-to = программа ИТЭФ знает превращение только в ферзя
the-itep-program-considers-the-move-illegal = программа ИТЭФ считает ход невозможным
the-itep-program-has-ended-the-game = программа ИТЭФ закончила партию
cell-cell-holds-found-but-expected-another = в ячейке { $cell } не то слово: это другая версия листинга или другая программа
overlay-line-line-expected-expected = исправления, строка { $line }: ожидалось { $expected }
a-word-in-the-cells-first-to = в ячейках с { $first } по { $last } есть слово не из известного листинга
the-institute-s-listing-is-not-part = листинг института сюда не входит: --deck ФАЙЛ; он опубликован как kaissa/kaissa.m20 в хранилище besm6/m20 на GitHub

## Why the map plays a move

there-is-no-other-legal-move = других возможных ходов нет
wins-it-is-mate = выигрывает: это мат
wins-by-these-rules-horizon-horizon-the = выигрывает по этим правилам, горизонт { $horizon }: король считается обречённым
wins-by-these-rules-horizon-horizon-worth = выигрывает по этим правилам, горизонт { $horizon }; в конце главного варианта { $gain }
the-king-is-counted-as-doomed-by = король по этим правилам обречён, горизонт { $horizon }; не подтверждено
gains-gain-by-these-rules-horizon-horizon = по этим правилам даёт { $gain }, горизонт { $horizon }; не подтверждено
keeps-hope-every-other-candidate-loses-by = сохраняет надежду: остальные по этим правилам проигрывают
all-moves-lose-by-these-rules-horizon = по этим правилам проигрывает всё, горизонт { $horizon }: король считается обречённым
all-moves-lose-by-these-rules-this = по этим правилам проигрывает всё; этот ход меньше всех, на { $loss }, горизонт { $horizon }
pawns-pawn = { $pawns } пешку
pawns-pawns = { $pawns ->
    [one] { $pawns } пешку
    [few] { $pawns } пешки
   *[many] { $pawns } пешек
}
the-best-assessment = лучшая оценка
the-largest-weight-among-moves-of-the = наибольший вес среди ходов с лучшей оценкой
the-best-of-the-moves-that-do = лучший из ходов, не повторяющих позицию (правило наше)
of-equal-moves-the-first-by-name = из равных ходов первый по алфавиту

## The figures of the book

rook-d1-and-bishop-b6-attack-d4 = Ладья d1 и слон b6 нападают на d4
both-come-to-d4-in-one-move = Оба попадают на d4 одним ходом, и это мало о чём говорит; в полуходах слону нужен один, а ладье два, если ход чёрных. (Рисунок утрачен; короли c8 и h1 поставлены нами.)
the-rook-attacks-the-king-and-wins = Ладья нападает на короля и выигрывает ферзя
within-three-half-moves-the-rook-attacks = За три полухода ладья нападает на короля через e5, и мат кажется неизбежным; но чёрные отдают за неё ферзя. (Рисунок утрачен. Из текста известны ладья e1, король g5, ферзь чёрных и поля стычек e5, f5, f4, g4, g5, h4 и h5; остальное добавлено нами.)
code-table-of-the-king = Кодовая таблица ходов короля
x-15-225-cells-the-moves-from = 15 x 15 = 225 клеток: сколько ходов от нулевой клетки на пустой доске.
the-table-of-fig-4-with-its = Таблица рис. 4, наложенная нулём на b2
f7-gets-the-number-5-the-king = У f7 число 5: королю нужно пять ходов.
key-of-the-king = Ключ короля
a-friendly-piece-forbids-its-square-and = Своя фигура запрещает своё поле; запрещены и поля вне доски. Чужих фигур в ключе нет: они ничего не меняют. Рисунок утрачен; это ключ программы, в котором край доски знака не требует.
signs-of-the-keys = Знаки ключей
its-signs-1-a-free-square-2 = Его знаки: 1 — свободное поле, 2 — своя фигура, 3 — чужая, 4 и 5 — вертикальный и горизонтальный край доски, 6 — запрещённый ход, 7 — превращение; линия со штриховкой запрещает всё за собой. Рисунок утрачен; здесь знаки программы.
code-table-of-the-knight = Кодовая таблица ходов коня
as-for-the-king-the-printed-numbers = Как у короля; напечатаны эти числа.
key-of-the-knight = Ключ коня
nothing-new-compared-with-the-king-the = По сравнению с королём ничего нового. Рисунок утрачен; это ключ программы.
the-knight-on-b2-of-an-empty = Конь на b2 пустой доски
the-edge-makes-a1-four-moves-away = Из-за края до a1 четыре хода, а в таблице два.
code-tables-of-the-white-pawn-moves = Кодовые таблицы белой пешки: ходы, взятия
figs-11-and-12-are-four-tables = Рис. 11 и 12 — четыре таблицы, по две на каждый цвет, без двойного хода.
code-tables-of-the-black-pawn-moves = Кодовые таблицы чёрной пешки: ходы, взятия
see-fig-11 = См. рис. 11.
keys-of-the-white-pawn-moves-captures = Ключи белой пешки: ходы, взятия
only-a-pawn-also-has-keys-of = Только у пешки есть ещё ключи превращения, на последней горизонтали. Рисунок утрачен; это ключи программы.
keys-of-the-black-pawn-moves-captures = Ключи чёрной пешки: ходы, взятия
see-fig-13 = См. рис. 13.
code-table-of-the-queen = Кодовая таблица ходов ферзя
no-number-is-greater-than-2 = Чисел больше 2 нет.
key-of-the-queen = Ключ ферзя
a-piece-in-the-way-forbids-what = Фигура на пути запрещает то, что за ней, а своя — и её поле. Рисунок утрачен; это ключ программы.
the-queen-on-b2-with-friendly-pieces = Ферзь на b2, свои фигуры на e2 и f6
e2-and-f6-are-forbidden-g7-h8 = e2 и f6 запрещены; у g7, h8, f2, g2 и h2 число 2.
code-table-of-the-rook = Кодовая таблица ходов ладьи
as-for-the-queen = Как у ферзя.
key-of-the-rook = Ключ ладьи
as-for-the-queen-the-drawing-is = Как у ферзя. Рисунок утрачен; это ключ программы.
code-table-of-the-bishop = Кодовая таблица ходов слона
as-for-queen-and-rook-cells-of = Как у ферзя и ладьи; клетки другого цвета пусты.
key-of-the-bishop = Ключ слона
as-for-queen-and-rook-the-drawing = Как у ферзя и ладьи. Рисунок утрачен; это ключ программы.
botvinnik-capablanca-rotterdam-1938 = Ботвинник — Капабланка, Роттердам, 1938
the-maps-for-one-two-and-three = Отображения для одного, двух и трёх полуходов и двенадцать первых ходов, разобранных вручную: выигрывает только 1.Сa3.
the-queen-on-e5-in-the-position = Ферзь e5 в позиции рис. 22
enemy-pieces-stand-on-two-squares-with = Чужие фигуры стоят на двух полях с числом 1: d5 и f6.
the-queen-on-g7-in-the-position = Ферзь g7 в позиции рис. 22
the-ones-of-figs-23-and-24 = Единицы рис. 23 и 24 совпадают только на f6: e5-f6-g7.
the-queen-on-e7-in-the-position = Ферзь e7 в позиции рис. 22
three-trajectories-of-the-queen-on-e5 = Три траектории ферзя e5 к ферзю e7: через c7, d6 и f6.
after-1-ba3 = После 1.Сa3
six-replies-are-rejected-at-once-1 = Шесть ответов отбрасываются сразу; 1...Фb7, Фd8, Фe8 и Фxa3 разбираются, и все проигрывают.
after-1-qxa3 = После 1...Фxa3
of-qc7-qd6-qxf6-nf5-and-nh5 = Из Фc7, Фd6, Фxf6, Кf5 и Кh5 разбирается последний.
after-2-nh5 = После 2.Кh5
black-has-one-reply-gxh5 = У чёрных один ответ: gxh5.
after-2-gxh5 = После 2...gxh5
white-goes-on-by-the-map-of = Дальше белые идут по отображению трёх полуходов, а ходы чёрных вынуждены: 3.Фg5+ Крf8 4.Фxf6+ Крg8.
after-4-kg8 = После 4...Крg8
the-branch-4-ke8-5-qf7-kd8 = Ветвь 4...Крe8 5.Фf7+ Крd8 6.Фd7 находится легко и опущена; дальше 5.e7.
after-5-e7 = После 5.e7
to-keep-the-inequality-black-must-attack = Чтобы сохранить неравенство, чёрные должны нападать на короля: 5...Фc1+ 6.Крf2 Фc2+ 7.Крg3 Фd3+ 8.Крh4 Фe4+ 9.Крxh5 Фe2+.
after-9-qe2 = После 9...Фe2+
at-no-moment-could-black-play-qg6 = Хода ...Фg6 чёрные не могли сделать ни разу: после размена ферзей пропадает последний шанс — угрожать королю. 10.Крh4 Фe4+ 11.g4 Фe1+ 12.Крh5.
after-12-kh5 = После 12.Крh5
black-can-no-longer-keep-his-inequality = Сохранить своё неравенство чёрные больше не могут, и борьба окончена.
the-sensible-moves = ходы, имеющие смысл
those-that-satisfy-their-inequality = те из них, чьё неравенство выполнено
gains-minus-losses-before-of-in-pawns = выигранное минус потерянное перед { $of ->
    [stop] «стоп»
   *[other] { $of }
}, в пешках
of-takes-in-pawns = берёт { $of ->
    [stop] «стоп»
   *[other] { $of }
}, в пешках
threatened-against-of-in-pawns = угрозы против { $of ->
    [stop] «стоп»
   *[other] { $of }
}, в пешках
doomed-by-white-in-pawns = обречено белыми, в пешках
doomed-by-black-in-pawns = обречено чёрными, в пешках
doomed-when-of-is-played-in-pawns = обречено при { $of ->
    [stop] «стоп»
   *[other] { $of }
}, в пешках
hoped-for-by-of-in-pawns = надежда хода { $of ->
    [stop] «стоп»
   *[other] { $of }
}, в пешках
of-satisfies-its-inequality = неравенство хода { $of ->
    [stop] «стоп»
   *[other] { $of }
} выполнено
the-line-s-last-move-for-its = последний ход варианта для того, кто его сделал
white-s-material-minus-black-s-in = материал белых минус материал чёрных, в пешках
irresistible-attacks = неотразимые атаки
half-moves-of-of = полуходов в { $of }
closed-squares-of-of = закрытые поля { $of }
safe-retreats-from-of = безопасные отступления от { $of }
pieces-that-can-capture-on-first-of = фигуры, которые могут взять на { $first } пути { $rest }
of-wins-in-pawns = выигрывает { $of }, в пешках
closed-squares-of-the-freest-path-of = закрытые поля самого свободного пути { $of }
best-attack-from-of-closed-squares-function = лучшая атака с { $of }: закрытые поля, функция, цель
moves-to-every-square-first-on-rest = ходы до каждого поля, { $first ->
    [king] король
    [queen] ферзь
   *[knight] конь
} на { $rest }
shortest-paths-of = кратчайшие пути { $of }
the-text-says-5-for-f7 = в тексте для f7 названо 5
the-scan-has-a-6-on-h8 = в нашей копии на h8 стоит 6, но b2-d3-e5-g6-h8 — четыре хода
the-scan-has-a-1-on-d3 = в нашей копии на d3 стоит 1, но с b2 ферзь не попадает туда одним ходом
the-queen-for-the-rook-9-5 = ферзь за ладью, 9 - 5
one-half-move-black-to-move = один полуход, ход чёрных
the-second-half-move = второй полуход
all-in-black-s-favour = всё в пользу чёрных
it-leaves-the-king-to-be-taken = к тому же оставляет короля под боем
printed-1-8-0-by-the-values = напечатано 1 - 8 < 0; по ценности фигур 1 - 9
bad-for-black = плохо для чёрных
printed-8-1-by-the-values-9 = напечатано 8 > 1; по ценности фигур 9 > 1
qe2-to-c4-and-qe4-to-g6 = Фe2 (к c4) и Фe4 (к g6) следуют из определений
every-printed-function-is-0 = все напечатанные функции равны 0
gamma-is-1 = гамма равна 1
the-book-the-king-has-a-retreat = в книге: у короля есть отступление
the-reply-weighed-first-e7-and-ne4 = если сначала взвесить ответ, неравенство выполнено и для e7, и для Кe4
rejected-at-once = отброшен сразу
it-puts-the-white-queen-in-danger = угрожает белому ферзю или защищает, а проигрывает позже
the-book-only-nh5-wins = в книге: выигрывает только Кh5
better-than-at-the-root = лучше, чем в начале
queen-and-king = ферзь и король
the-same-as-at-the-root = то же, что в начале
as-at-the-root = как в начале
after-qe8-the-queen-stands-on-the = после Фe8 ферзь стоит на пути пешки
is-that-of-the-whole-board-since = -4 — по всей доске; от начала -3
black-must-attack-the-king-offering-the = чёрные должны нападать на короля; жертва ферзя сначала сохраняет неравенство, но проигрывает
wins = выигрывает
loses = проигрывает
even = равно
fails = без надежд
better = лучше
a-free-square = свободное поле
a-friendly-piece = поле своей фигуры
an-enemy-piece = поле чужой фигуры
what-is-not-entered = { $what }: вставать нельзя
what-closes-what-is-behind-it = { $what }: за ним всё закрыто
what-is-not-entered-and-closes-what = { $what }: вставать нельзя, и за ним всё закрыто
at-move-4-the-author-changed-the = На 4-м ходу автор вручную сменил стратегию.
at-move-11-the-table-prints-g7 = На 11-м ходу в таблице стоит g7, но напечатанный там же шах показывает, что верно g2.

## Why a square of a trajectory is open

side-s-role-square = { piece } { $square }
attacker-attacks-target = { $attacker }, цель — { $target }
attacker-goes-to-become-a-queen-on = { $attacker }, цель — стать ферзём на { $square }
half-move = 1 полуход
count-half-moves = { half-moves }
attack-in-time-at-stake-aim = Атака: { $attack }, за { $time }; на кону { $aim }.
attack-by-squares-in-time-at-stake = Атака: { $attack }, через { $squares } за { $time }; на кону { $aim }.
square-the-attacker-stands-here = { $square }: здесь стоит нападающая фигура.
square-reached-in-half-move-number = { $square }: полуход { $number }.
square-reached-in-half-move-number-winning = { $square }: полуход { $number }, выигрывает { $gain }.
with-a-horizon-of-one-half-move = При горизонте в один полуход ответить никто не успевает.
nobody-can-take-here-in-time-rho = Взять здесь никто не успевает: rho = 1.
f-f = f = { $f }.
taker-first-going-to-square = { $taker } (сначала на { $square })
taker-can-take-in-half-move-half = Взять может { $taker }, полуход { $half_move }: { $sum }, rho = 0; размен даёт нападающему m = { $m }, tau = { $tau }
claim = { $claim }.
claim-but-this-is-negated-second = { $claim }; но это отрицается: { $second }.
taker-takes-that-piece-on-square = { $taker } берёт эту фигуру на { $square }
side-s-own-king-could-then-be = { $side ->
    [White] тогда можно взять короля белых
   *[Black] тогда можно взять короля чёрных
}
square-blocker-can-stand-in-the-way = { $square }: на пути может встать { $blocker }, полуход { $half_move }; { $what }
taking-it-there-brings-the-attacker-m = взятие там даёт нападающему m = { $m }
a-pawn-cannot-take-straight-ahead = пешка не берёт прямо перед собой
retreat-the-role-has-no-square-to = Отступление: { role }, уйти в срок некуда.
retreat-not-on-others = Отступление: не на { $others }.
retreat-the-role-is-safe-on-safe = Отступление: { role }, безопасно на { $safe }
claim-not-on-others = { $claim }; не на { $others }.
every-square-is-open-and-no-retreat = Все поля открыты, безопасного отступления нет: { $name } = 1; по формуле (4) атака выигрывает { $value }.
closed-closed = закрыто { $closed }
the-way-can-be-blocked = путь можно загородить
the-piece-attacked-can-retreat = атакованная фигура может отступить
first-second = { $first }; { $second }
name-0-why = { $name } = 0 ({ $why }).
