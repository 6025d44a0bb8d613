import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { GivenBrief } from './briefs';
import { draw, seededRandom } from './seeded-draw';
import { sumOf } from './figures';
import * as product from './product';
import { readRecords } from './records';
import { Article } from './studies';

const Topics = z.object({
  question: z.string(),
  topics: z.array(z.object({ title: z.string(), words: z.array(z.string()) })),
});
/** What the studies are about, and the words by which their titles say so. */
export const STUDY_TOPICS = Topics.parse(
  JSON.parse(readFileSync(join(__dirname, 'data/study-topics.json'), 'utf8')),
);

const Study = Article.extend({
  url: z.string().optional(),
  author: z.string().optional(),
  site: z.string().optional(),
});
const STUDIES = { least: 6, most: 10 };
const WORDS = { least: 850, most: 1_000 };
const LEAST_OF_A_SENTENCE = 5;
/** What the part of an abstract under such a heading is. */
const KINDS = [
  ['result', /RESULT|FINDING/],
  ['conclusion', /CONCLUSION|DISCUSSION|INTERPRETATION/],
  ['method', /METHOD|DESIGN|PARTICIPANT|SETTING|INTERVENTION|SUBJECTS/],
  ['background', /BACKGROUND|AIM|OBJECTIVE|PURPOSE|INTRODUCTION/],
] as const;
/** Of each study so many sentences of a kind, as far as they go; results have the rest. */
const TAKEN = ['background', 'method', 'conclusion'];

interface Sentence {
  kind: string;
  text: string;
}

/**
 * Twelve subtopics of six to ten studies each, their summaries made of sentences of the abstracts with `[n]` marks. `kindOf`
 * tells under which heading of its abstract a sentence stood.
 */
export function studySubtopics(
  folder: string,
  seed: number,
): GivenBrief & { name: string; kindOf: (claim: string) => string | undefined } {
  const random = seededRandom(seed);
  const studies = readRecords(join(folder, 'sources.jsonl'), Study)
    .map((study) => ({ ...study, abstract: abstractOf(study.content) }))
    .filter(({ abstract }) => abstract.some(({ kind }) => kind === 'result'));
  const taken = new Set<string>();
  const kinds = new Map<string, string>();
  const subtopics = STUDY_TOPICS.topics.map(({ title, words }, at) => {
    const matching = studies.filter(
      (study) => !taken.has(study.id) && words.some((word) => study.title.toLowerCase().includes(word)),
    );
    const size = STUDIES.least + Math.floor(random() * (STUDIES.most - STUDIES.least + 1));
    const drawn = draw(matching, size, seed + at);
    for (const { id } of drawn) taken.add(id);
    const wanted = WORDS.least + random() * (WORDS.most - WORDS.least);
    const paragraphs = drawn.map((study, n) => {
      const sentences = chosenOf(study.abstract, wanted / drawn.length);
      for (const { kind, text } of sentences) kinds.set(product.sentenceKey(text), kind);
      return sentences.map(({ text }) => `${text.slice(0, -1)} [${n + 1}].`).join(' ');
    });
    const sources = drawn.map(({ id, url, title: name, author, site, content }) => ({
      id,
      url,
      title: name,
      author,
      site,
      content,
    }));
    return { title, summary: paragraphs.join('\n\n'), sources };
  });
  const kindOf = (claim: string): string | undefined => kinds.get(product.sentenceKey(claim));
  return { name: 'studies', question: STUDY_TOPICS.question, subtopics, kindOf };
}

function abstractOf(content: string): Sentence[] {
  const parts = content
    .split(/^\s*(?=[A-Z][A-Z .,/&-]{3,60}:)/m)
    .filter((part) => part.startsWith('ABSTRACT.'));
  return parts.flatMap((part) => {
    const [, heading = '', text = ''] = /^([^:]+):([^]*)$/.exec(part) ?? [];
    const kind = KINDS.find(([, pattern]) => pattern.test(heading.slice('ABSTRACT.'.length)))?.[0];
    if (kind === undefined) return [];
    return product
      .splitSentences(text)
      .map((sentence) => ({ kind, text: sentence.text.replace(/\s+/g, ' ') }))
      .filter((sentence) => isPlain(sentence.text));
  });
}

function isPlain(text: string): boolean {
  return text.endsWith('.') && !text.includes('[') && text.split(' ').length >= LEAST_OF_A_SENTENCE;
}

/** Sentences of an abstract in its order, about so many words: of its background the last one, of others the first. */
function chosenOf(abstract: readonly Sentence[], words: number): Sentence[] {
  const few = TAKEN.flatMap((kind) =>
    abstract
      .filter((one) => one.kind === kind)
      .slice(kind === 'background' ? -1 : 0)
      .slice(0, 1),
  );
  const wordsOf = ({ text }: Sentence): number => text.split(' ').length;
  let left = words - sumOf(few, wordsOf);
  const chosen = new Set(few);
  for (const sentence of abstract.filter(({ kind }) => kind === 'result')) {
    if (left <= 0 && chosen.size > few.length) break;
    chosen.add(sentence);
    left -= wordsOf(sentence);
  }
  return abstract.filter((sentence) => chosen.has(sentence));
}
