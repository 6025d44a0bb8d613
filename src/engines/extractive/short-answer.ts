import { citationMark } from '../../core/text/citation-marks';
import type { Finding } from '../../contracts/report/finding';
import { distinctEvidence } from '../../core/evidence/distinct-evidence';
import { count } from '../../core/writing/count';
import { effectsTold } from '../../language/direction';
import { deniesEffect } from '../../language/negation';
import { terms } from '../../language/words';
import { type Question, readQuestion } from '../../reading/question/question';
import { significanceVotes } from '../../reading/statements/significance';

/** Fewer sources are read one by one. */
const WORTH_COUNTING = 4;

/** Words or two figures speak for an effect; one alone may be of something else. */
const LEAST_VOTES = 1.5;
/** A quote tells of what is asked for where it has so many of the words for it. */
const OF_THE_OUTCOME = 0.5;

/**
 * What the findings come to, where the question asks what something does: how many of their sources report an effect, and how
 * many none, each by what it says most to the question. Null where that is not asked, or where there is little to count.
 */
export function shortAnswer(question: string, findings: readonly Finding[]): string | null {
  const asked = readQuestion(question);
  if (!asked.asksForEffect) return null;
  const first = new Map(
    findings
      .flatMap(({ evidence }) => evidence)
      .filter(({ quote }) => tellsOfOutcome(quote, asked))
      .toReversed()
      .map((item) => [item.sourceId, item]),
  );
  // A sentence that many documents share is told once, by the first of them.
  const told = distinctEvidence([...first.values()], new Map()).map(({ sourceId, quote }) => ({
    id: sourceId,
    effect: effectIn(quote),
  }));
  const effect = told.filter((one) => one.effect === 'effect').map(({ id }) => id);
  const none = told.filter((one) => one.effect === 'none').map(({ id }) => id);
  const all = effect.length + none.length;
  if (all < WORTH_COUNTING) return null;
  const parts = [
    effect.length === 0 ? 'none reports one' : `${tell(effect)} one ${citationMark(effect)}`,
    none.length === 0 ? 'none reports that there is none' : `${tell(none)} none ${citationMark(none)}`,
  ];
  return `Of ${count(all, 'source')} whose quotes say whether there is an effect on what is asked about, ${parts.join(', and ')}.`;
}

/** What a quote says without saying the opposite as well; null where it says neither, or both. */
function effectIn(quote: string): 'effect' | 'none' | null {
  const isDenied = deniesEffect(quote);
  const isTold = effectsTold(quote).some((effect) => effect !== 'none');
  if (isDenied) return isTold ? null : 'none';
  return isTold && significanceVotes([quote]) >= LEAST_VOTES ? 'effect' : null;
}

function tellsOfOutcome(quote: string, { last }: Question): boolean {
  const said = new Set(terms(quote));
  return last.filter((word) => said.has(word)).length >= OF_THE_OUTCOME * last.length;
}

function tell(ids: readonly string[]): string {
  return `${ids.length} ${ids.length === 1 ? 'reports' : 'report'}`;
}
