import { retrieve } from './retrieve.mjs';

/** As the settings of an answer have it where there is more to look through. */
const PASSAGES = 12;
/** Whoever gave them says the same of all. */
const SCORE = 0.5;

/** Passages that are given rather than searched for, each a document of its own, as the product retrieves them. */
export function retrievedFromGiven(question, passages) {
  const given = passages.map(({ document, text, url = null, ...rest }, at) => ({
    ...withoutAbsent(rest),
    id: `P${at + 1}`,
    sourceId: document,
    document,
    url,
    pages: null,
    text,
    start: 0,
    end: text.length,
    origin: 'text',
    score: SCORE,
  }));
  const textOf = () => undefined;
  return retrieve({ question, index: null, textOf, given, most: PASSAGES });
}

function withoutAbsent(record) {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
