import { STOP_WORDS, stemOf, words } from '../text/words';
import { isGeneric } from './generic-words';

/** One thing that a question asks about: `vitamin d`, `older adults`. */
export interface Concept {
  stems: string[];
}

/** Concepts that are alternatives of each other (`errors, cancellation and caching`); a text on one of them is to the question. */
export type ConceptGroup = Concept[];

const PART = /[\p{L}\p{N}]+(?:[-'’.][\p{L}\p{N}]+)*|[,;/]|[^\s]/gu;

/** What a question is about: its runs of content words, generic words left out; runs that only commas and `and`/`or` part are alternatives. */
export function questionConcepts(question: string): ConceptGroup[] {
  const groups: ConceptGroup[] = [];
  let run: string[] = [];
  let joined = false;
  const flush = (): void => {
    if (run.length > 0) {
      const last = groups.at(-1);
      if (joined && last) last.push({ stems: run });
      else groups.push([{ stems: run }]);
      joined = false;
    }
    run = [];
  };
  for (const part of question.toLowerCase().match(PART) ?? []) {
    if (/^(?:[,;/]|and|or|vs|versus)$/.test(part)) {
      const hadRun = run.length > 0;
      flush();
      joined = joined || hadRun;
    } else if (isContent(part, run)) run.push(stemOf(part));
    else {
      flush();
      joined = false;
    }
  }
  flush();
  return groups;
}

function isContent(part: string, run: readonly string[]): boolean {
  if (!/[\p{L}\p{N}]/u.test(part)) return false;
  if (part.length === 1) return run.length > 0 && /[b-h0-9k]/.test(part);
  return !STOP_WORDS.has(part) && !isGeneric(part) && !isGeneric(stemOf(part));
}

/** True where a question asks how much, how many, how often: then figures answer it. */
export function asksForQuantities(question: string): boolean {
  return /\b(?:how (?:much|many|often|long|far|large|big|fast|strong|great|high|low)|by how|to what (?:extent|degree)|what (?:percentage|proportion|share|rate|dose|size)|effect sizes?|quantif\w+|numbers?|rates?|costs?)\b/i.test(
    question,
  );
}

/** All stems of a text, single letters and digits after a word included (`vitamin D`). */
export function stemSet(text: string): Set<string> {
  return new Set(words(text).map((word) => (STOP_WORDS.has(word) ? word : stemOf(word))));
}
