"""Stems against those that NLTK 3.9's PorterStemmer gives, written down from it."""

from __future__ import annotations

import pytest

from memcore.evaluation.porter import stem

NLTK = (
    "skies sky, dying die, news news, innings inning, proceed proceed, dies die, tied tie, cries cri, "
    "as as, is is, us us, was wa, day day, days day, enjoy enjoy, enjoying enjoy, happily happili, "
    "flies fli, fly fli, age age, ages age, eye eye, ice ice, used use, using use, useful use, "
    "emotionally emot, totally total, really realli, incredibly incred, possibly possibl, "
    "hopefully hope, running run, paintings paint, counseling counsel, adoption adopt, "
    "agencies agenc, hiking hike, hopping hop, adding ad, relational relat, 2023 2023, goodbye goodby"
)


@pytest.mark.parametrize("pair", NLTK.split(", "))
def test_the_stem_is_nltks(pair):
    word, expected = pair.split()
    assert stem(word) == expected
