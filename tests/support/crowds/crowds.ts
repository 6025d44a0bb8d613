import type { SourceRecord } from '../../../src/contracts/source/source';
import { randomFrom } from '../random';

/** What the sources of a crowd are about, so that a run over them has something to find. */
export const CROWD_QUESTION = 'Does walking improve sleep in adults?';

export const CROWDS = {
  /** Each its own eight words. */
  tiny: tinySources,
  /** Each the same hundred words but for two. */
  alike: alikeSources,
};
export type CrowdName = keyof typeof CROWDS;

const HABITS = ['Walking', 'Running', 'Swimming', 'Reading', 'Singing', 'Fasting', 'Cycling', 'Gardening'];
const EFFECTS = ['improved', 'reduced', 'changed', 'worsened', 'did not change', 'shortened', 'lengthened'];
const OUTCOMES = ['sleep', 'mood', 'pain', 'memory', 'attention', 'balance', 'strength', 'appetite'];
const PEOPLE = ['adults', 'nurses', 'drivers', 'students', 'farmers', 'children', 'patients', 'teachers'];

function* tinySources(count: number, seed = 1): Generator<SourceRecord> {
  const random = randomFrom(seed);
  const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
  for (let at = 0; at < count; at += 1) {
    const [habit, outcome] = [one(HABITS), one(OUTCOMES)];
    const content = `${habit} ${one(EFFECTS)} ${outcome} in ${at} ${one(PEOPLE)} of group ${Math.floor(random() * 9_000)}.`;
    yield { id: `tiny-${at}`, title: `${habit} and ${outcome}, note ${at}`, content };
  }
}

const ALIKE = `Walking for half an hour before the evening meal improved sleep in adults who took part in a trial of
twelve weeks. They fell asleep sooner, woke up less often at night and felt more rested in the morning than those who
went on as before. The effect was larger in people who had slept badly at the beginning, and it was still there when
they were asked again after half a year. Nobody was hurt. The authors say that the trial was small and that those who
took part knew what they were given, so that a larger one is needed before anybody is advised to change their habits.`;

function* alikeSources(count: number, seed = 1): Generator<SourceRecord> {
  const random = randomFrom(seed);
  for (let at = 0; at < count; at += 1) {
    const content = `${ALIKE} Copy ${at}, kept in archive ${Math.floor(random() * 1_000)}.`;
    yield { id: `alike-${at}`, title: `A trial of walking, copy ${at}`, content };
  }
}
