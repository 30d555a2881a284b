"""Models of other tools, imported, beside what transformers' generate() made of them."""
import json
import pathlib
import shutil

import pytest

FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
HUGGING_FACE = ["swish", "relu", "gelu", "deep_encoder", "untied", "no_bias", "separate", "pegasus", "float16",
                "stale_output"]
NPZ = ["npz_post", "npz_pre"]
SEARCHES = {"greedy": 1, "beam4": 4, "beam6": 6}


def expected_of(kind):
    return json.loads((FIXTURES / kind / "expected.json").read_text(encoding="utf-8"))


def pieces_of(kind):
    """Of the target, by id."""
    folder = FIXTURES / kind
    if kind in NPZ:
        folder = FIXTURES / {"npz_post": "swish", "npz_pre": "pegasus"}[kind]
    separate = folder / "target_vocab.json"
    return {id: piece for piece, id in json.loads((separate if separate.exists() else folder / "vocab.json").read_text()).items()}


@pytest.fixture(scope="module")
def imported(xformer, tmp_path_factory):
    """Imports a fixture, once."""
    folder = tmp_path_factory.mktemp("imported")

    def model(kind):
        if not (folder / kind).exists():
            source = FIXTURES / kind / "model.npz" if kind in NPZ else FIXTURES / kind
            done = xformer("import", "--from", source, "--output", folder / kind)
            assert done.returncode == 0, done.stderr.decode()
        return folder / kind

    return model


def translate(xformer, model, lines, *options):
    done = xformer("translate", "--model", model, "--format", "jsonl", "--allow-unknown", "--threads", "1", *options,
                   stdin="\n".join(lines).encode())
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line)["hypotheses"][0] for line in done.stdout.decode().splitlines()]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("kind", HUGGING_FACE + NPZ)
def test_text_pieces_and_scores_are_those_of_generate(xformer, imported, kind, search):
    expected, pieces = expected_of(kind), pieces_of(kind)
    wanted = expected[search]
    options = ["--beam-size", str(SEARCHES[search])]
    if kind in NPZ:  # which say nothing of a limit
        options += ["--max-length", "47", "--length-penalty", "1"]
    ours = translate(xformer, imported(kind), expected["sentences"], *options)
    for i, hypothesis in enumerate(ours):
        ids = wanted["ids"][i]
        assert hypothesis["tokens"] == [pieces[id] for id in ids if pieces[id] != "</s>"], i
        assert hypothesis["score"] == pytest.approx(wanted["scores"][i], abs=1e-4)
        assert hypothesis["text"] == wanted["texts"][i]


@pytest.mark.parametrize("kind", HUGGING_FACE)
def test_source_pieces_are_those_of_the_marian_tokenizer(xformer, imported, kind):
    expected = expected_of(kind)
    vocabulary = {id: piece for piece, id in json.loads((FIXTURES / kind / "vocab.json").read_text()).items()}
    done = xformer("translate", "--model", imported(kind), "--format", "jsonl", "--beam-size", "1", "--max-length", "1",
                   stdin="\n".join(expected["sentences"]).encode())
    for line, ids in zip(done.stdout.decode().splitlines(), expected["input_ids"], strict=True):
        assert json.loads(line)["source_tokens"] == [vocabulary[id] for id in ids[:-1]]


@pytest.mark.parametrize("kind", ["swish", "separate", "pegasus", "npz_post", "npz_pre"])
def test_scores_of_given_translations_are_those_of_transformers(xformer, imported, kind, tmp_path):
    forced = expected_of(kind)["forced"]
    (tmp_path / "source").write_text("\n".join(forced["sources"]) + "\n", encoding="utf-8")
    (tmp_path / "target").write_text("\n".join(forced["targets"]) + "\n", encoding="utf-8")
    done = xformer("score", "--model", imported(kind), "--source", tmp_path / "source", "--target", tmp_path / "target",
                   "--allow-unknown")
    assert done.returncode == 0, done.stderr.decode()
    assert [float(line) for line in done.stdout.split()] == pytest.approx(forced["log_probabilities"], abs=2e-4)


@pytest.mark.parametrize("kind", ["swish", "pegasus"])
def test_target_languages(xformer, imported, kind):
    lines = ["Now you are laughing at the theatre."]
    marked = translate(xformer, imported(kind), [">>deu<< " + lines[0]])
    assert translate(xformer, imported(kind), lines, "--target-language", "deu") == marked
    done = xformer("translate", "--model", imported(kind), "--target-language", "eng", stdin=b"A\n")
    assert done.returncode == 2 and b">>deu<<, >>fra<<" in done.stderr
    described = xformer("info", "--model", imported(kind)).stdout.decode()
    assert "huggingface" in described and ">>deu<< >>fra<<" in described


def mean_score(xformer, model, folder):
    done = xformer("score", "--model", model, "--source", folder / "source", "--target", folder / "target")
    assert done.returncode == 0, done.stderr.decode()
    scores = [float(line) for line in done.stdout.split()]
    return sum(scores) / len(scores)


