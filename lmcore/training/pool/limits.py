"""The limits of a server: number of runs, time of a run, disk space of all."""

from __future__ import annotations

from dataclasses import dataclass

from lmcore.configuration import configuration

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits on runs, owners, time and disk space.

    They are the most runs in all, the most active or waiting runs of one owner, the seconds of
    computing after which a run pauses, and the MB of all saved files.
    """

    runs: int = 1000
    each: int = 6
    seconds: int = 1800
    mb: int = 4000

    @classmethod
    def configured(cls) -> Limits:
        """The limits from the server's configuration."""
        settings = configuration()
        return cls(settings.runs, settings.runs_per_session, settings.run_seconds, settings.runs_mb)

    @property
    def bytes(self) -> int:
        """The disk space for saved runs, in bytes."""
        return self.mb * MB

    @property
    def long_enough(self) -> str:
        """The message of a run that paused at the time limit."""
        return (
            f"paused after {self.seconds:,} s of computing, the limit; Resume allows as many again"
        )

    def check_number(self, known: int, wanted: int) -> None:
        """Raises ValueError if `wanted` more runs would be too many for the server."""
        if known + wanted > self.runs:
            raise ValueError(
                f"The server has no room for another run (limit {self.runs}). "
                "Stop one, or try again later."
            )

    def check_owner(self, live: int, wanted: int) -> None:
        """Raises ValueError if `wanted` more active or waiting runs are too many for one owner."""
        if live + wanted > self.each:
            raise ValueError(
                f"A visitor may have at most {self.each} running or waiting runs; this would make "
                f"{live + wanted}. Pause or stop one first."
            )

    def check_disk(self, used: int, wanted: int = 0) -> None:
        """Raises ValueError if `wanted` more bytes would exceed the disk space for runs."""
        if used + wanted >= self.bytes:
            raise ValueError(
                f"The disk space for saved runs is full: the limit is {self.mb:,} MB, this needs "
                f"{(used + wanted) / MB:,.0f} MB. Try again when old runs have been deleted."
            )
