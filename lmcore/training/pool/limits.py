"""How many runs a server has, how long one may compute, and how much disk they may take."""

from __future__ import annotations

from dataclasses import dataclass

from lmcore.configuration import configuration

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Runs at once; those of one owner that compute or wait to; seconds of a run's own time after
    which it pauses; MB on disk of all that is saved."""

    runs: int = 1000
    each: int = 6
    seconds: int = 1800
    mb: int = 4000

    @classmethod
    def configured(cls) -> Limits:
        """What the server is set to."""
        said = configuration()
        return cls(said.runs, said.runs_per_session, said.run_seconds, said.runs_mb)

    @property
    def bytes(self) -> int:
        """The disk that saved runs may take."""
        return self.mb * MB

    @property
    def long_enough(self) -> str:
        """Why a run pauses by itself."""
        return f"it has computed {self.seconds:,} s, the most at once; resumed, it has as many more"

    def number(self, known: int, wanted: int) -> None:
        """Raises ValueError if so many runs more would be too many for the server."""
        if known + wanted > self.runs:
            raise ValueError(
                f"the server must have fewer than {self.runs} runs to begin another; "
                "stop one, or try again in a while"
            )

    def share(self, live: int, wanted: int) -> None:
        """Raises ValueError if so many more that compute or wait were too many for one owner."""
        if live + wanted > self.each:
            raise ValueError(
                f"the runs of one visitor that compute or wait must be at most {self.each}; "
                f"got {live + wanted}: pause or stop one first"
            )

    def room(self, used: int, wanted: int = 0) -> None:
        """Raises ValueError if the disk for runs is full, or would be with so many bytes more."""
        if used + wanted >= self.bytes:
            raise ValueError(
                f"the saved runs must take less than {self.mb:,} MB to begin another; got "
                f"{(used + wanted) / MB:,.0f} MB: try again when some have been forgotten"
            )
