"""Inputs by the million, put to the targets: `make fuzz`, or `python -m tests.fuzz.fuzzing --seconds 60 words`.

Guided by what an input reaches where atheris is installed, else by hypothesis alone. An input is a finding that breaks
a law, raises what nobody catches, or computes for more than a second; it is kept in the folder `cases`, where the
ordinary run puts it to its target for ever."""

import argparse
import hashlib
import importlib.util
import random
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import LONGEST, TARGETS, Target
from tests.mail.mutation import mutated

CASES = Path(__file__).parent / "cases"
MOST = 1.0  # seconds of computing for an input
_GUIDED_MOST = (
    25  # seconds after which a guided input is looked at; what reaches are counted takes many times longer
)
_ROUND = 200  # inputs of hypothesis between two looks at the clock


class TooSlow(AssertionError):
    """An input that computes for too long."""


def put(target: Target, data: bytes) -> None:
    """The input to its target. Raises whatever is wrong."""
    before = time.process_time()
    target.run(data[:LONGEST])
    taken = time.process_time() - before
    if taken > MOST * target.times:  # a second look: what is set up once is no input's fault
        before = time.process_time()
        target.run(data[:LONGEST])
        taken = min(taken, time.process_time() - before)
    if taken > MOST * target.times:
        raise TooSlow(f"{taken:.1f} s")


def kept(name: str, data: bytes) -> Path:
    """The finding's file."""
    CASES.mkdir(exist_ok=True)
    path = CASES / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


def cases() -> Iterator[tuple[str, Path]]:
    """Each finding that was kept, with its target's name."""
    return ((path.name.partition("-")[0], path) for path in sorted(CASES.glob("*-*")))


def inputs(target: Target) -> st.SearchStrategy[bytes]:
    """A seed changed at some places, or words put together."""
    seeds, words = target.seeds(), target.words()
    changed = st.integers(0, 2**63).map(lambda n: mutated(random.Random(n), seeds))
    put_together = st.lists(st.sampled_from(words) | st.text(max_size=8).map(_bytes), max_size=40)
    begun = st.tuples(st.sampled_from(seeds), put_together)
    return (
        changed
        | begun.map(lambda told: told[0][:2] + b" ".join(told[1]))
        | begun.map(lambda told: told[0] + b" " + b" ".join(told[1]))
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def tried(target: Target, count: int, *, fixed: bool) -> bytes | None:
    """So many inputs; the smallest that was found to be wrong. `fixed`: always the same ones."""
    wrong: list[bytes] = []

    @settings(
        max_examples=count,
        derandomize=fixed,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(inputs(target))
    def each(data: bytes) -> None:
        try:
            put(target, data)
        except Exception:
            wrong.append(data)
            raise

    try:
        each()
    except Exception:  # noqa: BLE001 - whatever it was, the input is the finding
        return min(wrong, key=len)
    return None


def by_hypothesis(name: str, seconds: float) -> int:
    """How many inputs were tried in so many seconds of computing."""
    target, count, ends = TARGETS[name], 0, time.process_time() + seconds
    while time.process_time() < ends:
        if (data := tried(target, _ROUND, fixed=False)) is not None:
            report(name, data)
        count += _ROUND
    return count


def guided(name: str, seconds: float) -> None:
    """By atheris, which ends its process: in one of its own, again and again until the time is over."""
    ends = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        corpus, found, words = (Path(folder) / part for part in ("corpus", "found", "words"))
        corpus.mkdir()
        found.mkdir()
        for number, seed in enumerate(TARGETS[name].seeds()):
            (corpus / f"seed-{number}").write_bytes(seed[:LONGEST])
        told = ("".join(f"\\x{byte:02x}" for byte in word) for word in TARGETS[name].words())
        words.write_text("".join(f'"{word}"\n' for word in told))
        while (left := int(ends - time.monotonic())) > 0:
            options = (
                f"-max_total_time={left}",
                f"-max_len={LONGEST}",
                f"-timeout={_GUIDED_MOST}",
                "-print_final_stats=1",
            )
            command = [
                sys.executable,
                "-m",
                "tests.fuzz.guided",
                name,
                f"-artifact_prefix={found}/",
                f"-dict={words}",
            ]
            done = subprocess.run(
                [*command, *options, str(corpus)], capture_output=True, text=True, errors="replace"
            )
            lines = done.stderr.splitlines()
            print("\n".join(f"  {line}" for line in lines if line.startswith("stat::number_of_exec")))
            artifacts = sorted(found.iterdir())
            if done.returncode and not artifacts:
                raise RuntimeError("\n".join(lines[-20:]))
            for path in artifacts:
                if not report(name, path.read_bytes()):
                    print(f"  {path.name}: well without the guide")
                path.unlink()


_told: set[tuple[str, str]] = set()


def report(name: str, data: bytes) -> bool:
    """Whether the input is a finding: it is kept then and told, one for each place where something is wrong."""
    try:
        put(TARGETS[name], data)
    except Exception as error:  # noqa: BLE001 - whatever it is
        place = traceback.extract_tb(error.__traceback__)[-1]
        if (where := (name, f"{place.filename}:{place.lineno} {type(error).__name__}")) not in _told:
            _told.add(where)
            print(f"{name}: FOUND {kept(name, data).name}\n{traceback.format_exc(limit=-6)}", flush=True)
        return True
    return False


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], help="all, if none is named")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each target")
    parser.add_argument("--plain", action="store_true", help="hypothesis alone")
    asked = parser.parse_args(arguments)
    known = {path for _, path in cases()}
    for name in asked.targets or TARGETS:
        began = time.monotonic()
        if importlib.util.find_spec("atheris") is not None and not asked.plain:
            print(f"{name}: guided by atheris", flush=True)
            guided(name, asked.seconds)
        else:
            print(f"{name}: {by_hypothesis(name, asked.seconds)} inputs by hypothesis", flush=True)
        print(f"{name}: {time.monotonic() - began:.0f} s")
    found = {path for _, path in cases()} - known
    print(f"{len(found)} findings" if found else "nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
