import { withoutCompounds } from '../question/compound-words';
import { STOP_WORDS, stemOf, words } from '../../language/words';
import { isGeneric } from './generic-words';

/** Words for an outcome of any sort; they narrow nothing down: `bone health` is about bone, `health` about anything. */
const OPEN_STEMS: ReadonlySet<string> = new Set([
  'health',
  'diseas',
  'ill',
  'well-b',
  'wellb',
  'condit',
  'risk',
  'disord',
]);

/** One thing that a question asks about: `vitamin d`, `older adults`. Without stems it is open: anything may be meant. */
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
      run = run.filter((stem) => !OPEN_STEMS.has(stem));
      const last = groups.at(-1);
      if (joined && last) last.push({ stems: run });
      else groups.push([{ stems: run }]);
      joined = false;
    }
    run = [];
  };
  for (const part of withoutCompounds(question).toLowerCase().match(PART) ?? []) {
    if (/^(?:[,;/]|and|or|vs|versus)$/.test(part)) {
      const hadRun = run.length > 0;
      flush();
      joined = joined || hadRun;
    } else if (part.length === 1 && run.length > 0 && /[a-z0-9]/.test(part))
      run.push(`${run.pop() ?? ''} ${part}`);
    else if (isContent(part)) run.push(stemOf(part));
    // `quality of life` is one thing.
    else if (part === 'of' && run.length > 0) continue;
    else {
      const hadRun = run.length > 0;
      flush();
      joined = joined && !hadRun;
    }
  }
  flush();
  const closed = groups.filter((group) => group.some(({ stems }) => stems.length > 0));
  return closed.length > 0 ? closed : [];
}

function isContent(part: string): boolean {
  if (part.length === 1 || !/[\p{L}\p{N}]/u.test(part)) return false;
  return !STOP_WORDS.has(part) && !isGeneric(part) && !isGeneric(stemOf(part));
}

/** True where a question asks how much, how many, how often: then figures answer it. */
export function asksForQuantities(question: string): boolean {
  return /\b(?:how (?:much|many|often|long|far|large|big|fast|strong|great|high|low)|by how|to what (?:extent|degree)|what (?:percentage|proportion|share|rate|dose|size)|effect sizes?|quantif\w+|numbers?|rates?|costs?)\b/i.test(
    question,
  );
}

/** All stems of a text; a single letter after a word counts with it, too (`vitamin d`, also for `vitamin D3`). */
export function stemSet(text: string): Set<string> {
  const stems = new Set<string>();
  let previous = '';
  for (const word of words(text)) {
    if (/^[b-h]\d{0,2}$/.test(word) && previous !== '') stems.add(`${previous} ${word.charAt(0)}`);
    previous = STOP_WORDS.has(word) ? word : stemOf(word);
    stems.add(previous);
  }
  return stems;
}
