"""A browser without a window, and what a page says in it."""
import shutil

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


def start_browser():
    if not CHROMIUM or not DRIVER:
        pytest.skip("chromium and chromedriver are not installed: scripts/setup.sh --tests installs them where the system has them")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return Browser(webdriver.Chrome(options=options, service=Service(DRIVER)))


@pytest.fixture(scope="module")
def browser():
    browser = start_browser()
    yield browser
    browser.driver.quit()


class Browser:
    def __init__(self, driver):
        self.driver = driver

    def open(self, path, fragment="", width=1280, dark=False):
        command = self.driver.execute_cdp_cmd
        command("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        command("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.driver.get("about:blank")  # a change of the fragment alone would not load the page again
        self.driver.get_log("browser"), self.driver.get_log("performance")
        self.driver.get(path.as_uri() + fragment)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.driver).send_keys(*keys).perform()

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def complaints(self):
        """What the console holds, and every request for something other than the page itself."""
        import json
        lines = [entry["message"] for entry in self.driver.get_log("browser")]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if url.split("#")[0] != self.driver.current_url.split("#")[0] and not url.startswith("data:"):
                    lines.append("requested " + url)
        return lines

    def overflow(self):
        """Pixels by which the page is wider than the window."""
        return self.run("return document.documentElement.scrollWidth - window.innerWidth")
