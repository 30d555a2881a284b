"""What the command-line tests share: the binary under test and the folders it is run on."""
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory):
    """Keeps what is encoded out of the user's own cache."""
    folder = tmp_path_factory.mktemp("cache")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    return folder / "xformer"


@pytest.fixture(scope="session")
def xformer():
    """Runs the binary named by $XFORMER and returns the finished process, its output as bytes."""
    binary = os.environ.get("XFORMER")
    if not binary:
        pytest.skip("XFORMER does not name the binary to test: run these tests through ctest")

    def run(*arguments, stdin=b"", timeout=300, **options):
        command = [binary, *map(str, arguments)]
        return subprocess.run(command, input=stdin, capture_output=True, timeout=timeout, **options)

    run.binary = binary
    return run


@pytest.fixture(scope="session")
def shared():
    """The folder with test data that the project does not ship."""
    folder = os.environ.get("XFORMER_SHARED")
    if not folder or not pathlib.Path(folder).is_dir():
        pytest.skip("XFORMER_SHARED does not name a folder with data/multi30k")
    return pathlib.Path(folder)


@pytest.fixture(scope="session")
def copy_model(xformer, tmp_path_factory):
    """A model that has learned the copy task: the right translation of a line is the line itself."""
    folder = tmp_path_factory.mktemp("copy") / "model"
    done = xformer("train", "--config", ROOT / "configs/copy_task.json", "--output", folder)
    assert done.returncode == 0, done.stderr.decode()
    return folder
