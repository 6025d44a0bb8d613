import type { SourceFacts } from '../../../src/core/evidence/distinct-evidence';
import { answerConflicts } from '../../../src/reading/reconcile/answer-conflicts';
import { findConflicts } from '../../../src/reading/reconcile/find-conflicts';
import { findingOf, GENERAL } from '../../support/findings';
import { pairs } from './small-pairs.json';

type Pair = (typeof pairs)[number];

/** Whether two sources that say no more than these sentences are found to disagree. */
function areFoundToDisagree({ question, a, b }: Pair): boolean {
  const findings = [a, b].map((quote, at) => findingOf(`finding-${at}`, quote, `source-${at}`));
  const facts: SourceFacts = { title: '', quality: GENERAL };
  const sources = new Map([0, 1].map((at) => [`source-${at}`, facts]));
  return (
    findConflicts(findings, sources, { question }).length > 0 ||
    answerConflicts(question, findings).length > 0
  );
}

describe('pairs of sentences of physics, history, medicine, law and economics', () => {
  const [tuned, held] = [false, true].map((isHeld) => pairs.filter((pair) => pair.held === isHeld));

  it.each(tuned?.map((pair) => [pair.disagree ? 'disagree' : 'do not disagree', pair] as const) ?? [])(
    'that %s: $a | $b',
    (_told, pair) => {
      expect(areFoundToDisagree(pair)).toBe(pair.disagree);
    },
  );

  it('are told apart where nothing was tuned: all disagreements of twelve found, at most one alarm of twelve', () => {
    const found = held?.filter(areFoundToDisagree) ?? [];
    expect(found.filter(({ disagree }) => disagree)).toHaveLength(12);
    expect(found.filter(({ disagree }) => !disagree).length).toBeLessThanOrEqual(1);
  });
});
