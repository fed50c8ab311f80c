# Почему запрет — это не нулевая оценка
import numpy as np

from attnlib import pitfalls, softmax

scores = np.array([1.0, 2.0, 3.0])
mask = np.array([True, True, False])

print("верно:             ", softmax(scores, mask=mask))
print("оценка 0:          ", pitfalls.mask_by_zero_score(scores, mask))
print("маска после softmax:", pitfalls.mask_after_softmax(scores, mask))
