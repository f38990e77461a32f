"""The forward pass of a BERT encoder, without what the library wraps around each layer.

A question has a dozen pieces, and of the time that the library takes for them a third goes into
its wrappers. Here are the same operations on the same weights, query, key and value as one
product; a test compares both. Turned down: tracing, which is deprecated, and weights of 8 bits,
twice as fast, but the vectors then point elsewhere (mean cosine 0.95 with the exact ones).

A piece's vector is its unit vector after the last layer plus half of that two layers before, which
holds more of the word and less of the sentence. Against the last layer alone, by `memcore fit`,
`best` gains 0.9 points of R@5 and 0.4 of MRR and loses 0.1 of R@10, at the same price; the sweep
of other parts and layers is in docs/retrieval.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import torch
    from torch import Tensor


EARLIER: Final = 2
"""How many layers before the last the other part of a vector comes from."""
EARLIER_WEIGHT: Final = 0.5
"""What that part weighs."""


@dataclass(frozen=True, slots=True, eq=False)
class _Affine:
    """A weight with its bias: of a linear map, or of a normalisation."""

    weight: Tensor
    bias: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    attention: _Affine
    joined: _Affine
    norm: _Affine
    wide: _Affine
    narrow: _Affine
    last_norm: _Affine


@dataclass(frozen=True, slots=True, eq=False)
class Bert:
    """The weights of a BERT encoder, in the order of their use.

    `places` are the vectors of the positions with that of the only segment added.
    """

    words: Tensor
    places: Tensor
    norm: _Affine
    layers: tuple[_Layer, ...]
    heads: int
    epsilon: float

    def __call__(self, ids: Tensor) -> Tensor:
        """Return the vectors of pieces, shape (texts, pieces, d); their length means nothing.

        Args:
            ids: numbers of pieces with the marks that open and close a text, shape (texts,
                pieces): texts of one length, nothing padded.
        """
        import torch

        with torch.inference_mode():
            held = self._normed(self.words[ids] + self.places[: ids.shape[1]], self.norm)
            after = [held := self._passed(held, layer) for layer in self.layers]
            last = torch.nn.functional.normalize(after[-1], dim=-1)
            if len(after) <= EARLIER:
                return last
            earlier = torch.nn.functional.normalize(after[-1 - EARLIER], dim=-1)
            return last + EARLIER_WEIGHT * earlier

    def _passed(self, held: Tensor, layer: _Layer) -> Tensor:
        from torch.nn.functional import gelu

        held = self._normed(held + self._attended(held, layer), layer.norm)
        wide = gelu(_mapped(held, layer.wide))
        return self._normed(held + _mapped(wide, layer.narrow), layer.last_norm)

    def _attended(self, held: Tensor, layer: _Layer) -> Tensor:
        from torch.nn.functional import scaled_dot_product_attention

        texts, pieces, width = held.shape
        split = _mapped(held, layer.attention).view(texts, pieces, 3, self.heads, -1)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(query, key, value)
        return _mapped(seen.transpose(1, 2).reshape(texts, pieces, width), layer.joined)

    def _normed(self, held: Tensor, norm: _Affine) -> Tensor:
        from torch.nn.functional import layer_norm

        return layer_norm(held, held.shape[-1:], norm.weight, norm.bias, self.epsilon)


def bert(model: torch.nn.Module) -> Bert | None:
    """Return the weights of a BERT model; None for a model of another kind."""
    config = getattr(model, "config", None)
    if type(model).__name__ != "BertModel" or getattr(config, "hidden_act", "") != "gelu":
        return None
    weights = {name: value.detach() for name, value in model.named_parameters()}
    count = int(getattr(config, "num_hidden_layers", 0))
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    return Bert(
        weights["embeddings.word_embeddings.weight"],
        weights["embeddings.position_embeddings.weight"] + segment,
        _affine(weights, "embeddings.LayerNorm"),
        tuple(_layer(weights, f"encoder.layer.{n}.") for n in range(count)),
        int(getattr(config, "num_attention_heads", 1)),
        float(getattr(config, "layer_norm_eps", 0.0)),
    )


def _layer(weights: Mapping[str, Tensor], at: str) -> _Layer:
    import torch

    three = [_affine(weights, f"{at}attention.self.{name}") for name in ("query", "key", "value")]
    return _Layer(
        _Affine(torch.cat([p.weight for p in three]), torch.cat([p.bias for p in three])),
        _affine(weights, f"{at}attention.output.dense"),
        _affine(weights, f"{at}attention.output.LayerNorm"),
        _affine(weights, f"{at}intermediate.dense"),
        _affine(weights, f"{at}output.dense"),
        _affine(weights, f"{at}output.LayerNorm"),
    )


def _affine(weights: Mapping[str, Tensor], name: str) -> _Affine:
    return _Affine(weights[f"{name}.weight"], weights[f"{name}.bias"])


def _mapped(held: Tensor, by: _Affine) -> Tensor:
    from torch.nn.functional import linear

    return linear(held, by.weight, by.bias)
