"""The talk of these tests and the parts that read it: the real annotator, hashed words."""

from __future__ import annotations

from memcore.annotate.rules import RulesAnnotator
from memcore.embedders.hashing import HashingEmbedder
from memcore.evolution.extract import LocalExtractor
from memcore.readers.extractive import ExtractiveReader
from memcore.seams import Parts
from memcore.settings import SAFE

ANNOTATOR = RulesAnnotator()
PARTS = Parts(HashingEmbedder(), ANNOTATOR, LocalExtractor(), ExtractiveReader(ANNOTATOR, SAFE))
QUESTIONS = (
    "Where did Ruth live before Ghent?",
    "What did Clara do at the museum in May?",
)
