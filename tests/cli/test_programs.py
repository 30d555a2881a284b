"""xformer is two programs: one without LibTorch, and xformer-torch beside it for what needs tensors."""
import os
import pathlib
import shutil
import subprocess

from running import run


def libraries_of(program):
    loaded = subprocess.run([program], env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}, capture_output=True, check=True)
    return loaded.stdout


def test_only_one_of_them_loads_libtorch(xformer):
    assert b"libtorch" not in libraries_of(xformer.binary)
    assert b"libtorch" in libraries_of(xformer.binary + "-torch")


def test_both_translate_alike(xformer, copy_model):
    lines = b"1 2 3 4\n\n9 8 7\n"
    arguments = ["translate", "--model", str(copy_model), "--n-best", "2"]
    other = subprocess.run([xformer.binary + "-torch", *arguments], input=lines, capture_output=True, check=True)
    assert run(xformer, *arguments, stdin=lines).stdout == other.stdout


def test_without_the_other_program_the_reason_is_said(xformer, tmp_path):
    alone = shutil.copy(xformer.binary, tmp_path)
    done = subprocess.run([alone, "info"], capture_output=True)
    assert done.returncode == 1
    assert done.stdout == b""
    message = done.stderr.decode().splitlines()
    assert len(message) == 1 and str(pathlib.Path(tmp_path).resolve() / "xformer-torch") in message[0]


def test_threads_that_wait_sleep_unless_the_user_says_otherwise(xformer, tmp_path):
    alone = shutil.copy(xformer.binary, tmp_path)
    (tmp_path / "xformer-torch").write_text('#!/bin/sh\necho "$OMP_WAIT_POLICY"\n')
    (tmp_path / "xformer-torch").chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    for chosen, seen in ({}, b"passive\n"), ({"OMP_WAIT_POLICY": "active"}, b"active\n"):
        assert subprocess.run([alone, "info"], env=environment | chosen, capture_output=True, check=True).stdout == seen
