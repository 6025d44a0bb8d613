import { evidenceRoot, type SourcesById } from '../../core/agreement/distinct-evidence';
import type { ResultSentence, ResultSentences } from '../../core/agreement/result-sentences';
import type { Assertion } from '../../core/assertions/assertion';
import { compareAssertions } from '../../core/conflicts/compare-assertions';
import { isClash } from '../../core/conflicts/comparison';
import { type Clash, evidenceKey } from '../../core/conflicts/clash';
import type { QuotedAssertion } from '../../core/conflicts/quoted-assertions';
import type { Finding } from '../../core/contracts/finding';
import { evidenceOf, type ResultReader } from './read-results';

/**
 * Results that contradict each other in nearly the same words, whether or not either was chosen as a finding: what one
 * source says and another denies belongs in a report, however little room it has for findings.
 */
export function closeClashes(
  findings: readonly Finding[],
  { results, reader, sources }: { results: ResultSentences; reader: ResultReader; sources: SourcesById },
): Clash[] {
  const findingAt = new Map(
    findings.flatMap((finding) =>
      finding.evidence.map(({ sourceId, start }) => [`${sourceId}@${start}`, finding] as const),
    ),
  );
  const quotedOf = (
    result: ResultSentence,
    read: (result: ResultSentence) => Assertion | null,
  ): QuotedAssertion | null => {
    const assertion = read(result);
    if (assertion === null) return null;
    const evidence = evidenceOf(result);
    const finding = findingAt.get(`${evidence.sourceId}@${evidence.start}`);
    return {
      evidence,
      assertion,
      root: evidenceRoot(evidence.sourceId, sources),
      ...(finding === undefined ? {} : { findingId: finding.id }),
      confidence: finding?.confidence ?? 0,
    };
  };
  const compared = (one: ResultSentence, other: ResultSentence, read: Reading): Clash | null => {
    const [a, b] = [quotedOf(one, read), quotedOf(other, read)];
    if (a === null || b === null || a.root === b.root) return null;
    return { a, b, comparison: compareAssertions(a.assertion, b.assertion) };
  };
  const pairs = results.closePairs().flatMap(({ one, other, worthReporting }) => {
    const seen = compared(one, other, (result) => reader.read(result));
    if (seen === null) return [];
    const pair = isClash(seen.comparison)
      ? compared(one, other, (result) => reader.readClosely(result))
      : seen;
    return pair === null ? [] : [{ ...pair, worthReporting }];
  });
  const agreed = new Set(
    pairs
      .filter(({ comparison }) => comparison.relation === 'agree')
      .flatMap(({ a, b }) => [sayingOf(a, b), sayingOf(b, a)]),
  );
  return pairs.filter((pair) => {
    const { a, b, comparison, worthReporting } = pair;
    if (!isClash(comparison) || (!worthReporting && isParticular(pair))) return false;
    // A source that also says what the other does speaks of conditions that were not seen.
    const torn =
      comparison.relation === 'opposed' && (agreed.has(sayingOf(a, b)) || agreed.has(sayingOf(b, a)));
    return !torn;
  });
}

type Reading = (result: ResultSentence) => Assertion | null;

/** That a source says what the other quote does. */
function sayingOf(quoted: QuotedAssertion, { root }: QuotedAssertion): string {
  return `${root} says ${evidenceKey(quoted.evidence)}`;
}

/** Every study has its own ages and attendance: their numbers say nothing against each other. */
function isParticular({ a, b, comparison }: Clash): boolean {
  return (
    comparison.relation === 'number-differs' && [a, b].some(({ assertion }) => assertion.effects.length === 0)
  );
}
