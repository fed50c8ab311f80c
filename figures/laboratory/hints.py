"""An exception as the laboratory shows it: what happened, where, and what to try, in Russian."""

import traceback

HINTS: tuple[tuple[type[BaseException], str], ...] = (
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
    (RecursionError, "Функция слишком глубоко вызывает саму себя: проверьте условие остановки."),
    (
        MemoryError,
        "Массив не помещается в память страницы: уменьшите размеры или возьмите float32.",
    ),
    (ZeroDivisionError, "Деление на ноль: проверьте знаменатель."),
    (FloatingPointError, "Недопустимое действие с числами с плавающей точкой."),
    (TypeError, "Тип аргумента не подходит: посмотрите type(…) и порядок аргументов."),
    (
        ValueError,
        "Значение не подходит: сравните формы массивов (.shape) и допустимые значения аргументов.",
    ),
    (AssertionError, "Условие assert не выполнено."),
    (EOFError, "Ввода с клавиатуры здесь нет: запишите значение прямо в код."),
    (OSError, "Здесь нет ни ваших файлов, ни сети: данные задавайте прямо в коде."),
    (KeyboardInterrupt, "Выполнение прервано."),
    (SystemExit, "Программа сама завершила работу."),
)
NO_PLOTS = (
    "Библиотеки для графиков здесь нет: она утяжелила бы страницу для всех. "
    "Поставьте массив последней строкой — он будет показан цветами."
)
OTHER = "Прочитайте сообщение и строку, на которую оно указывает."


def describe(error: BaseException, cell: str | None = None) -> dict:
    """{type, message, hint, line, traceback}; line counts from 1 in the cell, or is None."""
    frames = traceback.extract_tb(error.__traceback__)
    in_cell = [frame.lineno for frame in frames if frame.filename == cell]
    line = in_cell[-1] if in_cell else None
    if isinstance(error, SyntaxError) and error.filename == cell:
        line = error.lineno
    start = next((i for i, frame in enumerate(frames) if frame.filename == cell), len(frames))
    shown = [*traceback.format_list(frames[start:]), *traceback.format_exception_only(error)]
    return {
        "type": type(error).__name__.removeprefix("_Array"),
        "message": "не хватило памяти" if isinstance(error, MemoryError) else str(error),
        "hint": _hint(error),
        "line": line,
        "traceback": "".join(shown),
    }


def _hint(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and str(error.name).startswith("matplotlib"):
        return NO_PLOTS
    too_big = isinstance(error, ValueError) and "array is too big" in str(error)
    sample = MemoryError() if too_big else error
    return next((hint for kind, hint in HINTS if isinstance(sample, kind)), OTHER)
