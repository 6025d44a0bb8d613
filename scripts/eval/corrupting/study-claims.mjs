import { built } from '../built.mjs';

const SHOWING = /^ABSTRACT[^\n]*(?:RESULT|FINDING|CONCLUSION)[^\n]*:\n+([^\n]+)/gm;
const FEWEST_WORDS = 8;
const MOST_WORDS = 60;
const EACH = 2;

/**
 * What articles say in the results and conclusions of their abstracts, held against the whole article (`full`) and against what
 * stands behind the abstract (`body`).
 */
export function studyClaims(records, random) {
  const { splitSentences } = built('language/sentences.js');
  const studies = records.map(({ id, content, title = '', author = '', publishedAt = '' }) => {
    const showing = [...content.matchAll(SHOWING)];
    const last = [...content.matchAll(/^ABSTRACT[^\n]*\n+[^\n]+/gm)].at(-1);
    const body = last === undefined ? content : content.slice(last.index + last[0].length);
    const sentences = showing.flatMap(([, text]) => splitSentences(text).map((one) => one.text));
    const claims = sentences.filter((text) => isLong(text));
    return {
      id,
      content,
      body,
      claims,
      attribution: [title, author, publishedAt].filter((one) => one !== ''),
    };
  });
  return ['content', 'body'].map((part) => ({
    sources: studies.map((study) => ({
      sourceId: study.id,
      content: study[part],
      attribution: study.attribution,
    })),
    claims: studies.flatMap(({ id, claims }) =>
      drawn(claims, EACH, random).map((text) => ({ text, cited: [id], kin: [id] })),
    ),
  }));
}

function drawn(items, size, random) {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, size)
    .map(({ item }) => item);
}

function isLong(text) {
  const words = text.split(/\s+/).length;
  return words >= FEWEST_WORDS && words <= MOST_WORDS;
}
