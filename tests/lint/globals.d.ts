/** The one global of this site's scripts; each file adds its own part. */
declare var attn: any;

/** Material's stream of pages: emits the document now and after each in-site navigation. */
declare var location$: { subscribe(next: (location: URL) => void): void } | undefined;
declare var document$: { subscribe(next: (document: Document) => void): void } | undefined;
