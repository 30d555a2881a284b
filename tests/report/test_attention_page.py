"""The attention page in a browser: what it shows, and that it is the model's."""
import xml.etree.ElementTree as ElementTree

import pytest

from browser import browser
from plain_attention import PlainModel

SOURCE = "3 1 4 1 5"
HTML = "<b id='bold'>1</b> & <script>window.hacked = 1</script></script>"


@pytest.fixture(scope="module")
def page(xformer, copy_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("attention") / "attention.html"
    done = xformer("plot", "attention", "--model", copy_model, SOURCE, HTML, "--translation", SOURCE, "--translation", HTML,
                   "--output", path)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == f"{path}\n"
    return path


def choose(browser, **state):
    for name, value in state.items():
        browser.run("document.querySelector(`input[name=${arguments[0]}][value='${arguments[1]}']`).click()", name, str(value))


def picture(browser):
    return browser.run("return [...document.querySelectorAll('.field .cells rect')].map(cell => cell.getAttribute('fill-opacity')).join()")


def shown_values(browser, rows, columns):
    """Every cell as the read-out tells it, the keyboard moving from cell to cell."""
    from selenium.webdriver.common.keys import Keys
    browser.run("document.querySelector('.field').focus()")
    values = []
    for row in range(rows):
        line = []
        for column in range(columns):
            if row or column:
                browser.press(*([Keys.ARROW_RIGHT] if column else [Keys.ARROW_DOWN, Keys.HOME]))
            else:
                browser.press(Keys.ESCAPE, Keys.HOME)
                for _ in range(rows):
                    browser.press(Keys.ARROW_UP)
            line.append(browser.text("#readout b"))
        values.append(line)
    return values


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_it_opens_without_a_complaint_or_a_request(browser, page, width, dark):
    browser.open(page, width=width, dark=dark)
    assert "Decoder–source attention" in browser.text("#map-title")
    assert picture(browser)
    assert browser.complaints() == []
    assert browser.overflow() <= 0


def test_layers_heads_and_kinds_change_the_picture(browser, page):
    browser.open(page)
    seen = [picture(browser)]
    for state in ({"head": 1}, {"head": 2}, {"layer": 1}, {"kind": 0}, {"colours": "largest"}, {"kind": 1}):
        choose(browser, **state)
        seen.append(picture(browser))
    assert len(set(seen)) == len(seen)
    # The choice is in the address: a reload shows the same.
    browser.driver.refresh()
    assert picture(browser) == seen[-1]
    assert browser.text("#map-title") == "Decoder self attention, layer 1, head 2"
    # A small picture chooses, too.
    browser.run("document.querySelector('.overview button[aria-label=\"Layer 2, head 1\"]').click()")
    assert browser.text("#map-title") == "Decoder self attention, layer 2, head 1"
    assert browser.complaints() == []


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_values_are_the_models_own(browser, page, copy_model, kind):
    browser.open(page)
    choose(browser, kind=kind, layer=2, head=1)
    expected = PlainModel(copy_model).attention(SOURCE, SOURCE)[kind][1, 0]
    rows, columns = expected.shape
    shown = shown_values(browser, rows, columns)
    for i in range(rows):
        for j in range(columns):
            if shown[i][j] == "masked":
                assert kind == 1 and j > i
            else:
                assert float(shown[i][j]) == pytest.approx(float(expected[i, j]), abs=1e-6)


def test_the_mean_of_heads_and_words(browser, page, copy_model):
    browser.open(page)
    choose(browser, layer=1, head=0, tokens="words")
    model = PlainModel(copy_model)
    mean = model.attention(SOURCE, SOURCE)[2][0].mean(0)
    starts = [i for i, piece in enumerate(model.tokenizer.encode(SOURCE, out_type=str) + ["</s>"])
              if piece.startswith("▁") or piece == "</s>"]
    groups = [range(a, b) for a, b in zip(starts, starts[1:] + [len(mean)])]
    expected = [[sum(mean[i, j] for i in row for j in column) / len(row) for column in groups] for row in groups]
    shown = shown_values(browser, len(groups), len(groups))
    for i, line in enumerate(expected):
        for j, value in enumerate(line):
            assert float(shown[i][j]) == pytest.approx(float(value), abs=1e-6)


def test_the_pointer_reads_the_cell_that_it_is_on(browser, page):
    browser.open(page)
    choose(browser, head=2)
    text = browser.run("""
        const cells = document.querySelector(".cells-box"), box = cells.getBoundingClientRect();
        const size = Number(document.querySelector(".cursor").getAttribute("width"));
        cells.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + 2.5 * size, clientY: box.top + 0.5 * size, bubbles: true }));
        return document.querySelector("#readout").textContent""")
    assert text.startswith("▁3 → ▁4 0.")


def test_html_in_a_sentence_stays_text(browser, page):
    browser.open(page, "#sentence=1")
    assert browser.text(".pair .text") == HTML
    assert browser.run("return document.querySelector('#bold')") is None
    assert browser.run("return window.hacked") is None
    assert browser.complaints() == []


def test_a_given_translation_and_a_single_picture(xformer, copy_model, tmp_path):
    path = tmp_path / "one.svg"
    done = xformer("plot", "attention", "--model", copy_model, SOURCE, "--translation", "1 2", "--kind", "decoder-source",
                   "--layer", "1", "--head", "2", "--output", path)
    assert done.returncode == 0, done.stderr.decode()
    expected = PlainModel(copy_model).attention(SOURCE, "1 2")[2][0, 1].flatten()
    titles = [title.text for title in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}title")][1:]
    assert len(titles) == len(expected)
    for title, value in zip(titles, expected):
        assert float(title.rsplit(": ", 1)[1]) == pytest.approx(float(value), abs=1e-6)


def test_eighty_tokens_stay_readable(browser, xformer, copy_model, tmp_path):
    path = tmp_path / "long.html"
    source = " ".join(str(i % 9 + 1) for i in range(79))
    assert xformer("plot", "attention", "--model", copy_model, source, "--translation", source, "--output", path).returncode == 0
    for width in (1280, 400):
        browser.open(path, width=width)
        assert browser.overflow() <= 0
        sizes = browser.run("return [...document.querySelectorAll('.field .token')].map(node => parseFloat(getComputedStyle(node).fontSize))")
        assert len(sizes) >= 160 and min(sizes) >= 11
        assert browser.run("return Number(document.querySelector('.cursor').getAttribute('width'))") >= 11
        assert browser.complaints() == []
