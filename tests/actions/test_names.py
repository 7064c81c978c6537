"""Display names: what is shown of a person's choice, and which two are too alike (DESIGN 2)."""

import pytest

from server.actions.names import LONGEST, clean_name, collision_key
from server.errors import GameError


@pytest.mark.parametrize(
    ("wish", "shown"),
    [
        ("  Ada ", "Ada"), ("İsmail Çağrı", "İsmail Çağrı"), ("ıIiİ", "ıIiİ"), ("محمد علی", "محمد علی"),
        ("علي 7", "علي 7"), ("Ольга", "Ольга"), ("김철수", "김철수"),
        ("ひらがなカタカナ漢字", "ひらがなカタカナ漢字"), ("ﬁn", "fin"),
        ("e\u0301", "é"), ("R2-D2", "R2-D2"), ("x" * LONGEST, "x" * LONGEST),
    ],
)  # fmt: skip
def test_names_in_one_script_are_kept_in_their_composed_form(wish: str, shown: str) -> None:
    assert clean_name(wish) == shown
    assert clean_name(shown) == shown  # what is shown is a name itself


@pytest.mark.parametrize(
    "wish",
    ["", "   ", "x" * (LONGEST + 1), "--", "Adа", "ﺍda", "a\u202eb", "a\u200db", "a\tb", "a\x00", "\ufeffAda", "αb"],
)
def test_names_that_deceive_are_refused(wish: str) -> None:
    with pytest.raises(GameError) as refused:
        clean_name(wish)
    assert refused.value.code == "name/invalid"
    assert not wish.strip() or wish not in refused.value.message


@pytest.mark.parametrize(
    "wish",
    ["a\u2800b", "\u2800a", "a\u3164", "a\uffa0", "Z" + "\u0335\u0322\u0334\u0321" + "o", "a" + "\u0301" * 5,
     "Guest 0042", "guest  0042", "GUEST0042", "Guest ００４２"],
)  # fmt: skip
def test_names_that_show_nothing_are_piled_up_or_are_given_to_guests_are_refused(wish: str) -> None:
    with pytest.raises(GameError) as refused:
        clean_name(wish)
    assert refused.value.code == "name/invalid"


@pytest.mark.parametrize(
    "name", ["Nguyễn Thị Bưởi", "مُحَمَّد", "اُردُو", "Ngữ", "Guest", "Guest 7", "Guest 00421", "Guests 0042"]
)
def test_marks_as_people_write_them_and_other_guests_are_kept(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ADA"),
        ("Şule", "ŞULE"),
        ("ısı", "ISI"),
        ("İnci", "inci"),
        ("علي", "علی"),
        ("كتاب", "کتاب"),
        ("Ａda", "ada"),
    ],
)
def test_names_that_differ_by_case_dot_width_or_kaf_and_yeh_collide(one: str, other: str) -> None:
    assert collision_key(one) == collision_key(other)


def test_other_names_do_not_collide() -> None:
    names = ["Ada", "Ade", "Şule", "Sule", "علی", "علا", "7"]
    assert len({collision_key(name) for name in names}) == len(names)
