import { writingTexts } from '../../texts/writing';
import { CONFIDENCE_REMARK, confidenceRemark } from '../evidence/confidence';
import { groupedBy } from '../values/grouped-by';

/** Where a claim stands in a text, and how far it can be relied on. */
export interface ToldClaim {
  start: number;
  end: number;
  confidence: number;
  validated: boolean;
}

/** Texts of releases before have a remark in each sentence. */
const HAS_REMARK = new RegExp(`\\((?:${CONFIDENCE_REMARK})\\)`);

/**
 * How far a report can be relied on is told once, and at those sentences alone that depart from it: what most of its claims have, of
 * two that as many have the lower. The line is empty where nothing is claimed.
 */
export function withConfidence(parts: readonly { markdown: string; claims: readonly ToldClaim[] }[]): {
  texts: string[];
  line: string;
} {
  const remarkOf = (claim: ToldClaim): string => toldConfidence(claim);
  const remarks = remarksByAmount(parts.flatMap(({ claims }) => claims));
  const [usual] = remarks;
  return {
    texts: parts.map((part) => marked(part, usual, remarkOf)),
    line: usual === undefined ? '' : writingTexts.confidenceLine(usual, remarks.length === 1),
  };
}

type Sureness = Pick<ToldClaim, 'confidence' | 'validated'>;

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

function marked(
  { markdown, claims }: { markdown: string; claims: readonly ToldClaim[] },
  usual: string | undefined,
  remarkOf: (claim: ToldClaim) => string,
): string {
  let from = 0;
  let text = '';
  for (const claim of [...claims].sort((one, other) => one.start - other.start)) {
    const said = markdown.slice(claim.start, claim.end);
    const remark = remarkOf(claim);
    text += markdown.slice(from, claim.start);
    const goesOn = markdown.startsWith(';', claim.end);
    text += remark === usual || HAS_REMARK.test(said) ? said : withRemark(said, remark, goesOn);
    from = claim.end;
  }
  return text + markdown.slice(from);
}

function leastSure(claims: readonly Sureness[]): number {
  return Math.min(...claims.map(({ confidence }) => confidence));
}

/** Before the full stop, where its sentence does not go on: `… by 12 % [1] (High confidence).` */
function withRemark(sentence: string, remark: string, goesOn: boolean): string {
  const stop = /[.!?]?$/.exec(sentence)?.[0] ?? '';
  return `${sentence.slice(0, sentence.length - stop.length)} (${remark})${stop || (goesOn ? '' : '.')}`;
}
