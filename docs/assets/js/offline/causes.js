/* Why the site is not saved: each cause is told once, with what helps against it. */
(function () {
  'use strict';

  const STORAGE =
    'Браузер не\u00a0даёт этой странице ничего хранить: хранение запрещено в\u00a0настройках, окно приватное или страница ' +
    'встроена в\u00a0чужую. Разрешите хранение для этого сайта, откройте его в\u00a0обычном окне или возьмите архив.';
  const NEWER = 'На\u00a0сервере уже новая версия сайта. Обновите страницу: сохраняется та\u00a0версия, которая показана.';
  const AGAIN = 'Что уже сохранено, второй раз загружаться не\u00a0будет.';

  /** What browsers call the same refusal. */
  const REFUSALS = ['SecurityError', 'NotAllowedError', 'NotSupportedError', 'InvalidStateError'];

  /** @type {Record<string, string>} */
  const TOLD = {
    QuotaExceededError: 'Браузеру не\u00a0хватило места для сохранения: освободите его на\u00a0диске. С\u00a0сетью сайт работает как прежде.',
    SpoiltWorker:
      'Браузер отверг файл service-worker.js: сервер отдаёт его с\u00a0неверным типом или по\u00a0сертификату, ' +
      'которому браузер не\u00a0доверяет. Исправит это тот, кто настраивает сервер; без сети поможет архив.',
    OtherRelease: NEWER,
    ...Object.fromEntries(REFUSALS.map((name) => [name, STORAGE])),
  };

  /** @param {any} error */
  function broken({ name, message, status, url }) {
    const file = url && decodeURI(new URL(url).pathname);
    if (status >= 400) return `сервер не\u00a0отдал файл ${file} (ответ ${status})`;
    if (status) return `файл ${file} пришёл не\u00a0таким, каким его отправил автор сайта`;
    if (name === 'TypeError') return 'нет связи с\u00a0сервером';
    if (name === 'TimeoutError') return 'сервер не\u00a0отвечает';
    return /[а-яё]/i.test(message) ? message : 'браузер остановил загрузку';
  }

  attn.offlineCauses = {
    STORAGE,
    INSECURE:
      'Здесь сохранить сайт нельзя: страница открыта по\u00a0http, без шифрования, и\u00a0такой странице браузер ничего ' +
      'для работы без сети хранить не\u00a0даёт. Откройте сайт по\u00a0адресу с\u00a0https:// или возьмите архив.',

    /**
     * @param {any} error
     * @param {() => Promise<boolean>} isOutdated whether the server has another release than the page
     */
    async explained(error, isOutdated) {
      if (error.name in TOLD) return TOLD[error.name];
      if (await isOutdated()) return NEWER;
      return `Сохранение прервалось: ${broken(error)}. ${AGAIN}`;
    },
  };
})();
