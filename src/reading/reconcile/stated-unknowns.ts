import { isBackMatter } from '../../language/back-matter';
import { splitPassages } from '../../language/passages';
import { splitSentences } from '../../language/sentences';
import { terms } from '../../language/words';
import type { Evidence, Gap } from '../../contracts/report/finding';
import data from '../data/unknown-words.json';
import { namesCause } from '../question/names-cause';
import { readQuestion } from '../question/question';
import { isQuotable } from '../quotable';

export interface StatedUnknownsInput {
  question: string;
  /** The sources that findings rest on, the first finding's first. */
  sources: readonly { sourceId: string; title: string; content: string }[];
}

const MOST = 4;
/** What stands before is what a source set out from, and may have found out itself. */
const CLOSING_PART = 0.5;
/** A sentence is about the question where it has so much of what the question is about, and two words of it. */
const SHARE_OF_QUESTION = 0.4;
const LEAST_SHARED = 2;
/** It names what is missing where it has so many words besides. */
const LEAST_OWN = 2;
const MOST_WORDS = 60;
/** Two are about the same where they share so much. */
const ALIKE = 0.6;

const UNKNOWN = data.unknown.map((phrase) => new RegExp(phrase, 'i'));
const NEEDED = data.needed.map((phrase) => new RegExp(phrase, 'i'));
const OF_ITS_OWN: ReadonlySet<string> = new Set(data.ofItsOwn.flatMap(terms));
/** Only with what stands before it does a reader know what is spoken of. */
const POINTS_BACK = /\b(?:this|these|those|such|they|their|he|she|its|our|we|above|former|latter)\b/i;

interface StatedUnknown {
  evidence: Evidence;
  /** How much of the question it says itself. */
  said: number;
  own: ReadonlySet<string>;
}

/**
 * What sources say themselves that is not known, or that is still to be found out, where it is what the question is about: one of a
 * source at most, word for word, those first that have most of the question. Pure.
 */
export function statedUnknowns({ question, sources }: StatedUnknownsInput): Gap[] {
  const read = readQuestion(question);
  const asked = read.words.filter((word) => !read.asking.has(word));
  const best = sources
    .flatMap((source) => bestOf(source, asked, read.asksForEffect && namesCause(source.title, read)) ?? [])
    .sort(mostSaid);
  const kept: StatedUnknown[] = [];
  for (const stated of best) {
    if (kept.length === MOST) break;
    if (!kept.some((other) => likeness(other.own, stated.own) >= ALIKE)) kept.push(stated);
  }
  return kept.map(({ evidence }) => ({
    question: `Left open by a source: “${evidence.quote.replace(/\s+/g, ' ').trim()}”`,
    reason: 'The source says so of itself; it is no finding of this report.',
    evidence,
  }));
}

function bestOf(
  { sourceId, title, content }: StatedUnknownsInput['sources'][number],
  asked: readonly string[],
  // A study of what is asked about speaks of that where it names something else that is open.
  isOfCause: boolean,
): StatedUnknown | undefined {
  const named = new Set(isOfCause ? terms(title) : []);
  const found = splitPassages(content)
    .filter(({ headings }) => !isBackMatter(headings))
    .flatMap(({ start, text }) =>
      splitSentences(text).map((span) => ({ ...span, start: start + span.start })),
    )
    .filter(({ start, text }) => start >= CLOSING_PART * content.length && statesUnknown(text, title))
    .flatMap(({ start, text }): StatedUnknown[] => {
      const held = new Set(terms(text));
      const shared = asked.filter((word) => held.has(word) || named.has(word));
      const own = new Set([...held].filter((word) => !OF_ITS_OWN.has(word)));
      const missing = [...own].filter((word) => !asked.includes(word));
      const share = shared.length / Math.max(1, asked.length);
      if (shared.length < LEAST_SHARED || share < SHARE_OF_QUESTION || missing.length < LEAST_OWN) return [];
      const evidence = { sourceId, quote: text, start, end: start + text.length };
      return [{ evidence, said: asked.filter((word) => held.has(word)).length, own }];
    });
  return found.sort(mostSaid)[0];
}

function mostSaid(a: StatedUnknown, b: StatedUnknown): number {
  return b.said - a.said;
}

function statesUnknown(text: string, title: string): boolean {
  const states = [...UNKNOWN, ...NEEDED].some((phrase) => phrase.test(text));
  if (!states || POINTS_BACK.test(text) || !isQuotable(text, title)) return false;
  return text.split(/\s+/).length <= MOST_WORDS;
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / Math.max(1, Math.min(one.size, other.size));
}
