"""An exception as the laboratory shows it: what happened, where, and what to try, in Russian.

The exception is the reader's own, so nothing that it answers is trusted: its text may be missing,
endless, or an error itself.
"""

import errno
import os
import re
import traceback
from collections.abc import Callable

MESSAGE_LIMIT = 2000
TRACEBACK_LIMIT = 20_000
NO_TEXT = "сообщение не читается: __str__ этого исключения само завершается ошибкой"

NO_KEYBOARD = "Ввода с клавиатуры здесь нет: запишите значение прямо в код."
TOO_DEEP = "Функция слишком глубоко вызывает саму себя: проверьте условие остановки."
TOO_BIG = "Массив не помещается в память страницы: уменьшите размеры или возьмите float32."
INTEGERS = (
    "Целые массивы в браузере 32-битные, до 2\u202f147\u202f483\u202f647: "
    "укажите dtype=np.int64 или возьмите числа с плавающей точкой."
)
SESSION = "Это запись сеанса: уберите приглашения в начале строк и то, что напечатал Python."
NO_PLOTS = (
    "Библиотеки для графиков здесь нет: она утяжелила бы страницу для всех. "
    "Поставьте массив последней строкой — он будет показан цветами."
)
OTHER = "Прочитайте сообщение и строку, на которую оно указывает."

# By what the message says; the first that fits, before the hints for whole kinds of errors.
BY_MESSAGE: tuple[tuple[type[BaseException], str, str], ...] = (
    (ModuleNotFoundError, r"'matplotlib", NO_PLOTS),
    (ImportError, r"'(prompt|confirm)'", NO_KEYBOARD),
    (AttributeError, r"^(prompt|confirm)$|'(prompt|confirm)'", NO_KEYBOARD),
    (Exception, r"ReferenceError: (prompt|confirm) ", NO_KEYBOARD),
    (Exception, r"Maximum call stack|too much recursion", TOO_DEEP),
    (ValueError, r"array is too big", TOO_BIG),
    (
        ValueError,
        r"integer string conversion",
        "Число слишком длинное, чтобы напечатать его целиком: возьмите порядок, math.log10(число).",
    ),
    (OverflowError, r"C long|out of bounds for u?int32|too large to convert to C", INTEGERS),
    (
        RuntimeError,
        r"new thread|stack switching",
        "Потоков и asyncio.run здесь нет: выполните это по порядку, без них.",
    ),
    (OSError, r"support processes|not implemented", "Других процессов здесь запустить нельзя."),
)

HINTS: tuple[tuple[type[BaseException], str], ...] = (
    (IndentationError, "Проверьте отступы: в одном блоке они одинаковы, пробелы не смешаны с Tab."),
    (
        SyntaxError,
        "Python не может разобрать эту строку: проверьте скобки, кавычки, двоеточия и отступы.",
    ),
    (
        ModuleNotFoundError,
        "Такого модуля здесь нет: есть стандартная библиотека, NumPy, einops и attnlib.",
    ),
    (ImportError, "В модуле нет такого имени: проверьте, как оно пишется."),
    (
        NameError,
        "Имя ещё не определено: проверьте, как оно пишется и есть ли строка, где оно вводится.",
    ),
    (
        AttributeError,
        "У этого объекта нет такого поля или метода: проверьте имя; список даст dir(объект).",
    ),
    (
        IndexError,
        "Индекс выходит за границы: сравните его с размером (.shape или len); счёт идёт с нуля.",
    ),
    (KeyError, "Такого ключа в словаре нет: какие есть, покажет .keys()."),
    (RecursionError, TOO_DEEP),
    (MemoryError, TOO_BIG),
    (ZeroDivisionError, "Деление на ноль: проверьте знаменатель."),
    (FloatingPointError, "Недопустимое действие с числами с плавающей точкой."),
    (OverflowError, "Число слишком велико для своего типа: проверьте порядок величин."),
    (TypeError, "Тип аргумента не подходит: посмотрите type(…) и порядок аргументов."),
    (UnicodeError, "Знак не переводится в эту кодировку: какой именно, сказано в сообщении."),
    (
        ValueError,
        "Значение не подходит: сравните формы массивов (.shape) и допустимые значения аргументов.",
    ),
    (AssertionError, "Условие assert не выполнено."),
    (EOFError, NO_KEYBOARD),
    (OSError, "Здесь нет ни ваших файлов, ни сети: данные задавайте прямо в коде."),
    (KeyboardInterrupt, "Выполнение прервано."),
    (SystemExit, "Программа сама завершила работу."),
    (BaseExceptionGroup, "Ошибок сразу несколько: все они перечислены под сообщением."),
)

