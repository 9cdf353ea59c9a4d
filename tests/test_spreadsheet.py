import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.spreadsheet import decode, read_rows, without_index

TABLE = 'text;label\r\n"très bien; vraiment";1\r\n\r\nla fin;0\r\n'
CELLS = [("text", "label"), ("très bien; vraiment", "1"), ("la fin", "0")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encodings_of_spreadsheets_are_read(encoding):
    assert [row.cells for row in read_rows(decode(TABLE.encode(encoding)))] == CELLS


def test_a_workbook_is_no_text():
    with pytest.raises(ValueError, match=r"got byte 0x00 at byte 3, as in a workbook"):
        decode(b"PK\0")
    with pytest.raises(ValueError, match=r"in UTF-8 or Windows-1252; got other bytes"):
        decode(b"caf\x81")


cells = st.text(st.sampled_from('ab é,;\t"\n'), min_size=1, max_size=8).map(lambda t: f"w{t}w")


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=8), st.sampled_from(",;\t"))
def test_what_a_spreadsheet_writes_is_read_back(rows, delimiter):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
    for text in (file.getvalue(), f"\ufeffsep={delimiter}\r\n{file.getvalue()}"):
        assert [row.cells for row in read_rows(text)] == rows


def test_a_line_is_that_of_the_file():
    assert [row.line for row in read_rows('sep=;\na;"b\nc"\n\nd;e')] == [2, 5]
    with pytest.raises(ValueError, match="line 3 must have its quotes in pairs"):
        read_rows('a,b\n\n"c,d')


@pytest.mark.parametrize("first", [("", "0", "1"), ("id", "1", "2"), ("0", "1", "2")])
def test_a_column_of_row_numbers_is_left_out(first):
    rows = read_rows("\n".join(f"{number},a,b" for number in first))
    assert {row.cells for row in without_index(rows, 2)} == {("a", "b")}
    assert without_index(rows, 3) == rows


def test_other_numbers_in_front_are_no_row_numbers():
    for table in ("0,a,b\n2,a,b", "7,a,b\n8,a,b", "0,a,b\n1,a", "x,a,b"):
        rows = read_rows(table)
        assert without_index(rows, 2) == rows
