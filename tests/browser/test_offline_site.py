"""The installed site: the plug is pulled before, during and after every step."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser

from figures.browsers.server import StaticServer, as_text, hanging, status
from tests.browser.offline_steps import (
    CACHES,
    COPY,
    IS_CONTROLLED,
    LESSON,
    MESSAGE,
    SAVE,
    SAVED,
    OpenPage,
    asked_for_runtime,
    reader,
    run_code,
    save,
    search,
)
from tests.conftest import until

WIDGET = 'section[data-widget="attention"]'

NOT_THERE = """(urls) => Promise.all(urls.map((url) => fetch(url).then((r) => r.ok, () => false)))
  .then((there) => urls.filter((_, index) => !there[index]))"""


def addresses(site: Path) -> list[str]:
    """Whatever the pages of a site link to or load, below its root."""
    found = set()
    for page in site.rglob("index.html"):
        base = "/" + page.parent.relative_to(site).as_posix() + "/"
        text = page.read_text("utf-8")
        for values in re.findall(r'\s(?:href|src|data-script|data-frames)="([^"]*)"', text):
            for value in values.split():
                target = urljoin(base.replace("/./", "/"), value.partition("#")[0])
                if target.startswith("/") and not target.startswith("/downloads/"):
                    found.add(target[1:])
    return sorted(found)


@pytest.mark.timeout(900)  # two starts of a browser and everything a reader can ask for
def test_saved_site_lives_without_network(site: Path, browser: Browser, tmp_path: Path) -> None:
    """One visit, one press; then the server dies and the browser restarts.

    The host is a poor one: a folder below others, unknown types, nothing compressed.
    """
    faults = {r"\.(bin|json|woff2|svg|png|webmanifest|xml)$": as_text}
    with StaticServer(site, prefix="/a/b/", compress=False, faults=faults) as host:
        with reader(browser.browser_type, tmp_path) as page:
            page.goto(host.url + LESSON)
            until(page.evaluate, IS_CONTROLLED)
            assert not asked_for_runtime(host), "Python was fetched before the reader asked for it"
            save(page)
            outside = [path for path in host.requests if not path.startswith("/a/b/")]
            assert not outside, "an address is not relative to the page"
        url = host.url
    with reader(browser.browser_type, tmp_path) as page:
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("requestfailed", lambda request: problems.append(request.url))
        page.goto(f"{url}{LESSON}?attention.d=8#heads")
        missing = page.evaluate(NOT_THERE, [url + path for path in addresses(site)])
        assert not missing, "a page links or shows what is not there without a network"
        assert page.locator(".katex-html").count() > 50, "formulas are gone without a network"
        page.locator(COPY, has_text="сохранённая копия").wait_for()
        assert search(page.evaluate, "слоёв"), "search finds nothing without a network"
        page.goto(f"{url}lab/")
        answer = run_code(page.evaluate, "import numpy as np\nnp.fft.fft(np.arange(4)).real.sum()")
        assert answer["ok"], f"Python does not run without a network: {answer['error']}"
        page.goto(f"{url}nonsense/")
        assert "нет среди сохранённых" in page.content(), "an unknown page is not explained"
        real = [
            text
            for text in problems
            # blob: the next worker of Python, which is being made when its page is left
            if not any(word in text for word in ("nonsense", "service-worker", "blob:"))
        ]
        assert not real, "a page asked for something that was not saved"


def test_pages_are_kept_without_the_button(host: StaticServer, open_page: OpenPage) -> None:
    page = open_page(host.url + LESSON)
    until(page.evaluate, IS_CONTROLLED)
    host.stop()  # the browser itself still takes the network for alive
    page = open_page(host.url + "figures/")
    assert page.locator("h1").count(), "a page that was never opened is not kept"
    page = open_page(host.url + LESSON)
    page.locator(f"{WIDGET} input[name=causal]").press("Space")
    page.locator(f"{WIDGET}[data-source=table]").wait_for()
    until(page.evaluate, "attn.runtime.state === 'error' && navigator.onLine")
    assert not page.locator(f"{WIDGET}[data-failed]").count(), "an answered touch shows an error"
    assert page.locator(f"{WIDGET} [data-retry]").is_hidden(), "an answered touch asks for another"
    assert page.locator(f"{WIDGET} [data-start]").is_visible(), "Python cannot be started by hand"
    kept = page.evaluate(CACHES)
    assert not [name for name in kept if " runtime " in name], "Python was kept without the button"
    assert page.locator(SAVED).count() == 0, "the site calls itself saved"


def test_a_look_that_ends_late_does_not_hide_the_saving(
    host: StaticServer, open_page: OpenPage
) -> None:
    """Each place of a page with the button looks what is saved; one may look when it is pressed."""
    page = open_page(host.url + LESSON)
    state = page.evaluate(
        """async () => {
          const look = attn.offline.look();
          attn.offline.save();
          await look;
          return attn.offline.now.state;
        }"""
    )
    assert state == "saving", f"while the site is being saved, the button says «{state}»"


def test_interrupted_saving_goes_on(host: StaticServer, open_page: OpenPage) -> None:
    host.faults[r"/numpy-rest\."] = status(500)
    page = open_page(host.url + LESSON)
    page.locator(SAVE).click()
    page.locator(MESSAGE, has_text="прервалось").wait_for()
    assert "Продолжить" in page.locator(SAVE).inner_text(), "the button does not say it goes on"
    before = set(asked_for_runtime(host))
    host.faults.clear()
    host.forget()
    page.reload()
    save(page)
    again = (before & set(asked_for_runtime(host))) - {
        path for path in before if "numpy-rest" in path
    }
    assert not again, "files that were saved already were fetched once more"
    assert asked_for_runtime(host), "the missing files were not fetched"


def test_interrupted_installation_goes_on(host: StaticServer, open_page: OpenPage) -> None:
    host.faults["/w/attention/"] = status(500)
    page = open_page(host.url + LESSON)
    page.locator(SAVE).click()
    page.locator(MESSAGE, has_text="прервалось").wait_for()
    assert not page.evaluate(IS_CONTROLLED), "half a site was installed"
    assert not asked_for_runtime(host), "Python was saved for a site that is not"
    host.forget()
    host.faults.clear()
    page.reload()
    until(page.evaluate, IS_CONTROLLED)
    fetched = [path for path in host.requests if path.endswith("/")]
    assert "/w/attention/" in fetched, "the missing page was not fetched"
    assert "/figures/" not in fetched, "pages that were there already were fetched once more"


def test_full_disk_leaves_a_working_site(host: StaticServer, open_page: OpenPage) -> None:
    page = open_page(host.url + LESSON)
    until(page.evaluate, IS_CONTROLLED)
    devtools = page.context.new_cdp_session(page)
    limit = {"origin": host.url.rstrip("/"), "quotaSize": 4_000_000}
    devtools.send("Storage.overrideQuotaForOrigin", limit)
    page.locator(SAVE).click()
    page.locator(MESSAGE, has_text="не хватило места").wait_for()
    assert page.locator(SAVED).count() == 0, "the site calls itself saved"
    page.goto(host.url + "lab/")
    assert run_code(page.evaluate, "2 * 3")["ok"], "a full disk broke the laboratory"
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": limit["origin"]})
    save(page)


def test_host_that_spoils_the_worker_is_named(host: StaticServer, open_page: OpenPage) -> None:
    host.faults["/service-worker.js$"] = as_text
    page = open_page(host.url + LESSON)
    page.locator(SAVE).click()
    page.locator(MESSAGE, has_text="неверным типом").wait_for()
    page.locator(f"{WIDGET} input[name=causal]").press("Space")
    page.locator(f"{WIDGET}[data-source=table]").wait_for()


def test_slow_host_gets_a_time_limit(host: StaticServer, open_page: OpenPage) -> None:
    page = open_page(host.url + LESSON)
    until(page.evaluate, IS_CONTROLLED)
    host.faults[f"/{LESSON}$"] = hanging
    page.reload()
    page.locator(COPY, has_text="сохранённая копия").wait_for()


def test_plug_pulled_during_a_computation(host: StaticServer, open_page: OpenPage) -> None:
    page = open_page(host.url + "lab/")
    until(page.evaluate, IS_CONTROLLED)
    assert run_code(page.evaluate, "1")["ok"], "Python does not start"
    page.evaluate(
        "void (self.answer = attn.runtime.run({code: 'sum(i % 7 for i in range(3_000_000))'}))"
    )
    host.stop()
    answer = page.evaluate("self.answer")
    assert answer["ok"] and answer["value"]["repr"] == "8999994", "the computation was lost"
    missing = run_code(page.evaluate, "import numpy as np\nnp.fft.fft([1, 2])")
    assert not missing["ok"] and "догрузить" in missing["error"]["message"], (
        "a module that is not there without a network is not explained"
    )
    assert run_code(page.evaluate, "1 + 1")["ok"], "Python died with the network"


def test_plug_pulled_during_saving(host: StaticServer, open_page: OpenPage) -> None:
    page = open_page(host.url + LESSON)
    until(page.evaluate, IS_CONTROLLED)
    host.faults[r"/stdlib-rest\."] = hanging
    page.locator(SAVE).click()
    page.locator("footer .offline__progress", has_text="Python").wait_for()
    until(
        lambda _: any("stdlib-rest" in path for path in host.requests), "the last part is asked for"
    )
    host.stop()
    page.locator(MESSAGE, has_text="прервалось").wait_for()
    page.reload()
    page.locator(SAVE, has_text="Продолжить").wait_for()
    assert page.locator(SAVED).count() == 0, "half a Python calls itself saved"


def test_laboratory_reaches_no_other_host(
    host: StaticServer, open_page: OpenPage, site: Path
) -> None:
    with StaticServer(site) as other:
        page = open_page(host.url + "lab/")
        for code in (
            f"import js\nx = js.XMLHttpRequest.new()\nx.open('GET', '{other.url}', 0)\nx.send()",
            f"import js\njs.importScripts('{other.url}assets/js/site.js')",
            "import js\njs.eval('1')",
        ):
            answer = run_code(page.evaluate, code)
            assert not answer["ok"], f"the content policy let this pass: {code}"
        run_code(page.evaluate, f"import js\njs.fetch('{other.url}')")
        assert run_code(page.evaluate, "1 + 1")["ok"], "the attempts broke Python"
        assert not other.requests, "code in the laboratory reached another host"
