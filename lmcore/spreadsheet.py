"""Rows of a table as spreadsheets save or copy it.

Cells are separated by commas, semicolons or tabs; a first line `sep=;` names the separator. Bytes
are UTF-8 or UTF-16 with a byte order mark, UTF-8, or Windows-1252, in this order.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence
from typing import NamedTuple

_NAMED = re.compile(r"sep=([\t;,])[ \t]*\n", re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_WITH_MARK = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


class Row(NamedTuple):
    """A row that is not blank; `line` is where it begins, from 1."""

    line: int
    cells: tuple[str, ...]


def decode(data: bytes) -> str:
    """The text of a file as spreadsheets write it.

    Raises:
        ValueError: if it is not text.
    """
    encoding = next((name for mark, name in _WITH_MARK.items() if data.startswith(mark)), None)
    if encoding is None and b"\0" in data:
        raise ValueError(
            f"the table must be text; got byte 0x00 at byte {data.index(0) + 1:,}, as in a "
            "workbook: save it as CSV"
        )
    for each in (encoding,) if encoding else ("utf-8", "cp1252"):
        try:
            return data.decode(each)
        except UnicodeDecodeError:
            continue
    raise ValueError("the table must be text in UTF-8 or Windows-1252; got other bytes")


def read_rows(text: str) -> list[Row]:
    """The rows of a table, each cell without the blanks around it.

    Raises:
        ValueError: naming the line whose quotes do not pair up.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    named = _NAMED.match(text)
    delimiter = named[1] if named else _delimiter(text)
    above = 1 if named else 0
    body = text[named.end() :] if named else text
    reader = csv.reader(
        io.StringIO(body, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True
    )
    rows = list[Row]()
    while True:
        line = above + reader.line_num + 1
        try:
            cells = tuple(cell.strip() for cell in next(reader))
        except StopIteration:
            return rows
        except csv.Error as error:
            raise ValueError(f"line {line} must have its quotes in pairs; got {error}") from None
        if any(cells):
            rows.append(Row(line, cells))


def without_index(rows: Sequence[Row], width: int) -> list[Row]:
    """The rows without a column of row numbers in front, where that leaves `width` cells in each.

    Such a column counts up by one, from 0 or 1; its name, if it has one, is above.
    """
    if {len(row.cells) for row in rows} != {width + 1}:
        return list(rows)
    first = [row.cells[0] for row in rows]
    below = first if first[0].isdecimal() else first[1:]
    if not below or below[0] not in ("0", "1"):
        return list(rows)
    start = int(below[0])
    if below != [str(start + n) for n in range(len(below))]:
        return list(rows)
    return [row._replace(cells=row.cells[1:]) for row in rows]


def _delimiter(text: str) -> str:
    """The first of tab and semicolon that most lines have outside of quotes, else a comma."""
    lines = [line for line in _QUOTED.sub("quoted", text).split("\n") if line.strip()]
    most = (each for each in "\t;" if 2 * sum(each in line for line in lines) > len(lines))
    return next(most, ",")
