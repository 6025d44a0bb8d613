import { citationMark } from '../../core/citation-marks';
import type { Finding } from '../../core/contracts/finding';
import { count } from '../../core/writing/count';
import { readQuestion } from '../../reading/question';
import { significanceVotes } from '../../reading/significance';

/** Fewer sources are read one by one. */
const WORTH_COUNTING = 4;

/** What speaks for an effect, or against one, weighs so much at least. */
const LEAST_VOTES = 1;

/**
 * What the findings come to, where the question asks what something does: how many of their sources report an effect, and how
 * many none, each by what it says most to the question. Null where that is not asked, or where there is little to count.
 */
export function shortAnswer(question: string, findings: readonly Finding[]): string | null {
  if (!readQuestion(question).asksForEffect) return null;
  const first = new Map(
    findings
      .flatMap(({ evidence }) => evidence)
      .toReversed()
      .map((item) => [item.sourceId, item]),
  );
  const votes = [...first].map(([id, { quote }]) => ({ id, votes: significanceVotes([quote]) }));
  const effect = votes.filter((vote) => vote.votes >= LEAST_VOTES).map(({ id }) => id);
  const none = votes.filter((vote) => vote.votes <= -LEAST_VOTES).map(({ id }) => id);
  const all = effect.length + none.length;
  if (all < WORTH_COUNTING) return null;
  const parts = [
    effect.length === 0 ? 'none reports an effect' : `${tell(effect)} an effect ${citationMark(effect)}`,
    none.length === 0 ? 'none reports that there is none' : `${tell(none)} none ${citationMark(none)}`,
  ];
  return `Of ${count(all, 'source')} whose answer says so in words or figures, ${parts.join(', and ')}.`;
}

function tell(ids: readonly string[]): string {
  return `${ids.length} ${ids.length === 1 ? 'reports' : 'report'}`;
}
