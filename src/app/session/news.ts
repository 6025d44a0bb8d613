/** What happens while a session or a service is open. A face puts it in its own words; a `line` is in words already. */
export type News =
  /** The server's program is got, or started. */
  | { what: 'server-prepared'; line: string }
  /** The server that is kept is silent, has died, or is back. */
  | { what: 'server-state'; line: string }
  | { what: 'server-started'; address: string }
  /** Commands that were killed had left it running. */
  | { what: 'server-was-left'; address: string }
  /** It is not ended at once, because others use it. */
  | { what: 'server-stays'; address: string }
  | { what: 'no-search-attributes'; reason: string };

export type Tell = (news: News) => void;
