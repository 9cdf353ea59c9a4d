"""A word's tree has the pieces of `tokenizers` on top, and below them the merges that made them."""

import pytest

from lmcore.tokenization import library, merges, pieces, texts, trees
from lmcore.tokenization.pieces import UNKNOWN
from lmcore.tokenization.rules import MERGE_RULES

WORDS = ("flightless", "penguin", "a", "fearless", "the", "less", "naïve", "flightless")
RULES = tuple(MERGE_RULES)


def trained(name, source="birds", types=200):
    return merges.train(texts.shipped_word_counts(source), MERGE_RULES[name], types)


@pytest.mark.parametrize("source", ["birds", "classic"])
@pytest.mark.parametrize("name", RULES)
def test_the_pieces_on_top_are_those_of_tokenizers_after_every_merge(name, source):
    trace = trained(name, source)
    grown = trees.merge_trees(WORDS, trace)
    assert [tree.word for tree in grown] == [*WORDS]
    for n in range(len(trace.merges) + 1):
        reader = library.build_tokenizer(trace, n)
        for tree in grown:
            assert list(tree.pieces(n)) == reader.encode(tree.word).tokens, (n, tree.word)


@pytest.mark.parametrize("name", RULES)
def test_every_node_joins_the_two_parts_of_its_merge(name):
    trace = trained(name)
    for tree in trees.merge_trees(WORDS, trace):
        letters = len(tree.word)
        assert [(node.start, node.end) for node in tree.nodes[:letters]] == [
            (i, i + 1) for i in range(letters)
        ]
        for node in tree.nodes[letters:]:
            if node.piece == UNKNOWN:
                assert (node.start, node.end, node.merge) == (0, letters, 0)
                continue
            left, right = (tree.nodes[i] for i in node.parts)
            merge = trace.merges[node.merge - 1]
            assert merge.pair == (left.piece, right.piece) and merge.piece == node.piece
            assert node.times == merge.count and left.end == right.start
            assert (node.start, node.end) == (left.start, right.end)
            assert node.since == max(node.merge, left.since, right.since)
            bare = trace.rule.bare(node.piece)
            assert tree.word[node.start : node.end] == bare


@pytest.mark.parametrize("name", RULES)
def test_the_pieces_cover_the_word_and_exist_by_then(name):
    trace = trained(name)
    for tree in trees.merge_trees(WORDS, trace):
        assert tree.tops[0].merges == 0
        for each in tree.tops:
            row = [tree.nodes[i] for i in each.nodes]
            assert [node.start for node in row] == [0, *(node.end for node in row[:-1])]
            assert row[-1].end == len(tree.word)
            assert all(node.since <= each.merges for node in row)


@pytest.mark.parametrize("name", RULES)
def test_the_trees_change_where_the_segmentation_does(name):
    trace = trained(name, "story", 300)
    words = ["said", "the", "unforgettable", "lighthouse"]
    grown = trees.merge_trees(words, trace)
    for cut in pieces.segmentations(words, trace):
        assert tuple(tree.pieces(cut.merges) for tree in grown) == cut.words
    changes = {each.merges for tree in grown for each in tree.tops}
    assert changes == {cut.merges for cut in pieces.segmentations(words, trace)}


def test_a_merge_that_waits_for_a_later_one_comes_after_it():
    """In a word of one repeated letter, a merge may apply only after one that was learned later."""
    counts = texts.own_word_counts("aaa aaaa aaaaa")
    for name in RULES:
        trace = merges.train(counts, MERGE_RULES[name], 30)
        (tree,) = trees.merge_trees(["aaaaaa"], trace)
        for n in range(len(trace.merges) + 1):
            told = library.build_tokenizer(trace, n).encode("aaaaaa").tokens
            assert list(tree.pieces(n)) == told


def test_letters_that_no_text_had():
    (tree,) = trees.merge_trees(["naïve"], trained("wordpiece"))
    assert tree.pieces(74) == (UNKNOWN,) and len(tree.tops) == 1
    (tree,) = trees.merge_trees(["naïve"], trained("bpe"))
    assert tree.pieces(0) == ("n", "a", UNKNOWN, UNKNOWN, "e</w>")
    (tree,) = trees.merge_trees(["a" * 101], trained("wordpiece"))
    assert tree.pieces(3) == (UNKNOWN,)
    with pytest.raises(ValueError, match="at least one letter"):
        trees.merge_trees(["a", ""], trained("bpe"))


def test_a_tree_as_a_table():
    (tree,) = trees.merge_trees(["less"], trained("wordpiece"))
    frame = tree.to_frame()
    assert list(frame) == ["piece", "from letter", "to letter", "merge", "count(a b)"]
    assert frame["piece"][4] == "##es" and frame["merge"][4] == 1 and frame["count(a b)"][4] == 15
