"""The map of the models: its boxes name pages, and every page with the map has a box on it."""

from dataclasses import replace

from ui import contents
from ui.course_map import COLUMNS, PARTS, has_map

BOXES = [box for column in COLUMNS for box in column.boxes]


def test_every_page_that_has_the_map_is_on_it():
    mapped = {page.slug for page in contents.PAGES if has_map(page)}
    assert mapped == {page.slug for page in contents.PAGES if page.part in PARTS}
    assert mapped <= {box.page for box in BOXES}
    assert {"pretraining", "use"} <= set(PARTS) <= set(contents.PARTS)
    assert {"transformer", "bert", "results"} <= mapped and "neuron" not in mapped


def test_a_page_without_a_box_has_no_map():
    bert = contents.page("bert")
    assert has_map(bert) and not has_map(replace(bert, slug="temperature"))


def test_every_box_names_a_page_and_no_label_is_there_twice():
    assert all(contents.page(box.page) for box in BOXES)
    labels = [box.label for box in BOXES]
    assert len(set(labels)) == len(labels)


def test_the_block_is_framed_between_its_input_and_the_whole_model():
    (transformer,) = [column for column in COLUMNS if column.title == "Transformer"]
    before, block, after = transformer.groups
    assert (before.frame, after.frame) == ("", "") and block.frame
    pages = [[box.page for box in row] for row in block.rows]
    assert pages == [["attention"], ["heads", "masking"], ["transformer"]]
