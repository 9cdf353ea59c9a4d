"""The sentence, the formula and the description of a text that one cell reads."""

from __future__ import annotations

from lessons.lstm.reader_picture import Reading, is_falling, scores_of

FOLLOWS = 0.75
"""A unit that follows a property less than this does not follow it; for the position, |r|."""
WHAT = {
    "inside quotes": ("the quotes", "inside", "outside"),
    "inside brackets": ("the brackets", "inside", "outside"),
    "position in line": ("the position in the line", "", ""),
}


def named(reading: Reading) -> str:
    """What the unit is called."""
    return f"{'Cell' if reading.kind[-1] == 'c' else 'Hidden unit'} {reading.unit}"


def follows(reading: Reading) -> bool:
    """Whether the unit follows the property."""
    return float(scores_of(reading.units, reading.label)[reading.unit]) >= FOLLOWS


def sentence(reading: Reading) -> str:
    """Whether the unit follows the property, with its number, as a template."""
    what, inside, outside = WHAT[reading.label]
    does = "follows" if follows(reading) else "does not follow"
    start = f"**{named(reading)} {does} {what}**"
    if not inside:
        moves = "falls" if is_falling(reading) else "rises"
        if not follows(reading):
            return f"{start}: its value and the position have |r| = =={{follow}}==."
        return f"{start}: it {moves} from line break to line break, |r| = =={{follow}}==."
    if not follows(reading):
        rest = f"always “{outside}” is right for {{usual}}%."
        return f"{start}: it is right for =={{right}}==% of the characters; {rest}"
    return f"{start}: it tells {inside} from {outside} for =={{right}}==% of the characters."


def formula(reading: Reading) -> list[str]:
    """What the unit says at the character, and how well it separates."""
    symbol = reading.kind[-1]
    now = f"[value|{symbol}] = **[value|{{value}}]** at this character"
    if not WHAT[reading.label][1]:
        return [now, f"|r| of {symbol} with the position = {{follow}}"]
    sign = "<" if is_falling(reading) else ">"
    separation = "1 − AUC" if is_falling(reading) else "AUC"
    rule = f"inside if [value|{symbol}] {sign} {{threshold}}: {{right}}% right"
    return [rule, now, f"{separation} = {{follow}}, always “outside”: {{usual}}% right"]


def describe(reading: Reading) -> str:
    """The alt text, as a template."""
    return (
        f"{len(reading.text)} characters, each coloured by {named(reading).lower()}; the property "
        f"is {reading.label}. The unit follows it with {{follow}}, where 1 is perfect. Beside them "
        "the units that follow it best."
    )


def reading_words(unreadable: int, there: int) -> str:
    """What is measured, on what, and how many cells follow none of the properties."""
    return (
        "White is the threshold, or 0; blue is above it, red below. Underlined: where the property "
        "is true. The separation is AUC, or 1 − AUC for a unit that is low inside: 1 is perfect, ½ "
        "is guessing. Unit and threshold are chosen on one text, the numbers are of another; both "
        f"are new to the model. {unreadable} of {there} cells follow none of the three properties. "
        "The LSTM that comes with the app was chosen because it has a cell for each; with other "
        "seeds the quotes are spread over several cells."
    )
