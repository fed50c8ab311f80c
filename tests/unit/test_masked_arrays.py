"""The table of refused numpy.ma arrays leaves out no array argument of a public function."""

import inspect

import attnlib
from attnlib import KVCache, MultiHeadAttention, masks, measures, pitfalls
from tests.unit.limits import masked_calls


def array_arguments():
    """Parameters annotated as arrays, of every public function and method."""
    found = []
    owners = [*(getattr(attnlib, name) for name in attnlib.__all__), KVCache.update,
              MultiHeadAttention.__init__, MultiHeadAttention.__call__]  # fmt: skip
    for module in (masks, measures, pitfalls):
        own = [
            n for n, f in vars(module).items() if getattr(f, "__module__", "") == module.__name__
        ]
        names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
        owners += [getattr(module, name) for name in names]
    for owner in filter(inspect.isfunction, owners):
        for name, parameter in inspect.signature(owner).parameters.items():
            if "ArrayLike" in str(parameter.annotation):
                found.append(f"{owner.__qualname__}: {name}")
    return sorted(set(found))


def test_every_array_argument_stands_in_the_table():
    listed = sum(len(arguments) for _, arguments in masked_calls())
    arguments = array_arguments()
    assert len(arguments) == listed == 56, f"{listed} are listed of {len(arguments)}: {arguments}"
