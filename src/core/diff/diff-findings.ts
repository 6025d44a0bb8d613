import type { ChangedFinding, DiffFinding, ReportDiff } from '../contracts/report-diff';
import type { ComparedClaim } from './compared-claims';
import { quoteLikeness } from './compare-quotes';
import { findingChanges } from './finding-changes';
import type { SectionPairs } from './pair-sections';
import { type ReportSide, sectionOf, sourcesOf } from './report-side';

/** `pairs` has the places of the findings that both reports have. */
export function diffFindings(
  before: ReportSide,
  after: ReportSide,
  pairs: ReadonlyMap<number, number>,
  sections: SectionPairs,
): ReportDiff['findings'] {
  const partners = new Map([...pairs].map(([at, against]) => [against, at]));
  return {
    new: after.claims.flatMap((claim, at) => (partners.has(at) ? [] : [diffFinding(claim, after, before)])),
    changed: after.claims.flatMap((claim, at): ChangedFinding[] => {
      const earlier = before.claims[partners.get(at) ?? -1];
      if (earlier === undefined) return [];
      const changes = findingChanges({ side: before, claim: earlier }, { side: after, claim }, sections);
      if (changes.length === 0) return [];
      return [{ before: diffFinding(earlier, before), after: diffFinding(claim, after), changes }];
    }),
    withdrawn: before.claims.flatMap((claim, at) =>
      pairs.has(at) ? [] : [diffFinding(claim, before, after)],
    ),
  };
}

/** `elsewhere` is the other report, for a finding that has no partner there but may be a part of another. */
function diffFinding(compared: ComparedClaim, side: ReportSide, elsewhere?: ReportSide): DiffFinding {
  const { claim, statement, verbatim, quotes, sources } = compared;
  const whole = elsewhere?.claims.find(
    (other) =>
      quotes.length > 0 &&
      quotes.every((quote) => other.quotes.some((rival) => quoteLikeness(quote, rival) > 0)),
  );
  return {
    claimId: claim.id,
    statement,
    verbatim,
    section: sectionOf({ side, claim: compared }),
    sources: sourcesOf(side, sources),
    confidence: claim.confidence,
    verdict: claim.verdict,
    ...(whole === undefined ? {} : { partOf: whole.statement }),
  };
}
