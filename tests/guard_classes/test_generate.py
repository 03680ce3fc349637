"""The generator itself: the same for the same seed, 600 parse trees per class, well-formed, none of the known ones."""

from __future__ import annotations

import json
from random import Random

import pytest

from tests.examples import some
from tests.guard_classes.everyday import everyday
from tests.guard_classes.generate import DATA, guided, members
from tests.guard_classes.grammar import Grammar
from tests.guard_classes.quoting import requoted
from tests.guard_classes.registry import CLASSES, RiskClass
from tests.guard_classes.shape import is_whole, shape


def test_the_classes_are_those_of_the_data() -> None:
    known = {json.loads(line)["class"] for line in (DATA / "guided.jsonl").read_text().splitlines()}
    assert {risk.name for risk in CLASSES} == known
    assert len(CLASSES) == 33


@pytest.mark.examples
@pytest.mark.parametrize("risk", some(CLASSES, 3), ids=lambda risk: risk.name)
def test_a_class_has_600_shapes_and_none_that_is_known(risk: RiskClass) -> None:
    made = list(members(risk, shapes=600, plain=20))
    own = [shape(member.command) for member in made if member.new_shape]
    assert len(own) == len(set(own)) == 600
    assert not {member.command for member in made} & guided()
    assert all(is_whole(member.command) for member in made)


def test_the_same_seed_gives_the_same_members() -> None:
    first = [member.command for member in members(CLASSES[0], seed=3, shapes=50)]
    assert first == [member.command for member in members(CLASSES[0], seed=3, shapes=50)]
    assert first != [member.command for member in members(CLASSES[0], seed=4, shapes=50)]


def test_shape_forgets_names_and_keeps_structure() -> None:
    assert shape("cat README.md | head") == shape("rm src | tail")
    assert shape("cat 'a b'") == shape("ls 'x'")
    assert shape("cat a") != shape("cat 'a'")
    assert shape("cat a | b") != shape("cat a && b")
    assert shape("cat a > b") != shape("cat a >> b")


def test_requoting_leaves_patterns_variables_and_strings_alone() -> None:
    rng = Random(1)
    for _ in range(50):
        text = requoted("cat *.txt $x 'a b' ~/c src/app.py", rng, 1.0)
        assert all(part in text for part in ("*.txt", "$x", "'a b'", "~/c"))
        assert "cat *" not in text


def test_a_bound_slot_is_the_same_everywhere_in_a_member() -> None:
    grammar = Grammar({"start": ["<V> <V>"], "V": [str(number) for number in range(99)]})
    for seed in range(20):
        first, second = grammar.expand(Random(seed)).split()
        assert first == second


def test_everyday_commands_are_2000_well_formed_and_the_same_each_time() -> None:
    commands = list(everyday())
    assert len(set(commands)) == 2000
    assert commands == list(everyday())
    assert all(is_whole(command) for command in commands)
