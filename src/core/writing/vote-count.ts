import { writingTexts } from '../../texts/writing';
import { citationMark } from '../text/citation-marks';
import type { Results, Side } from '../../texts/writing';

/** Sources by what they report on whether there was an effect: vote counting, as systematic reviews call it. */
export interface VoteCount<Side> {
  effect: Side;
  none: Side;
}

/**
 * `5 of 9 sources are clear: 3 report an effect [@a; @b; @c], 2 none [@d; @e].` Each source counts by the result that says most to
 * the question; `which` are the results that are counted, `cited` all sources that the text quotes.
 */
export function tellVotes(
  { effect, none }: VoteCount<readonly string[]>,
  { which, cited }: { which: Results; cited: number },
): string {
  const side = (ids: readonly string[]): Side => ({
    amount: ids.length,
    cited: ids.length === 0 ? '' : ` ${citationMark(ids)}`,
  });
  return writingTexts.votes(
    { counting: effect.length + none.length, cited, which },
    side(effect),
    side(none),
  );
}

const COUNTS = writingTexts.readVotes.map((pattern) => new RegExp(pattern, 's'));

/** What a sentence counts, however it cites; null where it counts nothing, or where its sum is wrong. */
export function votesTold(sentence: string): VoteCount<number> | null {
  const found = COUNTS.map((count) => count.exec(sentence.trim())).find((one) => one !== null);
  const [all, effect, none] = (found ?? []).slice(1).map(Number);
  return effect === undefined || none === undefined || effect + none !== all ? null : { effect, none };
}
