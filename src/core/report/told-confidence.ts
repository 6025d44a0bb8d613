import { writingTexts } from '../../texts/writing';
import { confidenceRemark, confidenceWord } from '../evidence/confidence';
import { groupedBy } from '../values/grouped-by';

interface Sureness {
  confidence: number;
  validated: boolean;
}

/** How far the claims of a section can be relied on, in one line: what most of them have first. Empty where nothing is claimed. */
export function sectionConfidence(claims: readonly Sureness[]): string {
  if (claims.length === 0) return '';
  const byLevel = groupedBy(claims, ({ confidence }) => confidenceWord(confidence));
  const levels = [...byLevel].sort(
    ([, one], [, other]) => other.length - one.length || leastSure(one) - leastSure(other),
  );
  return writingTexts.confidenceLine(
    levels.map(([level]) => level),
    claims.every(({ validated }) => validated),
  );
}

/** How far a claim can be relied on: `Medium confidence, not cross-checked`. */
export function toldConfidence({ confidence, validated }: Sureness): string {
  return confidenceRemark([{ confidence, ...(validated ? {} : { unvalidated: true }) }]);
}

/** What claims have, what most of them have first; of two that as many have, the lower. */
export function remarksByAmount(claims: readonly Sureness[]): string[] {
  return [...groupedBy(claims, (claim) => toldConfidence(claim))]
    .sort(([, one], [, other]) => other.length - one.length || leastSure(one) - leastSure(other))
    .map(([remark]) => remark);
}

function leastSure(claims: readonly Sureness[]): number {
  return Math.min(...claims.map(({ confidence }) => confidence));
}
