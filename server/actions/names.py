"""Display names: what may be shown of a person's choice, in every script that people write their names in."""

import unicodedata
from typing import Final

from precis_i18n import get_profile

from server.errors import GameError

#: Longest name, in characters.
LONGEST: Final = 24

_profile = get_profile("NicknameCasePreserved")
_FOLDS: Final = str.maketrans({"ı": "i", "\u0307": "", "ك": "ک", "ي": "ی", "ى": "ی"})


def clean_name(text: str) -> str:
    """The name as it is stored and shown. Raises ``name/invalid``.

    PRECIS NicknameCasePreserved decides on characters and spaces; a name must also have a letter or digit, and its
    letters must come from one script (with Latin beside them only where all are Latin), so that no name can look like
    another one.
    """
    try:
        name = str(_profile.enforce(text))
    except UnicodeError as error:
        raise GameError("name/invalid", "a name has characters that cannot be shown") from error
    if not 1 <= len(name) <= LONGEST:
        raise GameError("name/invalid", f"a name has 1 to {LONGEST} characters")
    if not any(c.isalnum() for c in name):
        raise GameError("name/invalid", "a name has a letter or a digit")
    if len({_script(c) for c in name if c.isalpha()}) > 1:
        raise GameError("name/invalid", "a name is written in one script")
    return name


def _script(letter: str) -> str:
    """The script of a letter, as the first word of its Unicode name; the scripts of Japanese count as one."""
    word = unicodedata.name(letter, "UNKNOWN").split(" ")[0].split("-")[0]
    return "CJK" if word in {"CJK", "HIRAGANA", "KATAKANA"} else word


def collision_key(name: str) -> str:
    """Two names with one key are too alike to stand side by side: case, width, dotted and dotless i, kaf and yeh."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_FOLDS)
