import type { SourceRecord } from '../../../src/contracts/source';
import { randomFrom } from '../random';

/** What the sources of a crowd are about, so that a run over them has something to find. */
export const CROWD_QUESTION = 'Does walking improve sleep in adults?';

const HABITS = ['Walking', 'Running', 'Swimming', 'Reading', 'Singing', 'Fasting', 'Cycling', 'Gardening'];
const EFFECTS = ['improved', 'reduced', 'changed', 'worsened', 'did not change', 'shortened', 'lengthened'];
const OUTCOMES = ['sleep', 'mood', 'pain', 'memory', 'attention', 'balance', 'strength', 'appetite'];
const PEOPLE = ['adults', 'nurses', 'drivers', 'students', 'farmers', 'children', 'patients', 'teachers'];

/** Each its own eight words. */
export function* tinySources(count: number): Generator<SourceRecord> {
  const random = randomFrom(1);
  const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
  for (let at = 0; at < count; at += 1) {
    const [habit, outcome] = [one(HABITS), one(OUTCOMES)];
    const content = `${habit} ${one(EFFECTS)} ${outcome} in ${at} ${one(PEOPLE)} of group ${Math.floor(random() * 9_000)}.`;
    yield { id: `tiny-${at}`, title: `${habit} and ${outcome}, note ${at}`, content };
  }
}
