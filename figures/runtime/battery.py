# Little programs whose output must be the same in stock Pyodide and in every way of starting.
# ruff: noqa
# case: attention
x = np.arange(384.0).reshape(6, 64) % 7 - 3
s = x @ x.T / 8
p = np.exp(s - s.max(-1, keepdims=True))
p /= p.sum(-1, keepdims=True)
print(repr(p), np.einsum("ij,kj->ik", x, x).sum())
# case: dtypes
print([np.asarray([1, 2], d).sum().dtype for d in ("f2", "f4", "f8", "i4", "i8", "u1", "c8", "?")])
print(np.log2(np.float32(3)), np.finfo(np.float32).eps, repr(np.float64(1.5)))
# case: memory grows
print(np.ones(12_000_000).sum(), (np.ones((300, 300)) @ np.ones((300, 300))).sum())
# case: linalg
print(
    np.round(np.linalg.svd(np.arange(12.0).reshape(3, 4))[1], 6),
    np.round(np.linalg.eigvalsh(np.eye(3) + 1), 6),
)
print(
    np.linalg.solve(np.eye(2) * 2, [1, 2]),
    np.linalg.norm(np.arange(9.0)),
    np.linalg.det(np.eye(3) * 2),
)
# case: singular matrix
np.linalg.inv(np.zeros((2, 2)))
# case: shapes that do not fit
np.ones((2, 3)) @ np.ones((2, 3))
# case: warnings
import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    np.log(np.zeros(1))
    np.ones(1) / 0
print([str(w.message) for w in caught])
# case: floating point errors
try:
    with np.errstate(all="raise"):
        np.exp(np.array([1e4]))
except FloatingPointError as error:
    print(error)
# case: pickle and copy
import pickle, copy

x = np.arange(6.0).reshape(2, 3)
print(pickle.loads(pickle.dumps(x)), copy.deepcopy({"a": x})["a"].shape)
# case: garbage collector
import gc


class Node:
    pass


for i in range(20000):
    a = Node()
    a.b = a
    a.c = np.zeros(10)
del a
print(gc.collect() > 0, gc.is_tracked([]))
# case: standard library
import json, re, dataclasses, math, datetime, decimal, collections

print(
    json.dumps({"a": [1, 2.5, None]}),
    re.findall(r"\d+", "a1b22"),
    decimal.Decimal(1) / 3,
    datetime.date(2024, 1, 2),
)
# case: numpy.random
print(np.random.default_rng(0).standard_normal(3), np.random.RandomState(1).rand(2))
# case: numpy.random by another name
import importlib

random = importlib.import_module("numpy.random")
print(random.default_rng(7).integers(0, 100, 5))
# case: numpy.fft
print(np.fft.fft(np.arange(4.0)), np.fft.rfft(np.ones(8)))
# case: numpy.ma and polynomial
import numpy.ma as ma, numpy.polynomial as P

print(ma.masked_array([1, 2, 3], [0, 1, 0]).sum(), P.Polynomial([1, 2])(3))
# case: formatting
print(
    np.array2string(np.linspace(0, 1, 7), precision=3), f"{np.float32(1 / 3):.4f}", np.arange(2000)
)
# case: strings
print(
    np.char.upper(np.array(["a", "b"])),
    np.strings.str_len(np.array(["abc", "d"])),
    np.unique([3, 1, 1]),
)
# case: hashes
print(hash(1.5), len({str(i): i for i in range(100000)}))
# case: ctypes
import ctypes

print(ctypes.sizeof(ctypes.c_int), np.ctypeslib is not None)


# case: recursion
def f(n):
    return 0 if n == 0 else 1 + f(n - 1)


print(f(400))


# case: endless recursion
def g(n):
    return g(n + 1)


try:
    g(0)
except RecursionError:
    print("RecursionError")
# case: traceback
import traceback

try:
    1 / 0
except Exception:
    print(traceback.format_exc().strip().split("\n")[-1])
# case: random of the standard library
import random

random.seed(3)
print(random.random())
# case: loop
t = 0
for i in range(300000):
    t += i * i % 7
print(t)
# case: rest of the standard library
import statistics, csv, io, textwrap, unittest, html, uuid, argparse, zipfile, difflib, pprint

print(
    statistics.stdev([1, 2, 4]),
    list(csv.reader(io.StringIO("a,b"))),
    html.escape("<"),
    textwrap.shorten("a b c", 4),
)
# case: module that does not exist
import torch

# case: encodings
print("привет".encode("cp1251"), "ё".encode("utf-16-le"), b"abc".hex())
# case: save and load
import io

buffer = io.BytesIO()
np.savez(buffer, a=np.arange(3))
buffer.seek(0)
print(np.load(buffer)["a"])
