"""Ten English words in two senses, seven sentences each: written for this page, none of them tuned.

The eight words of the lecture's Person A and Person B, and the nail and the beam of “The nail hit
the beam behind the wall.”
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class SenseSentences(NamedTuple):
    """A sense in a few words, and sentences in which the word has it."""

    gloss: str
    sentences: tuple[str, ...]


ENGLISH_SENSES: Mapping[str, tuple[SenseSentences, SenseSentences]] = {
    "fine": (
        SenseSentences(
            "well",
            (
                "I feel fine today, thank you.",
                "The patient was fine after the operation.",
                "Do not worry, everything will be fine.",
                "She said she was fine and went back to bed.",
                "My mother is doing fine in her new home.",
                "The dog looked fine when we picked him up.",
                "You will be fine if you drink some water.",
            ),
        ),
        SenseSentences(
            "a penalty",
            (
                "He had to pay a fine for parking on the bridge.",
                "The court raised the fine to two hundred dollars.",
                "The police gave her a fine for driving too fast.",
                "The company received a large fine for breaking the law.",
                "The judge gave him the choice of prison or a fine.",
                "The library charged a small fine for the late book.",
                "Drivers without a ticket must pay a fine at the office.",
            ),
        ),
    ),
    "great": (
        SenseSentences(
            "very good",
            (
                "I feel great this morning.",
                "We had a great time at the party.",
                "The soup tastes great with a little salt.",
                "What a great idea, let us do that.",
                "Your sister is a great singer.",
                "That was a great film and I want to see it again.",
                "The children did a great job on the stage.",
            ),
        ),
        SenseSentences(
            "large",
            (
                "A great wall surrounds the old city.",
                "The storm did great damage to the coast.",
                "A great number of people left the country.",
                "My life is a great mess.",
                "The ship sank to a great depth.",
                "They carried the stones over a great distance.",
                "A great crowd had gathered in the square.",
            ),
        ),
    ),
    "played": (
        SenseSentences(
            "took part in a game",
            (
                "We played chess until midnight.",
                "The boys played football in the park.",
                "I played the game with my cousin.",
                "She played tennis every Sunday.",
                "They played cards on the train.",
                "Our team played well and won the match.",
                "The children played hide and seek in the garden.",
            ),
        ),
        SenseSentences(
            "deceived",
            (
                "He lied to me and played me for a fool.",
                "I trusted him, and he played me.",
                "She realised that the salesman had played her.",
                "The swindler played them all and took the money.",
                "You have been played by a liar.",
                "He cheated the system and played us.",
                "They felt played when the promise was broken.",
            ),
        ),
    ),
    "game": (
        SenseSentences(
            "play",
            (
                "The children learned a new game at school.",
                "I won the game with my last card.",
                "We watched the game from the third row.",
                "The game lasted two hours and ended in a draw.",
                "This board game is for four players.",
                "Our team lost the first game of the season.",
                "He bought a video game for his son.",
            ),
        ),
        SenseSentences(
            "to exploit",
            (
                "He tried to game the system and was caught.",
                "Some firms game the rules to pay less tax.",
                "Students who game the test learn nothing.",
                "It is easy to game a score that is badly defined.",
                "Banks found a way to game the new law.",
                "Managers will game any target that you set.",
                "You cannot game the voting without being noticed.",
            ),
        ),
    ),
    "partner": (
        SenseSentences(
            "in dance or play",
            (
                "She danced the tango with her partner.",
                "My partner and I won the tennis doubles.",
                "Choose a partner for the next waltz.",
                "He lost his dancing partner in the crowd.",
                "In bridge you may not talk to your partner.",
                "Her skating partner lifted her above the ice.",
                "I played the game with my partner.",
            ),
        ),
        SenseSentences(
            "in business",
            (
                "My business partner was lying to me.",
                "She became a partner in the law firm.",
                "The bank is a partner in the project.",
                "He sold his shares to his partner and left the company.",
                "The contract was signed by the senior partner.",
                "Their largest trading partner raised its tariffs.",
                "The partner who kept the accounts stole the money.",
            ),
        ),
    ),
    "die": (
        SenseSentences(
            "a cube with numbers",
            (
                "She rolled the die and got a six.",
                "A die has six faces.",
                "I could not get that die to show a one.",
                "Throw the die and move your piece.",
                "The die landed on the floor with a four on top.",
                "We lost the die that belongs to this board game.",
                "A fair die shows each number equally often.",
            ),
        ),
        SenseSentences(
            "to stop living",
            (
                "The plants will die without water.",
                "I think I am going to die.",
                "Many soldiers die in every war.",
                "He did not want to die alone in the hospital.",
                "The old dog may die this winter.",
                "Thousands of fish die when the river dries up.",
                "She watched her grandfather die.",
            ),
        ),
    ),
    "lying": (
        SenseSentences(
            "in a flat position",
            (
                "The cat was lying on the sofa.",
                "He is lying in bed with a fever.",
                "Your keys are lying on the kitchen table.",
                "They were lying on the beach in the sun.",
                "A tree was lying across the road.",
                "The boy found a coin lying in the grass.",
                "She spent the morning lying under a blanket.",
            ),
        ),
        SenseSentences(
            "telling an untruth",
            (
                "The witness was lying to the court.",
                "I know that you are lying about the money.",
                "He kept lying to his wife for years.",
                "The president was lying and nobody believed him.",
                "Stop lying and tell me the truth.",
                "The salesman was lying about the price.",
                "She was accused of lying under oath.",
            ),
        ),
    ),
    "rest": (
        SenseSentences(
            "a pause",
            (
                "You look tired and need a rest.",
                "After lunch she took a short rest.",
                "The doctor ordered complete rest for a week.",
                "We stopped for a rest halfway up the mountain.",
                "A night of rest will do you good.",
                "Now I am lying on my bed for a rest.",
                "The workers had an hour of rest at noon.",
            ),
        ),
        SenseSentences(
            "what remains",
            (
                "I ate half of the cake and kept the rest.",
                "He spent the rest of his life in Rome.",
                "Two of us stayed and the rest went home.",
                "Pay half now and the rest next month.",
                "The rest of the money was stolen.",
                "Read the first page and skip the rest.",
                "The first song is good, but the rest of the album is dull.",
            ),
        ),
    ),
    "nail": (
        SenseSentences(
            "of metal",
            (
                "The nail hit the beam behind the wall.",
                "He drove a nail into the board with a hammer.",
                "The picture hangs on a rusty nail.",
                "A nail in the road ruined the tyre.",
                "She pulled the bent nail out of the wood.",
                "The carpenter held a nail between his teeth.",
                "Hang the coat on the nail by the door.",
            ),
        ),
        SenseSentences(
            "of a finger",
            (
                "She broke a nail while opening the can.",
                "He bit the nail of his thumb.",
                "The nail on her little finger was painted red.",
                "The nail of my big toe hurts.",
                "Cut each nail short before you play the guitar.",
                "There was dirt under every nail of his hand.",
                "She filed her nail and put on polish.",
            ),
        ),
    ),
    "beam": (
        SenseSentences(
            "of wood or steel",
            (
                "The nail hit the beam behind the wall.",
                "A heavy oak beam supports the roof.",
                "The crane lifted a steel beam to the top floor.",
                "He hit his head on the low beam of the attic.",
                "Termites had eaten the beam under the floor.",
                "The carpenter sawed the beam in two.",
                "The bridge rests on a single concrete beam.",
            ),
        ),
        SenseSentences(
            "of light",
            (
                "The beam of the lighthouse swept over the sea.",
                "A beam of sunlight fell through the window.",
                "The laser sends a narrow beam to the mirror.",
                "He pointed the beam of his torch at the door.",
                "The beam of the headlights blinded the deer.",
                "A prism splits a beam of white light into colours.",
                "The scanner reads the code with a red beam.",
            ),
        ),
    ),
}
