"""training/report.html and `plot training` in a browser, and while a training runs."""
import json
import subprocess
import time

import pytest

from browser import browser
from conftest import ROOT

HTML = "<script>window.hacked = 1</script> <b id='bold'>R&D</b>"
SETTINGS = ["model.N=1", "model.d_model=32", "model.d_ff=64", "model.h=2", "vocabulary.size=300", "training.num_epochs=3",
            "training.log_every=1", "training.average=0", "training.batch_tokens=512", "training.save_every=0"]


@pytest.fixture(scope="module")
def run(xformer, tmp_path_factory):
    """A small training on text with HTML in it; the folder of the model."""
    folder = tmp_path_factory.mktemp("run")
    for side in ("de", "en"):
        lines = (ROOT / f"data/demo/train.{side}").read_text().splitlines()[:300]
        lines += [HTML, "", "x " * 300]
        (folder / f"train.{side}").write_text("\n".join(lines) + "\n")
        (folder / f"valid.{side}").write_text("\n".join([HTML] * 5) + "\n")
    model = folder / "model <i>"
    settings = [*SETTINGS, *(f"data.{part}.{name}={folder}/{part}.{side}" for part in ("train", "valid")
                             for name, side in (("source", "de"), ("target", "en")))]
    sets = [item for setting in settings for item in ("--set", setting)]
    command = ["train", "--config", str(ROOT / "configs/demo.json"), "--output", str(model), *sets]
    process = subprocess.Popen([xformer.binary, *command], stderr=subprocess.DEVNULL)
    report, versions = model / "training/report.html", set()
    while process.poll() is None:
        if report.exists():
            versions.add(report.read_text())
        time.sleep(0.01)
    assert process.returncode == 0
    return model, versions


def metrics(model, key):
    lines = [json.loads(line) for line in (model / "training/metrics.jsonl").read_text().splitlines()]
    return [(line["update"], line[key]) for line in lines if key in line]


def test_every_version_is_whole(run):
    _, versions = run
    assert len(versions) >= 2
    for page in versions:
        assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert any("running" in page and " left" in page for page in versions)


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_it_opens_without_a_complaint_or_a_request(browser, run, width, dark):
    model, _ = run
    browser.open(model / "training/report.html", width=width, dark=dark)
    assert browser.complaints() == []
    assert browser.overflow() <= 0
    assert browser.run("return document.querySelectorAll('.charts svg').length") == 6
    assert "finished" in browser.text(".status")


def test_the_report_tells_of_the_data(browser, run):
    model, _ = run
    browser.open(model / "training/report.html")
    rows = browser.run("return Object.fromEntries([...document.querySelectorAll('th[scope=row]')].map(th => [th.textContent, th.nextElementSibling.textContent]))")
    assert rows["pairs read"] == "303" and rows["kept"] == "301"
    assert rows["dropped, a side was empty"] == "1" and rows["dropped, longer than 256 pieces"] == "1"
    assert rows["batch_tokens"] == "512"


def test_html_in_samples_and_names_stays_text(browser, run):
    model, _ = run
    browser.open(model / "training/report.html")
    assert browser.text(".sample dd") == HTML
    assert browser.run("return [window.hacked ?? null, document.querySelector('#bold'), document.querySelector('i')]") == [None, None, None]
    assert "model <i>" in browser.text("h1")
    assert browser.run("return document.querySelectorAll('.sample').length") == 5


def test_the_keys_read_the_metrics_out_of_a_curve(browser, run):
    from selenium.webdriver.common.keys import Keys
    model, _ = run
    browser.open(model / "training/report.html")
    browser.run("document.querySelector('.charts svg').focus()")
    losses = metrics(model, "loss")
    for update, loss in losses[:3]:
        browser.press(Keys.ARROW_RIGHT)
        place, value = browser.text(".charts output").removeprefix("update ").split(": ")
        assert int(place) == update
        assert float(value) == pytest.approx(loss, rel=1e-4)
    assert browser.complaints() == []


def test_several_runs_in_one_page_and_one_picture(browser, run, xformer, tmp_path):
    model, _ = run
    other = tmp_path / "other.jsonl"
    other.write_text("".join(json.dumps({"update": update, "epoch": 0, "loss": 9 - update}) + "\n" for update in (1, 2, 3)))
    page, picture = tmp_path / "both.html", tmp_path / "both.svg"
    for path in (page, picture):
        done = xformer("plot", "training", model, other, "--output", path)
        assert done.returncode == 0, done.stderr.decode()
    browser.open(page)
    names = browser.run("return [...document.querySelectorAll('.charts svg')[0].querySelectorAll('.series[data-name]')].map(g => g.dataset.name)")
    assert names[0] == "model <i>" and len(names) == 2
    assert browser.complaints() == []
    assert "model &lt;i&gt;" in picture.read_text()


def test_a_stopped_training_says_so(xformer, tmp_path):
    import signal
    model = tmp_path / "model"
    command = [xformer.binary, "train", "--config", str(ROOT / "configs/copy_task.json"), "--output", str(model),
               "--set", "training.log_every=1", "--set", "training.num_epochs=1000"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    for line in process.stderr:
        if b"update 3 " in line:
            process.send_signal(signal.SIGTERM)
            break
    process.communicate(timeout=60)
    page = (model / "training/report.html").read_text()
    assert "stopped" in page and "--resume goes on" in page
