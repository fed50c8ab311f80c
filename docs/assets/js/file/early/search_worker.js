/* file:// only: browsers start no worker by address there, so the theme's search worker gets its text
 * from `attn.searchWorker`, which the build puts before this script. Other workers are left alone. */
(function () {
  'use strict';

  const Native = self.Worker;
  const SEARCH = /\/workers\/search\.[^/]*$/;

  self.Worker = class extends Native {
    /** @param {string | URL} address @param {WorkerOptions} [options] */
    constructor(address, options) {
      const isSearch = SEARCH.test(String(address));
      super(isSearch ? URL.createObjectURL(text()) : address, options);
    }
  };

  /** The stemmers that the worker would import are in its text already. */
  function text() {
    return new Blob(['self.importScripts = () => {};\n', attn.searchWorker], { type: 'text/javascript' });
  }
})();
