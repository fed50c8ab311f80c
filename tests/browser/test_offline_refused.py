"""Why the site is not saved is told once, in Russian, with what helps; nothing waits for ever."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from figures.browsers.find import CHROMIUM, require
from figures.browsers.firefox import Firefox
from figures.browsers.server import StaticServer, hanging, status, truncated
from tests.browser.offline_steps import (
    IS_CONTROLLED,
    LESSON,
    MESSAGE,
    NEXT_RELEASE,
    SAVE,
    OpenPage,
    next_release,
    search,
)
from tests.conftest import CHROMIUM_FLAGS, eventually, until

PLACE = "article [data-offline]"
PROMISE = "[data-offline-promise]"
SHOWN = """(() => {
  const [place, promise, footer] = ['article [data-offline]', '[data-offline-promise]',
    'footer [data-offline]'].map((selector) => document.querySelector(selector));
  return place.dataset.offline !== 'unknown' && {
    state: place.dataset.offline, text: place.innerText, promise: !promise.hidden,
    buttons: [...document.querySelectorAll('.offline button')].filter((b) => b.checkVisibility())
      .length,
    footer: footer.checkVisibility() && footer.innerText,
  };
})()"""
START = "attn.runtime.start().then(() => 'ready', (error) => error.message)"


def told(page: Page) -> str:
    """What the button says at the end of a saving that failed."""
    page.locator(SAVE).click()
    message = page.locator(MESSAGE)
    expect(message).not_to_be_empty()
    return message.inner_text()


def test_plain_http_says_why_nothing_can_be_saved(browser: Browser, host: StaticServer) -> None:
    """A computer of a class room under its name: browsers call that not secure."""
    chromium = browser.browser_type.launch(
        executable_path=require(CHROMIUM),
        args=[*CHROMIUM_FLAGS, "--host-resolver-rules=MAP lesson.test 127.0.0.1"],
    )
    page = chromium.new_page(base_url=f"http://lesson.test:{host.port}/")
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto("offline/")
    shown = until(page.evaluate, SHOWN)
    secure = page.evaluate("isSecureContext")
    page.goto("lab/")
    answer = page.evaluate("attn.runtime.run({code: '2 * 3'})")
    chromium.close()
    assert secure is False, "the page is secure: this test proves nothing"
    assert shown["state"] == "impossible" and "https://" in shown["text"], shown
    assert not shown["promise"], "what cannot be is promised"
    assert not shown["buttons"] and not shown["footer"], "a button offers what cannot be"
    assert answer["ok"], f"Python does not run on plain http: {answer}"
    assert not problems, problems


def test_a_place_that_can_save_promises_it(host: StaticServer, open_page: OpenPage) -> None:
    page = open_page(host.url + "offline/")
    shown = until(page.evaluate, SHOWN)
    assert shown["promise"] and shown["buttons"] == 2, shown


def test_firefox_with_storage_blocked_says_so_and_searches(host: StaticServer) -> None:
    with Firefox({"network.cookie.cookieBehavior": 2}) as firefox:
        firefox.open(host.url + "offline/")
        shown = until(firefox.evaluate, SHOWN)
        firefox.evaluate("attn.offline.save()")  # as a press that comes before the first look
        eventually(lambda: firefox.evaluate(SHOWN), shown, "a press changes what is told")
        found = search(firefox.evaluate, "слоёв")
        refused = firefox.evaluate("attn.site.storage.write('probe', 1)")
    assert not refused, "storage is not blocked: this test proves nothing"
    assert shown["state"] == "impossible" and "запрещено в\xa0настройках" in shown["text"], shown
    assert not shown["promise"] and not shown["buttons"], "what cannot be is promised"
    assert found, "search finds nothing"


def test_a_sandboxed_frame_says_so(host: StaticServer, open_page: OpenPage) -> None:
    page = open_page(host.url + "404.html")
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.evaluate(
        """(src) => document.body.append(Object.assign(document.createElement('iframe'),
             {src, sandbox: 'allow-scripts'}))""",
        host.url + "offline/",
    )
    frame = page.frame_locator("iframe")
    expect(frame.locator(PLACE)).to_have_attribute("data-offline", "impossible")
    expect(frame.locator(PLACE)).to_contain_text("встроена в чужую")
    expect(frame.locator(PROMISE)).to_be_hidden()
    theme = ("Worker", "Network error")  # of its search: such a frame may not even fetch the index
    own = [problem for problem in problems if not problem.startswith(theme)]
    assert not own, own


def test_a_missing_page_is_named(host: StaticServer, open_page: OpenPage) -> None:
    host.faults["/w/attention/"] = status(404)
    said = told(open_page(host.url + LESSON))
    assert "/w/attention/ (ответ 404)" in said, f"the missing page is not named: {said}"
    assert "версия" not in said, f"a missing page is taken for another release: {said}"


def test_a_spoilt_page_is_named(host: StaticServer, open_page: OpenPage) -> None:
    host.faults["/w/attention/"] = truncated
    said = told(open_page(host.url + LESSON))
    assert "/w/attention/ пришёл не\xa0таким" in said and "версия" not in said, said


def test_a_quota_too_small_for_the_pages_is_told(host: StaticServer, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    devtools = page.context.new_cdp_session(page)
    devtools.send(
        "Storage.overrideQuotaForOrigin", {"origin": host.url.rstrip("/"), "quotaSize": 500_000}
    )
    page.goto(host.url + LESSON)
    said = told(page)
    assert "не\xa0хватило места" in said and "версия" not in said, said
    page.locator(SAVE).wait_for()


def test_a_missing_worker_is_named(host: StaticServer, open_page: OpenPage) -> None:
    host.faults["/service-worker.js$"] = status(404)
    said = told(open_page(host.url + LESSON))
    assert "/service-worker.js (ответ 404)" in said, said


def test_stopping_does_not_wait_for_the_server(host: StaticServer, open_page: OpenPage) -> None:
    host.faults["/w/attention/"] = hanging
    page = open_page(host.url + LESSON)
    page.locator(SAVE).click()
    page.locator("footer .offline__stop").click()
    page.locator(SAVE).wait_for()
    assert page.locator(MESSAGE).inner_text() == "", "the reader's own stop is told as a fault"


def test_saving_in_a_tab_of_the_old_release_asks_for_a_reload(
    site: Path, host: StaticServer, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(host.url + LESSON)
    until(page.evaluate, IS_CONTROLLED)
    host.root = next_release(site, tmp_path / "b")
    page.evaluate("navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => 1)")
    until(page.evaluate, f"caches.keys().then((n) => n.every((x) => x.endsWith('{NEXT_RELEASE}')))")
    said = told(page)
    assert "новая версия" in said and "Обновите страницу" in said, said


@pytest.mark.parametrize("workers", ["allow", "block"])
def test_python_in_a_tab_of_the_old_release_asks_for_a_reload(
    site: Path, host: StaticServer, browser: Browser, tmp_path: Path, workers: str
) -> None:
    context = browser.new_context(service_workers=workers)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(host.url + LESSON)
    if workers == "allow":
        until(page.evaluate, IS_CONTROLLED)
    host.root = next_release(site, tmp_path / "b")
    said = page.evaluate(START)
    context.close()
    assert said.count("обновите страницу") == 1, f"what helps is not told once: {said}"
    assert "повторить" not in said and "404" not in said, f"what does not help is offered: {said}"


def test_a_cause_is_told_once(host: StaticServer, open_page: OpenPage) -> None:
    page = open_page(host.url + "lab/")
    host.stop()
    said = page.evaluate(START)
    assert said.count("нет связи") == 1, f"the cause is not told once: {said}"
    words = re.sub(r"Python|NumPy|файл \S+", "", said)
    assert not re.search("[A-Za-z]{3,}", words), f"the cause is told in English: {said}"
