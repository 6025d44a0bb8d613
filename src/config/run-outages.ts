import type { OutageSettings } from '../contracts/run/outages';
import type { Config } from './config';

/**
 * What a run does where something is away, as the configuration has it. Where it is not to wait, it fails at once, but for a
 * limit whose end is known: its command leaves then, and the run goes on at that time.
 */
export function runOutages({ outages }: Pick<Config, 'outages'>, { waits = true } = {}): OutageSettings {
  return waits
    ? { ...outages, afterwards: 'park' }
    : { ...outages, patienceMs: 0, afterwards: 'fail', outlastsLimits: true };
}

/** A question is not parked: where patience ends, its reply says so. */
export function answerOutages(
  { outages, answers }: Pick<Config, 'outages' | 'answers'>,
  { waits = true } = {},
): OutageSettings {
  return { ...outages, patienceMs: waits ? answers.patienceMs : 0, afterwards: 'fail' };
}
