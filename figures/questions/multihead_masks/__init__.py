"""The self-check of the lesson «Многоголовость и маски»."""

from __future__ import annotations

from figures.questions.model import Question
from figures.questions.multihead_masks import causal, heads, kv_sharing, noise, other_masks, work


def questions() -> tuple[Question, ...]:
    """All questions, in the order of the lesson's sections."""
    return (
        heads.split_pattern(),
        heads.more_heads(),
        noise.cosine_spread(),
        causal.zero_score(),
        causal.forbidden_row(),
        work.used_share(),
        work.tile_work(),
        other_masks.forgotten_padding(),
        other_masks.window_keys(),
        kv_sharing.cache_size(),
    )
