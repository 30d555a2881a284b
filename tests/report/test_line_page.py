"""The table of scored lines in a browser."""
import pytest

from browser import browser

HYPOTHESES = ["a b c d e", "<b id='bold'>x</b> & y", "", "a b x d e"]
REFERENCES = ["a b c d e", "nothing of it at all", "something was here", "a b c d e"]


@pytest.fixture(scope="module")
def page(xformer, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    for name, lines in (("hypothesis", HYPOTHESES), ("reference", REFERENCES)):
        (folder / name).write_text("".join(line + "\n" for line in lines))
    done = xformer("eval", "--hypothesis", folder / "hypothesis", "--reference", folder / "reference", "--html", folder / "page.html")
    assert done.returncode == 0, done.stderr.decode()
    return folder / "page.html"


def column(browser, number):
    return browser.run("return [...document.querySelectorAll('tbody tr')].map(row => row.cells[arguments[0]].textContent)", number)


def test_a_heading_sorts_by_pointer_and_by_keyboard(browser, page):
    browser.open(page)
    assert column(browser, 0)[-1] == "1"
    browser.run("document.querySelectorAll('th button')[0].click()")
    assert column(browser, 0) == ["1", "2", "3", "4"]
    browser.run("document.querySelectorAll('th button')[1].focus()")
    browser.press("\ue007")
    assert browser.run("return document.querySelectorAll('th')[1].getAttribute('aria-sort')") == "ascending"
    scores = [float(score) for score in column(browser, 1)]
    assert scores == sorted(scores) and scores[0] < scores[-1]
    browser.press("\ue007")
    assert column(browser, 0)[0] == "1"
    assert browser.complaints() == []


@pytest.mark.parametrize("width, dark", [(1280, False), (400, True)])
def test_text_stays_text_and_nothing_is_wider_than_the_table(browser, page, width, dark):
    browser.open(page, width=width, dark=dark)
    assert browser.run("return document.querySelector('#bold')") is None
    assert HYPOTHESES[1] in column(browser, 4)
    assert browser.run("return document.querySelector('main').scrollWidth <= innerWidth")
    assert browser.complaints() == []
