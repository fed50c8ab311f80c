"""What the reader's program takes for its terminal: output goes to the page, nobody types."""

import contextlib
import io
import sys
import warnings
from collections.abc import Callable, Iterator

from figures.laboratory.arithmetic import IntegerWrapWarning

IN_RUSSIAN = {
    "divide by zero": "деление на ноль: в результате inf или nan, у целых — 0",
    "overflow encountered in scalar": (
        "число вышло за пределы своего типа; целые здесь 32-битные, поможет dtype=np.int64"
    ),
    "overflow": "число вышло за пределы своего типа",
    "invalid value": "недопустимое действие, в результате nan",
    "Mean of empty slice": "среднее пустого массива",
    "Degrees of freedom": "для разброса слишком мало чисел",
}


class NoKeyboard(io.TextIOBase):
    """Standard input in a place where nobody can type."""

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> str:
        raise EOFError("здесь нечего прочитать: клавиатуры нет")

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        return self.read()


@contextlib.contextmanager
def console(output: io.TextIOBase, cell: str) -> Iterator[None]:
    """The program's terminal, in place of that of the process."""
    names = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
    before = {name: getattr(sys, name) for name in names}
    for name in names:
        setattr(sys, name, NoKeyboard() if "stdin" in name else output)
    try:
        with warnings.catch_warnings():
            # Python would be silent at the second place that comes to the same line of NumPy.
            warnings.simplefilter("always", RuntimeWarning)
            warnings.showwarning = _warnings_in_russian(cell)
            yield
    finally:
        for name, stream in before.items():
            setattr(sys, name, stream)


def _warnings_in_russian(cell: str) -> Callable[..., None]:
    """Each warning once for a line of the cell."""
    told = set()

    def show(
        message: Warning,
        category: type[Warning],
        filename: str,
        lineno: int,
        *_: object,
        **__: object,
    ) -> None:
        line = lineno if filename == cell else _line_in(cell)
        if (line, str(message)) in told or sys.stderr is None:
            return
        told.add((line, str(message)))
        start = "Предупреждение" + (f", строка {line}: " if line else ": ")
        text = f"{category.__name__}: {message}"
        if issubclass(category, IntegerWrapWarning):
            text = str(message)
        elif meaning := next((ru for en, ru in IN_RUSSIAN.items() if en in str(message)), None):
            text = f"{meaning} ({text})"
        sys.stderr.write(f"{start}{text}\n")

    return show


def _line_in(cell: str) -> int | None:
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename != cell:
        frame = frame.f_back
    return frame.f_lineno if frame else None
