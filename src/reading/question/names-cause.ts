import { terms } from '../../language/words';
import type { Question } from './question';

/** What tried or found what is asked about has more of the words for it. */
const MOST = 0.5;

/**
 * Whether a text names what the question asks the effect of: the first thing that it names, by more than half of its words, figures aside.
 * Where the question names but one thing there is none that does something to another.
 */
export function namesCause(text: string, { concepts: [cause = [], ...others] }: Question): boolean {
  return others.length === 0 || namesMostOf(text, cause);
}

/** Whether a text names any of that: `the school` may have had the programme that is asked about. */
export function touchesCause(text: string, { concepts: [cause = [], ...others] }: Question): boolean {
  return others.length === 0 || shareNamed(text, cause) > 0;
}

/** Whether it names what the question asks the effect on, one of several by more than half of its words. */
export function namesOutcome(text: string, { concepts, outcomes }: Question): boolean {
  return concepts.length < 2 || outcomes.some((outcome) => shareNamed(text, outcome) > MOST);
}

function namesMostOf(text: string, named: readonly string[]): boolean {
  const words = named.filter((word) => !/^\p{N}/u.test(word));
  return words.length === 0 || shareNamed(text, words) > MOST;
}

function shareNamed(text: string, words: readonly string[]): number {
  const said = new Set(terms(text));
  return words.filter((word) => said.has(word)).length / words.length;
}