# Signs that look like those of Python and are not, by code: name and what to type instead.
LOOKALIKES = {
    **dict.fromkeys((0xA0, 0x2007, 0x202F), ("неразрывный пробел", "обычный пробел")),
    **dict.fromkeys(range(0x2000, 0x200B), ("типографский пробел", "обычный пробел")),
    0x3000: ("широкий пробел", "обычный пробел"),
    **dict.fromkeys((*range(0x200C, 0x2010), 0x2060), ("невидимый знак", "")),
    0x200B: ("невидимый пробел нулевой ширины", ""),
    0xFEFF: ("невидимая метка начала текста", ""),
    0xAD: ("невидимый мягкий перенос", ""),
    **dict.fromkeys((*range(0x201C, 0x2020), 0xAB, 0xBB), ("типографская кавычка", '"')),
    **dict.fromkeys(range(0x2018, 0x201C), ("типографский апостроф", "'")),
    0x2212: ("знак минуса", "-"),
    0x2010: ("типографский дефис", "-"),
    0x2011: ("неразрывный дефис", "-"),
    **dict.fromkeys(range(0x2012, 0x2015), ("тире", "-")),
    **dict.fromkeys((0xD7, 0x2217), ("знак умножения", "*")),
    0xF7: ("знак деления", "/"),
    0x2264: ("знак сравнения", "<="),
    0x2265: ("знак сравнения", ">="),
    0x2260: ("знак сравнения", "!="),
    0x2026: ("многоточие одним знаком", "..."),
    **{0xFEE0 + code: ("полноширинный знак", chr(code)) for code in range(0x21, 0x7F)},
}
_OWN_FOLDER = os.path.dirname(__file__)


def describe(error: BaseException, cell: str | None = None, line: int | None = None) -> dict:
    """{type, message, hint, line, traceback}; line counts from 1 in the cell, or is None.

    The argument `line` is for an error that did not come from a line of the cell.
    """
    kind = type(error)
    told = {
        "type": _cut(type.__dict__["__name__"].__get__(kind), 100).removeprefix("_Array"),
        "message": _text(lambda: _message(error)),
        "hint": OTHER,
        "line": line,
        "traceback": "",
    }
    try:
        summary = traceback.extract_tb(error.__traceback__)
        in_cell = [frame.lineno for frame in summary if frame.filename == cell]
        told["line"] = in_cell[-1] if in_cell else line
        if issubclass(kind, SyntaxError) and error.filename == cell:
            told["line"] = error.lineno
        told["hint"] = _hint(error, told["message"])
        told["traceback"] = _cut("".join(_traceback(error, cell)), TRACEBACK_LIMIT)
    except BaseException:  # what a hostile exception answers is not worth losing Python for
        return told
    return told


def _message(error: BaseException) -> str:
    kind = type(error)
    if issubclass(kind, MemoryError):
        return "не хватило памяти"
    if issubclass(kind, SyntaxError):
        return _cut(error.msg, MESSAGE_LIMIT)  # the line is told beside it
    if issubclass(kind, SystemExit) and error.code in (None, 0):
        return ""
    return _cut(str(error), MESSAGE_LIMIT)


def _text(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except BaseException:  # of any class: it is the reader's
        return NO_TEXT


def _cut(text: str, limit: int) -> str:
    plain = str.__str__(text)  # a subclass may have its own ideas of slices
    return plain if len(plain) <= limit else plain[:limit] + " …"


def _traceback(error: BaseException, cell: str | None) -> list[str]:
    """As Python prints it, from the cell's own frame on, without the laboratory's frames."""
    told = traceback.TracebackException.from_exception(error, compact=True)
    frames = list(told.stack)
    start = next((i for i, frame in enumerate(frames) if frame.filename == cell), len(frames))
    shown = [frame for frame in frames[start:] if not frame.filename.startswith(_OWN_FOLDER)]
    told.stack = traceback.StackSummary.from_list(shown)
    return [text for text in told.format(chain=False) if not text.startswith("Traceback (")]


def _hint(error: BaseException, message: str) -> str:
    kind = type(error)
    if issubclass(kind, SyntaxError) and (hint := _syntax_hint(error, message)):
        return hint
    if issubclass(kind, OSError) and error.errno == errno.EIO and error.filename is None:
        return NO_KEYBOARD  # the engine's way to say that nobody types
    for base, pattern, hint in BY_MESSAGE:
        if issubclass(kind, base) and re.search(pattern, message):
            return hint
    return next((hint for base, hint in HINTS if issubclass(kind, base)), OTHER)


def _syntax_hint(error: SyntaxError, message: str) -> str | None:
    if (error.text or "").lstrip().startswith((">>>", "... ")):
        return SESSION
    sign = re.search(r"invalid (?:non-printable )?character.*?U\+([0-9A-F]+)", message)
    if not sign:
        return None
    code = int(sign[1], 16)
    name, instead = LOOKALIKES.get(code, ("знак", None))
    shown = f" «{chr(code)}»" if chr(code).isprintable() and code not in (0xAB, 0xBB) else ""
    remedy = f"наберите вместо него {instead}" if instead else "сотрите его"
    if instead is None:
        remedy = "вне строк и примечаний ему не место"
    return (
        f"В строке стоит {name}{shown} (U+{code:04X}). Python такого знака не понимает: {remedy}."
    )
