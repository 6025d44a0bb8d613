import { evidenceRoot, type SourcesById } from '../agreement/distinct-evidence';
import { acronymsOf } from '../assertions/acronyms';
import type { Assertion } from '../assertions/assertion';
import { assertionOf } from '../assertions/assertion-of';
import type { Evidence, Finding } from '../contracts/finding';

/** A quote with what it asserts. `findingId` is absent where it comes from a further source. */
export interface QuotedAssertion {
  evidence: Evidence;
  assertion: Assertion;
  /** Quotes of one root are one voice and cannot contradict or confirm each other. */
  root: string;
  findingId?: string;
  confidence: number;
}

/** Everything that the findings quote and that asserts something, in the findings' order. */
export function quotedAssertions(
  findings: readonly Finding[],
  sources: SourcesById,
  acronyms: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(),
): QuotedAssertion[] {
  const learnt = new Map<string, Map<string, string>>();
  for (const { evidence } of findings) {
    for (const { sourceId, quote } of evidence) {
      const known =
        learnt.get(sourceId) ??
        new Map<string, string>([
          ...(acronyms.get(sourceId) ?? []),
          ...acronymsOf(sources.get(sourceId)?.title ?? ''),
        ]);
      for (const [short, long] of acronymsOf(quote)) if (!known.has(short)) known.set(short, long);
      learnt.set(sourceId, known);
    }
  }
  return findings.flatMap((finding) =>
    finding.evidence.flatMap((evidence): QuotedAssertion[] => {
      const source = sources.get(evidence.sourceId);
      const assertion = assertionOf(evidence.quote, {
        acronyms: learnt.get(evidence.sourceId) ?? new Map<string, string>(),
        ...(source === undefined ? {} : { title: source.title }),
      });
      if (assertion === null) return [];
      return [
        {
          evidence,
          assertion,
          root: evidenceRoot(evidence.sourceId, sources),
          findingId: finding.id,
          confidence: finding.confidence,
        },
      ];
    }),
  );
}
