"""The words of chats with machines: which role a speaker's word stands for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from memcore.types import PersonKind, Role

ROLES: Mapping[str, Role] = MappingProxyType(
    {
        "user": Role.USER,
        "human": Role.USER,
        "me": Role.USER,
        "you": Role.USER,
        "assistant": Role.ASSISTANT,
        "ai": Role.ASSISTANT,
        "gpt": Role.ASSISTANT,
        "chatgpt": Role.ASSISTANT,
        "claude": Role.ASSISTANT,
        "bing": Role.ASSISTANT,
        "bard": Role.ASSISTANT,
        "model": Role.ASSISTANT,
        "bot": Role.BOT,
    }
)


def role_of(word: str, default: Role = Role.PERSON) -> Role:
    """Return the role that a word stands for, else the default."""
    return ROLES.get(word.strip().casefold(), default)


def kind_of(word: str) -> PersonKind:
    """Return what a speaker of that word is."""
    role = role_of(word)
    if role is Role.ASSISTANT:
        return PersonKind.ASSISTANT
    return PersonKind.BOT if role is Role.BOT else PersonKind.HUMAN
