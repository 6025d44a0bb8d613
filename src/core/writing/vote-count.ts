import { citationMark } from '../text/citation-marks';
import { count } from './count';

/** Sources by what they report on whether there was an effect: vote counting, as systematic reviews call it. */
export interface VoteCount<Side> {
  effect: Side;
  none: Side;
}

const BY = 'By the result of each source ';
const THAT = 'that says most to the question';

/**
 * `By the result of each source here that says most to the question, 3 of 5 sources report an effect [@a; @b; @c], and 2 report none
 * [@d; @e].` `which` are the results, `here`.
 */
export function tellVotes({ effect, none }: VoteCount<readonly string[]>, which: string): string {
  const all = count(effect.length + none.length, 'source');
  const reporting = (ids: readonly string[], of: string, what: string): string =>
    `${ids.length}${of} ${ids.length === 1 ? 'reports' : 'report'} ${what}${ids.length === 0 ? '' : ` ${citationMark(ids)}`}`;
  return `${BY}${which} ${THAT}, ${reporting(effect, ` of ${all}`, 'an effect')}, and ${reporting(none, '', 'none')}.`;
}

const COUNT = new RegExp(
  String.raw`^${BY}.{1,60} ${THAT}, (\d+) of (\d+) sources reports? an effect\b.*, and (\d+) reports? none\b`,
  's',
);

/** What a sentence counts, however it cites; null where it counts nothing, or where its sum is wrong. */
export function votesTold(sentence: string): VoteCount<number> | null {
  const [effect, all, none] = (COUNT.exec(sentence.trim()) ?? []).slice(1).map(Number);
  return effect === undefined || none === undefined || effect + none !== all ? null : { effect, none };
}
