# Что достижимо одной головой и двумя
import numpy as np

from attnlib import attention

values = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])  # три значения на плоскости
look = np.array(
    [
        [[4.0, 0.0, 4.0]],  # одна голова: к 0 и к 2 сразу
        [[9.0, 0.0, 0.0]],  # две головы: одна к 0,
        [[0.0, 0.0, 9.0]],
    ]
)  # другая к 2
q = np.zeros((3, 1, 1))
k = np.zeros((3, 3, 1))
v = np.stack([values] * 3)

attention(q, k, v, bias=look).round(2)
