/* Word forms, «ё» and punctuation in the search of a Russian site: a patch of lunr inside Material's
 * worker. */
(function (lunr) {
  'use strict';

  const SHORTEST_STEM = 4;
  const fold = (text) => text.replace(/ё/g, 'е');

  // The stemmer is not idempotent (объема → объем → объ), so words pass it twice.
  const run = lunr.Pipeline.prototype.run;
  lunr.Pipeline.prototype.run = function (tokens) {
    const folded = tokens.map((token) => token.update(fold));
    return run.call(this, run.call(this, folded));
  };

  const clause = lunr.Query.prototype.clause;
  lunr.Query.prototype.clause = function (options) {
    return clause.call(this, Object.assign(options, {term: fold(options.term)}));
  };

  // A query is words: «маска:», «n^2» and «(маска)» ask for no field, weight or distance. What stays
  // of lunr's language is what Material writes itself: + before a word of a phrase, * after a word.
  const EDGES = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu;
  const words = (text) =>
    text
      .split(/\s+/)
      .flatMap((word) => {
        const [, plus, inner] = word.match(/^(\+?)(.*?)(?:[~^]\d+)?$/);
        const parts = inner.split(/[:^~*+-]+/).map((part) => part.replace(EDGES, '')).filter(Boolean);
        return parts.map((part) => plus + part + (part === inner ? '' : '*'));
      })
      .join(' ');
  const lex = lunr.QueryLexer.prototype.run;
  lunr.QueryLexer.prototype.run = function () {
    this.str = words(this.str);
    this.length = this.str.length;
    return lex.call(this);
  };

  const exists = (index, term) => Object.hasOwn(index.invertedIndex, term);

  const begins = (index, word) =>
    index.tokenSet.intersect(lunr.TokenSet.fromString(word + '*')).toArray().length > 0;

  /** The term of the index that stands for a word typed in full, or almost in full. */
  function stemOf(index, word) {
    const [stem] = index.pipeline.runString(word);
    if (stem === undefined || exists(index, stem) || begins(index, word)) return stem;
    for (let length = word.length - 1; length >= SHORTEST_STEM; length--) {
      const shorter = word.slice(0, length);
      if (exists(index, shorter)) return shorter;
    }
    return stem;
  }

  /** Beside `слоев*`, which Material asks for, asks for the stem; returns what stands for what. */
  function addStems(index, query) {
    const stems = new Map();
    for (const typed of [...query.clauses]) {
      const word = typed.term.endsWith('*') ? typed.term.slice(0, -1) : '';
      const stem = word && stemOf(index, word);
      if (!stem) continue;
      stems.set(word, stem);
      const exact = {term: stem, wildcard: lunr.Query.wildcard.NONE, usePipeline: false};
      if (typed.presence === lunr.Query.presence.OPTIONAL) query.clause({...typed, ...exact});
      else Object.assign(typed, exact);
    }
    return stems;
  }

  lunr.Index.prototype.search = function (text) {
    let stems = new Map();
    const results = this.query((query) => {
      new lunr.QueryParser(text, query).parse();
      stems = addStems(this, query);
    });
    // Material reports a typed word as missing unless a found term begins with it.
    for (const {matchData} of results) {
      for (const [word, stem] of stems) {
        if (stem in matchData.metadata) matchData.metadata[word] ??= Object.create(null);
      }
    }
    return results;
  };
})(self.lunr);
