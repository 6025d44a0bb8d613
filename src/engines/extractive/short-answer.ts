import { citationMark } from '../../core/citation-marks';
import type { Finding } from '../../core/contracts/finding';
import { count } from '../../core/writing/count';
import { readQuestion } from '../../reading/question';
import { significanceOf } from '../../reading/significance';

/** Fewer sources are read one by one. */
const WORTH_COUNTING = 4;

/**
 * What the findings come to, where the question asks what something does: how many of their sources report an effect, and how
 * many none. Null where that is not asked, or where there is little to count.
 */
export function shortAnswer(question: string, findings: readonly Finding[]): string | null {
  if (!readQuestion(question).asksForEffect) return null;
  const effect = new Set<string>();
  const none = new Set<string>();
  for (const { sourceId, quote } of findings.flatMap(({ evidence }) => evidence)) {
    const told = significanceOf([quote]);
    if (told === 'effect') effect.add(sourceId);
    if (told === 'none') none.add(sourceId);
  }
  const all = new Set([...effect, ...none]);
  if (all.size < WORTH_COUNTING) return null;
  const both = [...effect].filter((id) => none.has(id)).length;
  const parts = [
    effect.size === 0 ? 'none reports an effect' : `${tell(effect)} an effect ${citationMark([...effect])}`,
    none.size === 0 ? 'none reports that there is none' : `${tell(none)} none ${citationMark([...none])}`,
  ];
  const overlap =
    both === 0 ? '' : `; ${both} of them ${both === 1 ? 'reports' : 'report'} both, on different things`;
  return `Of ${count(all.size, 'source')} whose quotes tell of an effect or of its absence, ${parts.join(', and ')}${overlap}.`;
}

function tell(ids: ReadonlySet<string>): string {
  return `${ids.size} ${ids.size === 1 ? 'reports' : 'report'}`;
}
