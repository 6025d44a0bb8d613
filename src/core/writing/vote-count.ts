import { citationMark } from '../text/citation-marks';
import { count } from './count';

/** Sources by what they report on whether there was an effect: vote counting, as systematic reviews call it. */
export interface VoteCount<Side> {
  effect: Side;
  none: Side;
}

const COUNTABLE = 'with a countable result';

/**
 * `Of 5 sources with a countable result here, 3 report an effect [@a; @b; @c] and 2 none [@d; @e].` Each source counts by the result that
 * says most to the question; `which` are the results, `here`.
 */
export function tellVotes({ effect, none }: VoteCount<readonly string[]>, which: string): string {
  const cited = (ids: readonly string[]): string => (ids.length === 0 ? '' : ` ${citationMark(ids)}`);
  const reporting = `${effect.length} ${effect.length === 1 ? 'reports' : 'report'} an effect${cited(effect)}`;
  return `Of ${count(effect.length + none.length, 'source')} ${COUNTABLE} ${which}, ${reporting} and ${none.length} none${cited(none)}.`;
}

const COUNT = new RegExp(
  String.raw`^Of (\d+) sources? ${COUNTABLE} .{1,60}, (\d+) reports? an effect\b.* and (\d+) none\b`,
  's',
);

/** What a sentence counts, however it cites; null where it counts nothing, or where its sum is wrong. */
export function votesTold(sentence: string): VoteCount<number> | null {
  const [all, effect, none] = (COUNT.exec(sentence.trim()) ?? []).slice(1).map(Number);
  return effect === undefined || none === undefined || effect + none !== all ? null : { effect, none };
}
