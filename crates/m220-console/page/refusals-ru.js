// Why the machine's side refuses something: its English sentences, and the same in Russian. `{name}` stands for what
// the sentence quotes; `{error}` is such a sentence itself, `{side}` a colour, `{count}` a number.

export default {
  // Files and devices
  "{file} is in core": "{file}: программа в памяти",
  "{file} is in its device; the program stands at its start again":
    "{file}: в своём устройстве; программа снова в начале",
  "neither an ELF image nor an octal deck: {error}": "не образ ELF и не восьмеричная колода: {error}",
  "line {line}, column {column}: {error}, in `{text}`": "строка {line}, столбец {column}: {error}; в строке «{text}»",
  "not UTF-8 text: expected a deck of octal words, one per line":
    "не текст UTF-8: ожидалась колода, то есть восьмеричные слова, по одному в строке",
  "not UTF-8 text": "не текст UTF-8",
  "there is no card in this file": "в этом файле нет ни одной карты",
  "`{sign}` is not an octal digit: expected a word of 15 octal digits":
    "«{sign}» не восьмеричная цифра: ожидалось слово из 15 восьмеричных цифр",
  "{count} octal digits: expected a word of 15": "восьмеричных цифр {count}: в слове их 15",
  "no cell for this word: the one before it is in 7777, the last":
    "для этого слова нет ячейки: предыдущее стоит в последней, 7777",
  "unexpected text after the address: expected the end of the line or a `;` comment":
    "лишний текст после адреса: ожидался конец строки или примечание после «;»",
  "`{text}` is not an octal digit: a word is 15 octal digits, blanks allowed between them":
    "«{text}» не восьмеричная цифра: в слове 15 восьмеричных цифр, между ними могут стоять пробелы",
  "{count} octal digit where a word has 15": "восьмеричных цифр {count}, а в слове их 15",
  "{count} octal digits where a word has 15": "восьмеричных цифр {count}, а в слове их 15",
  "{word} has more than 45 bits": "в {word} больше 45 разрядов",
  "the file is cut short: {what}": "файл обрезан: {what}",
  "{count} bytes are not whole words: expected a drum image with 8 bytes per word":
    "байтов {count}, это не целые слова: в образе барабана 8 байтов на слово",
  "not a tape file: expected it to start with `{sign}`, or zones as SIMH's M-20 writes them":
    "не файл ленты: он начинается с «{sign}» или состоит из зон, как их пишет М-20 в SIMH",
  "there is no drum {number}": "барабана {number} нет",
  "there is no tape {number}": "ленты {number} нет",
  "drum {number}: {error}": "барабан {number}: {error}",
  "tape {number}: {error}": "лента {number}: {error}",
  "cell {cell} lies in cube {cube}: an octal deck has cells of cube 0 only":
    "ячейка {cell} лежит в кубе {cube}: в восьмеричной колоде есть только ячейки куба 0",
  "cell {cell} holds {found}, but {expected}: another version of the listing, or another program":
    "в ячейке {cell} не то слово: это другая версия листинга или другая программа",
  "a word in the cells {first} to {last} differs from the known listing: their checksum is {found}, not {expected}":
    "в ячейках с {first} по {last} есть слово не из известного листинга: их сумма {found}, а не {expected}",
  // The machine
  "the program has ended; play starts it again": "программа закончилась; «Пуск» начнёт её снова",
  "a speed is greater than 0": "скорость больше 0",
  "there is no key register {number}: 1 to 4": "клавишного регистра {number} нет: есть 1–4",
  "the console is closed where it was started": "консоль закрывают там, где она запущена",
  "cannot go back: something was set just before": "назад нельзя: прямо перед этим что-то задали",
  "there is no command `{word}`; {hint}": "нет команды «{word}»; help показывает все",
  "the program has no name `{name}`": "в программе нет имени `{name}`",
  "the program has no name `{name}`; did you mean `{near}`?":
    "в программе нет имени `{name}`; может быть, `{near}`?",
  "this machine has no cell {cell}": "в этой машине нет ячейки {cell}",
  "`{text}` is not octal: expected digits 0 to 7, or decimal digits followed by `d`":
    "«{text}» не восьмеричное число: ожидались цифры 0–7 или десятичные цифры и «d»",
  "`{text}` is neither a word nor an instruction: {error}": "«{text}» не слово и не команда: {error}",
  "a word is missing": "не хватает слова",
  // Questions
  "the question: {what}": "вопрос непонятен: {what}",
  "--fen '{text}': {error}": "--fen '{text}': {error}",
  "--{side} {move}: {error} (правила {rules})": "--{side} {move}: {error} (правила {rules})",
  "--{side} {move}: {error}": "--{side} {move}: {error}",
  "the position: {error}": "позиция: {error}",
  "not a legal position: {error}": "невозможная позиция: {error}",
  "not a FEN: field 1 (placement): {error}": "не FEN: поле 1 (расстановка): {error}",
  "not a FEN: {error} (expected for instance `{example}`)": "не FEN: {error} (пример: {example})",
  "six fields were expected, the first of them the placement": "ожидалось шесть полей, первое из них расстановка",
  "field 2 (side to move) should be w or b": "поле 2 (чей ход): ожидалось w или b",
  "field 3 (castling rights) should be - or letters of KQkq": "поле 3 (рокировки): ожидались - или буквы из KQkq",
  "field 4 (en-passant square) should be - or a square": "поле 4 (взятие на проходе): ожидались - или поле доски",
  "field 5 (half-move clock) should be a number": "поле 5 (счётчик полуходов): ожидалось число",
  "field 6 (move number) should be a number": "поле 6 (номер хода): ожидалось число",
  "it has {count} rank, expected 8 with / between them, such as `{example}`":
    "горизонталей {count}, а нужно 8 через /, например {example}",
  "it has {count} ranks, expected 8 with / between them, such as `{example}`":
    "горизонталей {count}, а нужно 8 через /, например {example}",
  "rank {rank} (`{text}`): found `{sign}`, expected pieces (PNBRQK, pnbrqk) and numbers of empty squares (1 to 8)":
    "горизонталь {rank} («{text}»): знак «{sign}», а ожидались фигуры (PNBRQK, pnbrqk) и числа пустых полей (1–8)",
  "rank {rank} (`{text}`) has {count} squares, expected 8": "горизонталь {rank} («{text}»): полей {count}, а нужно 8",
  "not an orthodox FEN: it has pockets, promotion marks or check counters of a variant":
    "это FEN особого вида шахмат",
  "{side} has no king: each side needs exactly one": "{side}: нет короля, а нужен ровно один",
  "{side} has {count} kings: each side needs exactly one": "{side}: королей {count}, а нужен ровно один",
  "{side} has {count} pieces: a side has 16 at most": "{side}: фигур {count}, а их не больше 16",
  "{side} has {count} pawns: a side has 8 at most": "{side}: пешек {count}, а их не больше 8",
  "a {side} pawn stands on {square}: pawns stand on ranks 2 to 7":
    "{side}: пешка на {square}, а пешки стоят на горизонталях 2–7",
  "{side} is in check, but it is not {other}'s move": "{side} под шахом, а ход не их",
  "{side} is in a check that no move can have given": "{side} под шахом, которого не мог дать ни один ход",
  "a side has more promoted pieces than it lacks pawns": "превращённых фигур больше, чем недостаёт пешек",
  "impossible castling right of {side}: it needs the king on {king} and a rook on {rook}":
    "{side}: право на рокировку невозможно, нужны король на {king} и ладья на {rook}",
  "impossible en-passant square {square}: {reason}": "взятие на проходе на {square} невозможно",
  "start and target are both {square}: a trajectory leads elsewhere":
    "начало и цель — одно поле {square}: траектория ведёт куда-нибудь ещё",
  "the start: `{text}` is not a square, expected one such as a4": "начало: «{text}» не поле доски, например a4",
  "the target: `{text}` is not a square, expected one such as a4": "цель: «{text}» не поле доски, например a4",
  "no piece stands on {square}: put one there, or choose which one moves":
    "на {square} нет фигуры: поставьте её или выберите, какая ходит",
  "{number} half-moves: expected {least} to {most}": "полуходов {number}: можно от {least} до {most}",
  "{number} moves: expected {least} to {most}": "ходов {number}: можно от {least} до {most}",
  "{what}: expected a king and one of {pieces}, against a king":
    "ожидался король против короля с ферзём, ладьёй, пешкой, одной или двумя лёгкими фигурами",
  "with a pawn the program first needs KQK and KRK on a drum: use \"Answer here\"":
    "с пешкой программе нужны KQK и KRK на барабане: спросите «Ответить здесь»",
  "the machine program looks 1 to 4 half-moves ahead, and takes at most 16 pieces a side":
    "машинная программа смотрит на 1–4 полухода вперёд и берёт не больше 16 фигур с каждой стороны",
  "the machine program does not accept this input": "машинная программа такого не берёт",
  "the search takes too long for the machine program": "для машинной программы это слишком долгий поиск",
  "the path is longer than the 7 moves that fit into a word of the machine program":
    "путь длиннее 7 ходов, которые помещаются в слово машинной программы",
  "no verdict: {count} positions visited, which is the limit": "без вывода: позиций {count}, это предел",
  "no verdict: stopped after {count} positions": "без вывода: остановлено после {count} позиций",
  "no piece of this side stands on {square}": "на {square} нет своей фигуры",
  "the piece cannot go there": "фигура так не ходит",
  "a pawn is promoted on the last rank, and only there": "пешка превращается на последней горизонтали, и только там",
  "\"{text}\" is not a move; expected {what}":
    "«{text}» не ход: ожидались два поля (e2e4, e7e8q, e1g1), O или Z и поле (Zd5)",
  "a king never takes a king": "король не бьёт короля",
  "the move exposes its own king": "ход открывает своего короля",
  "in check, these rules let only the king move": "под шахом по этим правилам ходит только король",
  "the move does not answer the check": "ход не защищает от шаха",
  "a piece of this side stands there, and these rules have no fire on oneself":
    "там своя фигура, а по этим правилам по своим не стреляют",
  "the king may not go where it is attacked at this moment": "король не может идти на поле, которое сейчас под ударом",
  "swing {swing}, rank {rank}, control {control}": "размен {swing}, ранг {rank}, контроль {control}",
  "chosen at {plies} plies": "выбрано на глубине {plies}",
  "chosen at {plies} ply": "выбрано на глубине {plies}",
  "the ITEP program has ended the game": "программа ИТЭФ закончила партию",
  "the ITEP program can promote only to a queen": "программа ИТЭФ знает превращение только в ферзя",
  "the machine program gave no answer: {error}": "машинная программа не дала ответа: {error}",
  "the best so far, interrupted": "лучшее из найденного: прервано",
  "White is mated": "белым мат",
  "Black is mated": "чёрным мат",
  "stalemate": "пат",
  "drawn by threefold repetition": "ничья: троекратное повторение",
  "drawn by the fifty-move rule": "ничья: правило пятидесяти ходов",
  "drawn: neither side can mate": "ничья: мат невозможен",
  // The home of the machine
  "The machine has ended: {what}": "Машина закончила работу: {what}",
  "The console has ended: {what}": "Консоль закончила работу: {what}",
  "The console does not answer: {what}": "Консоль не отвечает: {what}",
  "The machine is shown in another window, or the console has ended. Reload the page to show it here.":
    "Машина показана в другом окне, или консоль закончила работу. Обновите страницу, чтобы показать её здесь.",
  // The assembler
  "{place}: error: {error}": "{place}: {error}",
  "{place}: warning: {error}": "{place}: предупреждение: {error}",
  "`{name}` is not defined": "имя `{name}` не определено",
  "`{name}` is neither an instruction nor a directive": "`{name}` не команда и не указание",
  "`{name}` is not an instruction": "`{name}` не команда",
  "`{name}` is defined twice": "имя `{name}` определено дважды",
  "`{name}` stands before any label": "`{name}` стоит раньше всех меток",
  "the local label `{name}` has no label before it": "перед местной меткой `{name}` нет метки",
  "the value of `{name}` depends on itself": "значение `{name}` зависит от себя самого",
  "`{name}` needs {count} operands, but {given} were given": "команде `{name}` нужно операндов {count}, а дано {given}",
  "`{name}` needs {count} operands, but {given} was given": "команде `{name}` нужно операндов {count}, а дано {given}",
  "an instruction has three operands at most": "у команды не больше трёх операндов",
  "there is no `origin` before this line": "перед этой строкой нет `origin`",
  "the start is given twice": "начало указано дважды",
  "cannot read `{name}`: {error}": "`{name}` не прочитать: {error}",
  "there is no text `{name}`": "нет текста `{name}`",
  "the path is relative to the folder of the including file": "путь отсчитывается от папки включающего файла",
  "`{name}` includes itself": "`{name}` включает сам себя",
  "`{digits}` is not a number": "`{digits}` не число",
  "`{digits}` is not a name": "`{digits}` не имя",
  "`{digits}` is not an operation code": "`{digits}` не код операции",
  "`{text}` is not a decimal number: expected something like -12.5 or 3e-4":
    "`{text}` не десятичное число: например, -12.5 или 3e-4",
  "`{text}` is too large: the largest number is just below 2^63": "`{text}` слишком велико: числа меньше 2^63",
  "the number has more than 45 bits": "в числе больше 45 разрядов",
  "there is no number here": "здесь нет числа",
  "`{sign}` is not an octal digit": "`{sign}` не восьмеричная цифра",
  "this `{name}` has no `end`": "у этого `{name}` нет `end`",
  "close it with a line that says `end`": "закройте его строкой `end`",
  "{name} is: {what}; write 0 where cell 0000 is meant": "{name}: где нужна ячейка 0000, пишите 0",
  "{name} is: {what}; where nothing is to be copied, write `{text}`":
    "{name}: где копировать нечего, пишите `{text}`",
  "there is no word here": "здесь нет слова",
  "this text has no closing quote": "текст не закрыт кавычкой",
  "cell {cell} is taken already": "ячейка {cell} уже занята",
  "cell {cell}: address {address} exceeds 7777": "ячейка {cell}: адрес {address} больше 7777",
  "cell {cell}: an operand cannot be negative": "ячейка {cell}: операнд не бывает отрицательным",
  "the label `{name}` is never used": "метка `{name}` нигде не нужна",
  "expected {what}, found {found}": "ожидалось: {what}; стоит {found}",
  "did you mean `{name}`?": "может быть, `{name}`?",
  "a label is followed by a colon: `{name}`": "после метки стоит двоеточие: `{name}`",
  "a label is followed by `:`, a constant by `=`; an instruction begins with a mnemonic or two octal digits":
    "после метки стоит «:», после постоянной «=»; команда начинается с мнемоники или двух восьмеричных цифр",
  "numbers are octal: for decimal, write `{digits}`": "числа восьмеричные; десятичное пишется `{digits}`",
  "say where the program stands, for instance `origin 0100`": "укажите, где стоит программа, например `origin 0100`",
  "a comment begins with `;`": "примечание начинается с «;»",
  "remove it, or `export` it if something outside uses it": "уберите её или объявите `export`, если она нужна снаружи",
};
