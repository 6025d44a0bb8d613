import { built } from '../built.mjs';

const MARK = /\s*\[\d+(?:\s*[,–-]\s*\d+)*\]/g;
const FEWEST_WORDS = 8;

/** The sentences of answers that cite, held against the passages that they cite; all passages of all answers are the sources. */
export function expertClaims(records) {
  const { splitSentences } = built('language/sentences.js');
  const idOf = (record, n) => `${record}-${n}`;
  const sources = records.flatMap(({ ctxs }, record) =>
    ctxs.map(({ title = '', text, authors, year }, n) => ({
      sourceId: idOf(record, n),
      content: text ?? '',
      title,
      attribution: [title, (authors ?? []).map(({ name }) => name).join('; '), `${year ?? ''}`].filter(
        (one) => one !== '',
      ),
    })),
  );
  const titleOf = new Map(sources.map(({ sourceId, title }) => [sourceId, title]));
  const titled = new Map();
  for (const { sourceId, title } of sources) titled.set(title, [...(titled.get(title) ?? []), sourceId]);
  const claims = records.flatMap(({ output, ctxs }, record) =>
    splitSentences(output.replace(/([.!?])((?:\s*\[\d+(?:, ?\d+)*\])+)/g, '$2$1')).flatMap(({ text }) => {
      const cited = citedIn(text).filter((n) => (ctxs[n]?.text ?? '') !== '');
      const plain = text.replace(MARK, '').trim();
      if (cited.length === 0 || plain.split(/\s+/).length < FEWEST_WORDS) return [];
      const ids = cited.map((n) => idOf(record, n));
      const kin = ids.flatMap((id) => titled.get(titleOf.get(id)).map(({ sourceId }) => sourceId));
      return [{ text: plain, cited: ids, kin }];
    }),
  );
  // Some answers are there twice, with the same passages.
  const textOf = new Map(sources.map(({ sourceId, content }) => [sourceId, content]));
  const keyOf = ({ text, cited }) => [text, ...cited.map((id) => textOf.get(id))].join('\n');
  const once = [...new Map(claims.map((claim) => [keyOf(claim), claim])).values()];
  return [{ sources, claims: once, definitions: records.map(({ output }) => output) }];
}

function citedIn(text) {
  const numbers = [...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, list]) => list.split(','));
  return [...new Set(numbers.map(Number))];
}
