import { stemOf, terms } from '../../language/words';
import comparisonWords from '../statements/data/comparison-words.json';
import type { Question } from './question';

/** What tried or found what is asked about has more of the words for it. */
const MOST = 0.5;
/** Two letters are short for too much. */
const LEAST_INITIALS = 3;
/** What any cause is called: a trial of another supplement is none of `protein supplementation`. */
const doing = new Set(comparisonWords.doing.map(stemOf));
const ofAny = new Set(comparisonWords.anyOutcome.map(stemOf));
/** What is measured of any outcome: who falls less often has a lower `risk of falls`. */
const measuring = new Set(comparisonWords.measuring.map(stemOf));

/**
 * Whether a text names what the question asks the effect of, one of several by more than half of its words, figures aside. Where the
 * question names but one thing there is none that does something to another.
 */
export function namesCause(text: string, { concepts, causes }: Question): boolean {
  return concepts.length < 2 || causes.some((cause) => shareNamed(text, tellingOf(cause)) > MOST);
}

/** Whether it names what the question asks the effect on, one of several by more than half of its words. */
export function namesOutcome(text: string, { concepts, outcomes }: Question): boolean {
  return concepts.length < 2 || outcomes.some((outcome) => shareNamed(text, measuredIn(outcome)) > MOST);
}

/** Whether a question says on what it asks the effect, and not `on health`, of which everything is. */
export function saysOnWhat({ outcomes }: Question): boolean {
  return outcomes.some((outcome) => outcome.some((word) => !ofAny.has(word)));
}

/** The words that tell a cause from others, without figures; all where there are none. */
function tellingOf(cause: readonly string[]): readonly string[] {
  const words = cause.filter((word) => !doing.has(word) && !/^\p{N}/u.test(word));
  return words.length === 0 ? cause : words;
}

/** `Falls` of `risk of falls`, but all of `heart rate`. */
function measuredIn(outcome: readonly string[]): readonly string[] {
  const [first = '', ...others] = outcome;
  return others.length > 0 && measuring.has(first) ? others : outcome;
}

function shareNamed(text: string, words: readonly string[]): number {
  // `BMI`, `BMIZ` of `body mass index`
  const initials = words
    .map((word) => word.charAt(0))
    .join('')
    .toUpperCase();
  if (words.length >= LEAST_INITIALS && new RegExp(`(?<![\\p{L}])${initials}`, 'u').test(text)) return 1;
  const said = new Set(terms(text).map(spelling));
  return words.filter((word) => said.has(spelling(word))).length / words.length;
}

/** `Diarrhoea` and `diarrhea`, `tumour` and `tumor` are one word. */
function spelling(word: string): string {
  return word.replace(/[ao]e/g, 'e').replace(/our$/, 'or');
}
