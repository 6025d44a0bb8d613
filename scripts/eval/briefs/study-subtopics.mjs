import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { built } from '../built.mjs';
import { draw, seededRandom } from '../draw.mjs';
import { readRecords } from '../read-records.mjs';

const { question, topics } = JSON.parse(
  readFileSync(new URL('./study-topics.json', import.meta.url), 'utf8'),
);
const STUDIES = { least: 6, most: 10 };
const WORDS = { least: 850, most: 1_000 };
const LEAST_OF_A_SENTENCE = 5;
/** What the part of an abstract under such a heading is. */
const KINDS = [
  ['result', /RESULT|FINDING/],
  ['conclusion', /CONCLUSION|DISCUSSION|INTERPRETATION/],
  ['method', /METHOD|DESIGN|PARTICIPANT|SETTING|INTERVENTION|SUBJECTS/],
  ['background', /BACKGROUND|AIM|OBJECTIVE|PURPOSE|INTRODUCTION/],
];
/** Of each study so many sentences of a kind, as far as they go; results have the rest. */
const TAKEN = { background: 1, method: 1, conclusion: 1 };

/**
 * Twelve subtopics of six to ten studies each, their summaries made of sentences of the abstracts with `[n]` marks. `kindOf`
 * tells under which heading of its abstract a sentence stood.
 */
export function studySubtopics({ folder, seed = 1 }) {
  const { sentenceKey } = built('core/duplicates/near-duplicate-sentences.js');
  const random = seededRandom(seed);
  const studies = readRecords(join(folder, 'sources.jsonl'), { id: 'text', title: 'text', content: 'text' })
    .map((study) => ({ ...study, abstract: abstractOf(study.content) }))
    .filter(({ abstract }) => abstract.some(({ kind }) => kind === 'result'));
  const taken = new Set();
  const kinds = new Map();
  const subtopics = topics.map(({ title, words }, at) => {
    const matching = studies.filter(
      (study) => !taken.has(study.id) && words.some((word) => study.title.toLowerCase().includes(word)),
    );
    const size = STUDIES.least + Math.floor(random() * (STUDIES.most - STUDIES.least + 1));
    const drawn = draw(matching, size, seed + at);
    for (const { id } of drawn) taken.add(id);
    const wanted = WORDS.least + random() * (WORDS.most - WORDS.least);
    const paragraphs = drawn.map((study, n) => {
      const sentences = told(study.abstract, wanted / drawn.length);
      for (const { kind, text } of sentences) kinds.set(sentenceKey(text), kind);
      return sentences.map(({ text }) => `${text.slice(0, -1)} [${n + 1}].`).join(' ');
    });
    const sources = drawn.map(({ id, url, title, author, site, content }) => ({
      id,
      url,
      title,
      author,
      site,
      content,
    }));
    return { title, summary: paragraphs.join('\n\n'), sources };
  });
  return { name: 'studies', question, subtopics, kindOf: (claim) => kinds.get(sentenceKey(claim)) };
}

function abstractOf(content) {
  const { splitSentences } = built('language/sentences.js');
  const parts = content
    .split(/^\s*(?=[A-Z][A-Z .,/&-]{3,60}:)/m)
    .filter((part) => part.startsWith('ABSTRACT.'));
  return parts.flatMap((part) => {
    const [, heading = '', text = ''] = /^([^:]+):([^]*)$/.exec(part) ?? [];
    const kind = KINDS.find(([, pattern]) => pattern.test(heading.slice('ABSTRACT.'.length)))?.[0];
    if (kind === undefined) return [];
    return splitSentences(text)
      .map((sentence) => ({ kind, text: sentence.text.replace(/\s+/g, ' ') }))
      .filter((sentence) => isPlain(sentence.text));
  });
}

function isPlain(text) {
  return text.endsWith('.') && !text.includes('[') && text.split(' ').length >= LEAST_OF_A_SENTENCE;
}

/** Sentences of an abstract in its order, about so many words. */
function told(abstract, words) {
  const few = Object.entries(TAKEN).flatMap(([kind, most]) =>
    abstract
      .filter((one) => one.kind === kind)
      .slice(kind === 'background' ? -most : 0)
      .slice(0, most),
  );
  let left = words - few.reduce((sum, { text }) => sum + text.split(' ').length, 0);
  const results = abstract.filter(({ kind }) => kind === 'result');
  const chosen = new Set(few);
  for (const sentence of results) {
    if (left <= 0 && chosen.size > few.length) break;
    chosen.add(sentence);
    left -= sentence.text.split(' ').length;
  }
  return abstract.filter((sentence) => chosen.has(sentence));
}
