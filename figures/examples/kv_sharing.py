# MHA, GQA, MQA: кто какие ключи читает
import numpy as np

from attnlib import attention

h, n, d = 6, 2, 4
q = np.zeros((h, n, d))

for h_kv in (6, 3, 1):
    k = np.zeros((h_kv, n, d))
    v = np.arange(h_kv)[:, None, None] * np.ones((h_kv, n, 1))  # значение = номер набора
    print(f"h_kv = {h_kv}: наборы голов", attention(q, k, v)[:, 0, 0])
