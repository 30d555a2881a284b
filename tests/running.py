"""Runs of the binary that must succeed."""


def run(xformer, *arguments, **options):
    """The finished process, its output as bytes."""
    done = xformer(*arguments, **options)
    assert done.returncode == 0, done.stderr.decode()
    return done
