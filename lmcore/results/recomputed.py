"""Printed averages, gains and rounded numbers, recomputed from the numbers beside them.

All arithmetic is exact: decimals and fractions of what is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from lmcore import dataframes
from lmcore.checks import check_one_of
from lmcore.dataframes import Table
from lmcore.results.tables import NOTHING, ResultTable, Row, load_results, read_number

if TYPE_CHECKING:
    from pandas import DataFrame

SAME_SYSTEMS = {
    "GNMT (orig)": "GNMT + RL",
    "ConvSeq2Seq": "ConvS2S",
    "Transformer*": "Transformer (big)",
}
"""Row of the rounded table of translation → row of the full one."""
AVERAGE = "average"


@dataclass(frozen=True, slots=True)
class Check:
    """A printed number, and its recomputation: the arithmetic, and the exact value.

    `key` is the measure of the table that is checked.

    Where nothing is printed to compare with, `printed` is `–`.
    """

    table: str
    row: str
    key: str
    quantity: str
    printed: str
    arithmetic: str
    value: Fraction
    elsewhere: bool = False
    """Whether the value is printed in another place, and not computed."""

    @property
    def rounded(self) -> str:
        """The value with as many decimals as are printed; with one where nothing is printed."""
        said = read_number(self.printed)
        exponent = -1 if said is None else int(said.as_tuple().exponent)
        exact = Decimal(self.value.numerator) / Decimal(self.value.denominator)
        return str(exact.quantize(Decimal(1).scaleb(min(exponent, 0)), ROUND_HALF_UP))

    @property
    def agrees(self) -> bool | None:
        """Whether the value agrees with the printed one; None where nothing is printed."""
        said = read_number(self.printed)
        return None if said is None else Decimal(self.rounded) == said

    def to_frame(self) -> DataFrame:
        """One row: where it is, what is printed, the value, its rounding, whether they agree."""
        return dataframes.one_row(
            {
                "table": self.table,
                "row": self.row,
                "quantity": self.quantity,
                "printed": self.printed,
                "arithmetic": self.arithmetic,
                "recomputed": float(self.value),
                "rounded": self.rounded,
                "agrees": self.agrees,
            }
        )


@lru_cache(maxsize=8)
def recompute(kind: str) -> Table[Check]:
    """The checks of one kind, of `CHECKS`.

    Raises:
        ValueError: if there is no such kind.
    """
    check_one_of("the check", kind, CHECKS)
    return CHECKS[kind]()


def check_glue() -> Table[Check]:
    """The average of each system on GLUE: the mean of its nine printed numbers."""
    table = load_results("glue")
    return Table(_check_average(table, row, [[key] for key in table.scores]) for row in table.rows)


def check_albert() -> Table[Check]:
    """The average of each model: the mean of five tasks, a SQuAD by the mean of its two numbers."""
    table = load_results("albert")
    tasks = [["squad1_f1", "squad1_em"], ["squad2_f1", "squad2_em"], ["mnli"], ["sst"], ["race"]]
    return Table(_check_average(table, row, tasks) for row in table.rows)


def _check_average(table: ResultTable, row: Row, tasks: Sequence[Sequence[str]]) -> Check:
    means = [sum(_exact(table, row, key) for key in task) / len(task) for task in tasks]
    total = Fraction(sum(means))
    arithmetic = f"{_decimal_text(total)} / {len(tasks)}"
    printed = table.printed(row, AVERAGE)
    return Check(table.name, row.name, AVERAGE, "average", printed, arithmetic, total / len(tasks))


def check_elmo() -> Table[Check]:
    """Both increases of each task: in points, and as the share of the baseline's errors."""
    table = load_results("elmo")
    found = list[Check]()
    for row in table.rows:
        before, after = (_exact(table, row, key) for key in ("baseline", "elmo"))
        gain, errors = after - before, 100 - before
        numbers = [_decimal_text(each) for each in (after, before, gain, errors)]
        steps = {
            "absolute": (f"{numbers[0]} − {numbers[1]}", gain),
            "relative": (f"100 · {numbers[2]} / {numbers[3]}", 100 * gain / errors),
        }
        for key, (arithmetic, value) in steps.items():
            label = table.measures[key].label
            printed = table.printed(row, key)
            found.append(Check(table.name, row.name, key, label, printed, arithmetic, value))
    return Table(found)


def check_rounding() -> Table[Check]:
    """The rounded table of translation against the full one."""
    short, full = load_results("wmt_short"), load_results("wmt")
    return Table(
        Check(
            short.name,
            row.name,
            key,
            short.measures[key].label,
            short.printed(row, key),
            f"{SAME_SYSTEMS[row.name]}: {full.printed(full.row(SAME_SYSTEMS[row.name]), key)}",
            _exact(full, full.row(SAME_SYSTEMS[row.name]), key),
            elsewhere=True,
        )
        for row in short.rows
        for key in short.scores
    )


def check_abstract() -> Table[Check]:
    """The scores before BERT that its abstract implies: score less gain; where a table has them."""
    table, glue = load_results("bert_abstract"), load_results("glue")
    known = {"MultiNLI": glue.printed(glue.row("OpenAI GPT"), "mnli_m")}
    return Table(
        Check(
            table.name,
            row.name,
            "gain",
            "best before BERT",
            known.get(row.name, NOTHING),
            " − ".join(table.printed(row, key) for key in ("score", "gain")),
            _exact(table, row, "score") - _exact(table, row, "gain"),
        )
        for row in table.rows
    )


def check_twice_printed() -> Table[Check]:
    """Numbers of the same model in two places."""
    places = [
        ("bert_tasks", "BERT base", "mnli", "bert_sizes", "12 / 768 / 12", "mnli"),
        ("bert_tasks", "BERT base", "mrpc", "bert_sizes", "12 / 768 / 12", "mrpc"),
        ("bert_tasks", "BERT base", "sst", "bert_sizes", "12 / 768 / 12", "sst"),
        ("bert_abstract", "GLUE", "score", "glue", "BERT large", AVERAGE),
        ("bert_abstract", "MultiNLI", "score", "glue", "BERT large", "mnli_m"),
    ]
    return Table(_check_place(*place) for place in places)


def _check_place(name: str, row: str, key: str, other: str, there: str, their: str) -> Check:
    one, two = load_results(name), load_results(other)
    printed = one.printed(one.row(row), key)
    again = two.printed(two.row(there), their)
    where = f"{two.title}, {there}: {again}"
    value = _exact(two, two.row(there), their)
    return Check(name, row, key, one.measures[key].label, printed, where, value, elsewhere=True)


def failed_checks(table: str) -> dict[tuple[str, str], Check]:
    """Row and measure of each number of a table that its check does not confirm → the check."""
    found = [check for kind in CHECKS for check in recompute(kind)]
    return {(c.row, c.key): c for c in found if c.table == table and c.agrees is False}


CHECKS: dict[str, Callable[[], Table[Check]]] = {
    "glue": check_glue,
    "albert": check_albert,
    "elmo": check_elmo,
    "rounding": check_rounding,
    "abstract": check_abstract,
    "twice": check_twice_printed,
}


def _exact(table: ResultTable, row: Row, key: str) -> Fraction:
    found = table.decimal(row, key)
    assert found is not None, f"{table.name}, {row.name}, {key}"
    return Fraction(found)


def _decimal_text(value: Fraction) -> str:
    """A sum of printed numbers, which has few decimals."""
    return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
