"""One target under atheris: `python -m tests.fuzz.guided words [libFuzzer's options] [folder of inputs]`."""

import sys

import atheris  # type: ignore[import-not-found,unused-ignore]

with atheris.instrument_imports(include=["referee"]):
    from tests.fuzz.targets import LONGEST, TARGETS


def main() -> None:
    target = TARGETS[sys.argv.pop(1)]
    target.seeds()  # what is set up once
    atheris.Setup(sys.argv, lambda data: target.run(data[:LONGEST]))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