@pytest.mark.parametrize("kind", ["swish", "separate"])
def test_an_import_can_be_fine_tuned(xformer, imported, kind, tmp_path):
    forced = expected_of(kind)["forced"]
    for side in ("source", "target"):
        (tmp_path / side).write_text("\n".join(forced[side + "s"]) + "\n", encoding="utf-8")
    settings = {"data.train.source": tmp_path / "source", "data.train.target": tmp_path / "target",
                "training.num_epochs": 60, "training.max_updates": 60, "training.base_lr": 0.1, "training.warmup": 10,
                "training.validate_every": 1000}
    done = xformer("train", "--init-from", imported(kind), "--output", tmp_path / "tuned", "--threads", "1",
                   *[part for key, value in settings.items() for part in ("--set", f"{key}={value}")])
    assert done.returncode == 0, done.stderr.decode()
    before, after = (mean_score(xformer, model, tmp_path) for model in (imported(kind), tmp_path / "tuned"))
    assert after > before / 2  # both are below 0
    described = xformer("info", "--model", tmp_path / "tuned").stdout.decode()
    assert "activation swish" in described and "target languages >>deu<< >>fra<<" in described


def test_a_failed_import_leaves_what_was_there(xformer, tmp_path):
    output = tmp_path / "model"
    done = xformer("import", "--from", FIXTURES / "swish", "--output", output)
    assert done.returncode == 0, done.stderr.decode()
    before = {file.name: file.read_bytes() for file in output.iterdir()}
    broken = tmp_path / "broken"
    shutil.copytree(FIXTURES / "relu", broken)
    (broken / "target.spm").write_bytes(b"no model")
    again = xformer("import", "--from", FIXTURES / "relu", "--output", output)
    failed = xformer("import", "--from", broken, "--output", output, "--overwrite")
    for refused, reason in ((again, b"is not empty"), (failed, b"target.spm is not a SentencePiece model")):
        assert refused.returncode == 2
        assert refused.stderr.count(b"\n") == 1 and reason in refused.stderr
    assert {file.name: file.read_bytes() for file in output.iterdir()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken", "model"]
    done = xformer("import", "--from", FIXTURES / "separate", "--output", output, "--overwrite")
    assert done.returncode == 0, done.stderr.decode()
    assert not (output / "vocab.json").exists() and (output / "source_vocab.json").exists()


def bin_folder(folder):
    shutil.copytree(FIXTURES / "swish", folder)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    return folder


MISTAKES = {
    "missing": (lambda folder: folder / "nothing", "does not exist"),
    "empty": (lambda folder: folder, "has no config.json and 0 .npz files"),
    "pickle": (bin_folder, "python3 -c"),
    "binary": (lambda folder: write(folder.parent / "model.bin"), "made for one kind of CPU"),
    "zip": (lambda folder: write(folder.parent / "opus.zip"), "unpacked first"),
    "own": (None, "is a model of xformer already"),
    "damaged": (lambda folder: write(folder.parent / "model.npz"), "is damaged or no .npz file"),
}


def write(path):
    path.write_bytes(b"x")
    return path


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_one_line(xformer, imported, tmp_path, mistake):
    make, reason = MISTAKES[mistake]
    folder = tmp_path / "from"
    if mistake == "empty":
        folder.mkdir()
    done = xformer("import", "--from", make(folder) if make else imported("swish"), "--output", tmp_path / "out")
    assert done.returncode == 2, done.stderr.decode()
    assert done.stderr.count(b"\n") == 1 and reason in done.stderr.decode()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["compressed", "fortran", "double", "student", "quantized", "surplus"])
def test_arrays_of_other_kinds_are_refused(xformer, tmp_path, kind):
    numpy = pytest.importorskip("numpy")
    shutil.copytree(FIXTURES / "npz_post", tmp_path / "from")
    file = tmp_path / "from/model.npz"
    arrays = dict(numpy.load(file))
    name = "encoder_l1_self_Wq"
    reason = {"compressed": "is compressed", "fortran": f"array {name} is in Fortran order", "double": f"array {name} has the type <f8",
              "student": "this is a student whose decoder (dec-cell ssru)", "quantized": "is quantized",
              "surplus": "array Wpos is none of the Transformer"}[kind]
    if kind == "fortran":
        arrays[name] = numpy.asfortranarray(arrays[name])
    if kind == "double":
        arrays[name] = arrays[name].astype("<f8")
    if kind == "student":
        options = arrays["special:model.yml"].tobytes().replace(b"autoreg: self-attention", b"autoreg: rnn\ndec-cell: ssru")
        arrays["special:model.yml"] = numpy.frombuffer(options, numpy.int8)
    if kind == "quantized":
        arrays["encoder_l1_self_Wq_QuantMultA"] = numpy.ones((1, 1), "<f4")
    if kind == "surplus":
        arrays["Wpos"] = numpy.ones((5, 24), "<f4")
    (numpy.savez_compressed if kind == "compressed" else numpy.savez)(file, **arrays)
    done = xformer("import", "--from", file, "--output", tmp_path / "out")
    assert done.returncode == 2, done.stderr.decode()
    assert done.stderr.count(b"\n") == 1 and reason in done.stderr.decode()


def test_half_precision_arrays_are_widened(xformer, tmp_path):
    numpy = pytest.importorskip("numpy")
    safetensors = pytest.importorskip("safetensors.numpy")
    shutil.copytree(FIXTURES / "npz_post", tmp_path / "from")
    file = tmp_path / "from/model.npz"
    arrays = {name: array.astype("<f2") if array.dtype == "<f4" else array for name, array in numpy.load(file).items()}
    numpy.savez(file, **arrays)
    done = xformer("import", "--from", tmp_path / "from", "--output", tmp_path / "out")
    assert done.returncode == 0, done.stderr.decode()
    weights = safetensors.load_file(tmp_path / "out/model.safetensors")
    assert numpy.array_equal(weights["encoder.layer_0.self_attn.w_q.weight"], arrays["encoder_l1_self_Wq"].astype("<f4").T)
