"""Display names: what may be shown of a person's choice, in every script that people write their names in."""

import re
import unicodedata
from typing import Final

from precis_i18n import get_profile

from server.errors import GameError

#: Longest name, in characters.
LONGEST: Final = 24

#: Marks on one letter: Vietnamese has two, Urdu seldom three.
MARKS: Final = 3

#: Characters that show nothing although Unicode counts them among letters and symbols: Braille without dots, the
#: fillers of Hangul, the null notehead.
BLANK: Final = frozenset("\u2800\u115f\u1160\u3164\uffa0\U0001d159")

#: Names made of an id, for guests who chose none; nobody may choose one of them.
_GIVEN: Final = re.compile(r"guest\s*[0-9]{4}", re.IGNORECASE)

_profile = get_profile("NicknameCasePreserved")
_FOLDS: Final = str.maketrans({"ı": "i", "\u0307": "", "ك": "ک", "ي": "ی", "ى": "ی"})


def clean_name(text: str) -> str:
    """The name as it is stored and shown. Raises ``name/invalid``.

    PRECIS NicknameCasePreserved decides on characters and spaces; a name must also have a letter or digit, and its
    letters must come from one script, so that letters of another one cannot pass for them. Look-alikes within a script
    remain. Characters that show nothing and heaps of marks are refused, and so are the names that guests are given.
    """
    try:
        name = str(_profile.enforce(text))
    except UnicodeError as error:
        raise GameError("name/invalid", "a name has characters that cannot be shown") from error
    if not 1 <= len(name) <= LONGEST:
        raise GameError("name/invalid", f"a name has 1 to {LONGEST} characters")
    if any(c in BLANK for c in name):
        raise GameError("name/invalid", "a name has no characters that show nothing")
    if _most_marks(name) > MARKS:
        raise GameError("name/invalid", f"a letter has at most {MARKS} marks")
    if _GIVEN.fullmatch(unicodedata.normalize("NFKC", name)):
        raise GameError("name/invalid", "this name is one of those that guests without a name are given")
    if not any(c.isalnum() for c in name):
        raise GameError("name/invalid", "a name has a letter or a digit")
    if len({_script(c) for c in name if c.isalpha()}) > 1:
        raise GameError("name/invalid", "a name is written in one script")
    return name


def _most_marks(name: str) -> int:
    """The longest row of marks that stand on one letter, in decomposed form: no writing of the world has many."""
    most = row = 0
    for character in unicodedata.normalize("NFD", name):
        row = row + 1 if unicodedata.category(character) in {"Mn", "Me"} else 0
        most = max(most, row)
    return most


def _script(letter: str) -> str:
    """The script of a letter, as the first word of its Unicode name; the scripts of Japanese count as one."""
    word = unicodedata.name(letter, "UNKNOWN").split(" ")[0].split("-")[0]
    return "CJK" if word in {"CJK", "HIRAGANA", "KATAKANA"} else word


def collision_key(name: str) -> str:
    """Two names with one key are too alike to stand side by side: case, width, dotted and dotless i, kaf and yeh."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_FOLDS)
