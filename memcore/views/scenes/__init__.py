"""The six scenes of the Present page, each from recorded data: figure, sentence, twin, quotes.

A scene without material is left out and named as such by the page; nothing is made up for it.
"""

from __future__ import annotations

from collections.abc import Callable

from memcore.views.scenes.change import changed
from memcore.views.scenes.chords import chords
from memcore.views.scenes.failure import Failed, failure
from memcore.views.scenes.link import link
from memcore.views.scenes.receipts import receipts
from memcore.views.scenes.shown import Scene, Shown
from memcore.views.scenes.talk import talk


def scenes(shown: Shown, failed: Failed | None) -> tuple[Scene | None, ...]:
    """Return the six scenes in their order, None for one without material."""
    made: tuple[Callable[[Shown], Scene | None], ...] = (talk, changed, chords, link, receipts)
    return (*(scene(shown) for scene in made), failure(failed) if failed else None)
