"""`referee worker` as it must not be: it stands still in the midst of a mail with the words "Stop here", once (the file
of REFEREE_TEST_STOPPED), as a frozen process does, whose machine still answers. Seconds, where it is minutes."""

import os
import signal
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    from referee.cli import program
    from referee.service import keyed
    from referee.store import engine
    from referee.way import stations

    engine._THEIR_END.update(idle_in_transaction_session_timeout="3s", lock_timeout="2s")
    keyed.IDLE.update(key="4s", letters="4s")
    honest, stopped = stations.judge, Path(os.environ["REFEREE_TEST_STOPPED"])

    def judge(case: Any) -> Any:
        if b"Stop here" in case.kept.raw and not stopped.exists():
            stopped.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGSTOP)
        return honest(case)

    stations.judge = judge
    program()
