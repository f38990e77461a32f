import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.embedders.bert import bert
from memcore.embedders.hashing import DIMENSIONS, HashingEmbedder
from memcore.embedders.sentence_transformer import SentenceTransformerEmbedder
from memcore.embedders.words import words
from memcore.errors import SeamError

TEXTS = (
    "I went hiking.",
    "",
    "She hiked in the hills yesterday.",
    "我去北京旅游",
    "I went hiking.",
)


@pytest.fixture(scope="module")
def minilm():
    return SentenceTransformerEmbedder()


@pytest.fixture(scope="module", params=["hashing", "sentence_transformer"])
def embedder(request, minilm):
    return {"hashing": HashingEmbedder(), "sentence_transformer": minilm}[request.param]


def test_every_text_has_one_unit_row_of_float32(embedder):
    rows = embedder.encode(TEXTS)
    assert rows.dtype == np.float32
    assert rows.shape[0] == len(TEXTS)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_equal_text_gives_an_equal_row_whatever_stands_beside_it(embedder):
    rows = embedder.encode(TEXTS)
    alone = embedder.encode(["I went hiking."])
    assert (rows[0] == rows[4]).all()
    assert (rows[0] == alone[0]).all()


def test_the_order_of_texts_changes_no_row(embedder):
    assert (embedder.encode(TEXTS[::-1])[::-1] == embedder.encode(TEXTS)).all()


def test_no_texts_give_no_rows_of_the_same_width(embedder):
    assert embedder.encode([]).shape == (0, embedder.encode(["a"]).shape[1])


def test_texts_that_share_words_are_nearer(embedder):
    rows = embedder.encode(["hiking in the hills", "hikes in hills", "tax forms"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


def test_an_embedder_has_a_name(embedder):
    assert embedder.name


def test_a_text_without_words_is_bucket_zero():
    row = HashingEmbedder().encode(["?!"])[0]
    assert row.tolist() == [1.0, *[0.0] * (DIMENSIONS - 1)]


@given(st.lists(st.text(), max_size=4))
def test_any_text_hashes_to_a_unit_row(texts):
    rows = HashingEmbedder().encode(texts)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_chinese_text_is_hashed_by_words():
    assert words("我喜欢北京") == ("我", "喜欢", "北京")


def test_every_word_piece_has_one_unit_row(minilm):
    texts = ["Caroline paints", ""]
    rows = minilm.encode_tokens(texts)
    assert [len(r) for r in rows] == [len(p) for p in minilm.pieces(texts)]
    assert rows[1].shape == (0, 384)
    assert np.linalg.norm(rows[0], axis=1) == pytest.approx(1, abs=1e-5)


def test_pieces_are_the_words_of_the_text(minilm):
    assert minilm.pieces(["a red bike"]) == (("a", "red", "bike"),)


def test_a_model_that_is_not_here_is_refused_by_name(tmp_path):
    with pytest.raises(SeamError, match="no such model"):
        SentenceTransformerEmbedder(str(tmp_path / "absent")).encode(["a"])


def test_the_direct_pass_joins_two_layers_as_the_library_gives_them(minilm):
    """Each layer's vector made a unit vector: the last one, and half of that two layers before."""
    import torch

    texts = ["When did Caroline go to the museum?", "I went hiking."]
    for text, row in zip(texts, minilm.encode_tokens(texts), strict=True):
        ids = torch.tensor(minilm._ids([text]))
        with torch.inference_mode():
            output = minilm._model[0].auto_model(input_ids=ids, output_hidden_states=True)
        last, earlier = (_unit(output.hidden_states[n].numpy()[0, 1:-1]) for n in (6, 4))
        assert np.abs(row - _unit(last + 0.5 * earlier)).max() < 1e-5


def _unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def test_equal_text_gives_equal_token_rows_whatever_stands_beside_it(minilm):
    together = minilm.encode_tokens(["I went hiking.", "We went hiking.", "I love tea."])
    assert (together[0] == minilm.encode_tokens(["I went hiking."])[0]).all()


def test_a_model_that_is_no_bert_is_left_to_the_library():
    import torch

    assert bert(torch.nn.Linear(2, 2)) is None
