"""`[[laboratory]]` is the laboratory, asleep until its scripts wake it."""

from __future__ import annotations

import json
from html import escape

from mkdocs.utils import get_relative_url

from figures.pipeline import embeds, joined, lab_examples

_BODY = """
<p class="lab-asleep">Лаборатории нужен JavaScript: код выполняет Python прямо в вашем браузере.
Примеры можно прочитать в уроке.</p>
<p data-part="waiting" role="status" hidden>Редактор загружается…</p>
<div data-part="work" hidden>
  <div class="lab-bar">
    <label class="lab-examples">Пример
      <select data-part="menu" name="example"><option value="">выберите</option></select></label>
    <button type="button" class="lab-button" data-part="back" hidden>Вернуть мой код</button>
  </div>
  <p class="lab-note" data-part="note" role="status"></p>
  <p class="lab-label"><span id="lab-editor-label">Код на Python</span>
    <span id="lab-editor-keys">Ctrl + Enter — запустить. Tab — отступ; чтобы выйти из поля,
    нажмите Esc, затем Tab.</span></p>
  <div class="lab-editor" data-part="editor" translate="no"></div>
  <p class="lab-warning" data-part="invisible" role="status"></p>
  <div class="lab-bar">
    <button type="button" class="lab-button lab-button--main" data-part="run">Запустить</button>
    <button type="button" class="lab-button" data-part="stop" disabled>Стоп</button>
    <button type="button" class="lab-button" data-part="share">Поделиться ссылкой</button>
  </div>
  <p class="lab-sharing" data-part="sharing" hidden><label>Ссылка с кодом
    <input type="text" data-part="link" name="link" readonly></label></p>
  <p class="lab-runtime" data-part="runtime"></p>
  <p class="lab-status" data-part="status" role="status"></p>
  <div class="lab-error" data-part="error"></div>
  <div class="lab-output" data-part="output" translate="no" hidden></div>
  <div class="lab-value" data-part="value"></div>
</div>
"""


def show(name: str, place: embeds.Place) -> str:
    def address(path: str) -> str:
        return get_relative_url(f"assets/{path}", place.page.url)

    offered = [
        {
            "id": example.name,
            "group": example.group,
            "title": example.title,
            "code": example.code.rstrip(),
        }
        for example in lab_examples.examples()
    ]
    # An attribute: Material's in-site navigation takes every inline script for a program.
    data = escape(json.dumps(offered, ensure_ascii=False))
    return (
        f'<link rel="stylesheet" href="{address("css/lab.css")}"><section class="lab" data-lab '
        f'data-script="{address(joined.LAB)}" data-examples="{data}" '
        f'aria-label="Лаборатория">{_BODY}</section>'
    )
