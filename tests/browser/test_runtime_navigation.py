"""Python survives a walk through the site: one worker, one download, whatever page is shown."""

from __future__ import annotations

from tests.browser.runtime_calls import NUMBER, number, start

COUNT_WORKERS = """
window.pythonWorkers = 0;
const make = URL.createObjectURL;
URL.createObjectURL = (blob) => {
  if (blob.type === 'text/javascript' && blob.size > 1e6) pythonWorkers += 1;
  return make(blob);
};
"""
LESSON, LAB = "lesson/multihead-masks/", "lab/"


def test_lesson_laboratory_back_and_forward_five_times(visit, server):
    made = visit(LESSON)
    page = made.page
    made.context.add_init_script(COUNT_WORKERS)
    page.reload()
    assert start(page)["state"] == "ready", "the runtime did not start on the lesson page"
    page.evaluate("window.sameDocument = true")
    server.forget()
    page.locator(f'.md-tabs a[href$="{LAB}"], .md-nav a[href$="{LAB}"]').first.click()
    page.wait_for_url(f"**/{LAB}")
    for _ in range(5):
        page.go_back()
        page.wait_for_url(f"**/{LESSON}")
        page.go_forward()
        page.wait_for_url(f"**/{LAB}")
    assert page.evaluate("window.sameDocument"), "navigation loaded whole documents"
    assert page.evaluate("pythonWorkers") == 1, "a change of page started another worker"
    assert page.evaluate("attn.runtime.state") == "ready", "a change of page ended the runtime"
    assert number(page) == NUMBER, "wrong number after navigation"
    fetched = [path for path in server.requests if path.endswith(".bin")]
    assert not fetched, f"parts of the runtime were fetched again: {fetched}"
    steps = 11
    pages = [path for path in server.requests if path.endswith((LESSON, LAB))]
    assert len(pages) <= steps, f"{len(pages)} pages fetched in {steps} steps"
