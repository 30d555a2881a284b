"""Trainings of several processes, for the tests that watch, stop and kill them."""
import os
import pathlib
import subprocess
import time

TIME_TO_END = 30  # seconds, from a failure to the end of all processes


def children_of(pid):
    """Process ids by rank, as far as they live."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            stat = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            if int(stat[1]) == pid and stat[0] != "Z":
                variables = (folder / "environ").read_bytes().split(b"\0")
                found.update({int(v[5:]): int(folder.name) for v in variables if v.startswith(b"RANK=")})
        except (OSError, ValueError):
            pass
    return found


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


class Training:
    """One that runs in the background, its stderr in a file."""

    def __init__(self, command, log, **options):
        self.log = pathlib.Path(log)
        with open(self.log, "wb") as stderr:
            self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=stderr, **options)

    def text(self):
        return self.log.read_text(errors="replace")

    def wait_for(self, text):
        wait_until(lambda: text in self.text() or self.process.poll() is not None)
        assert text in self.text(), self.text()

    def ranks(self, count):
        wait_until(lambda: len(children_of(self.process.pid)) == count)
        return children_of(self.process.pid)

    def ends(self, ranks=()):
        """The exit status; every process must have gone."""
        begin = time.monotonic()
        status = self.process.wait(TIME_TO_END + 20)
        wait_until(lambda: not any(map(is_running, ranks)), TIME_TO_END)
        assert time.monotonic() - begin < TIME_TO_END
        return status

    def last_line(self):
        return self.text().splitlines()[-1]


def environment_without_ranks():
    names = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
    return {name: value for name, value in os.environ.items() if name not in names}
