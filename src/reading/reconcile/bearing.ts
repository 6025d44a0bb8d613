import type { Conflict, Evidence, Finding, Viewpoint } from '../../contracts/report/finding';
import { placeOf } from './quoted-statement';

/** What a quote is to a claim: only one that says it confirms it, and only one that says otherwise contradicts it. */
export type Bearing = 'says' | 'says-a-part' | 'says-otherwise' | 'says-nothing';

/** A claim beside a quote that somebody, or some comparison, named as saying the same or the contrary. */
export interface ClaimBesideQuote {
  claim: string;
  /** The source that the claim words. */
  claimedBy: string;
  evidence: Evidence;
}

export interface Confirmed {
  /** By `besideKey`; what is absent nobody could tell. */
  bearings: ReadonlyMap<string, Bearing>;
  /** Whether a critic could be asked: what words find to contradict each other then stands only where it says so too. */
  byCritic: boolean;
}

export function besideKey({ claim, evidence }: Pick<ClaimBesideQuote, 'claim' | 'evidence'>): string {
  return `${placeOf(evidence)} ${claim}`;
}

/** What a finding quotes of other sources than the one that its claim words. */
export function furtherEvidence({ evidence }: Finding): Evidence[] {
  return evidence.filter(({ sourceId }) => sourceId !== evidence[0]?.sourceId);
}

/**
 * Every quote of a later side is held against what the first side says, and the first side's further quotes against the second.
 * A side says what its first quote says, in the words of a finding that rests on it and on no source of another side.
 */
export function opposedQuotes({ viewpoints }: Conflict, findings: readonly Finding[]): ClaimBesideQuote[][] {
  return viewpoints.map((viewpoint, at) => {
    const against = viewpoints[at === 0 ? 1 : 0];
    const quotes = at === 0 ? viewpoint.evidence.slice(1) : viewpoint.evidence;
    return against === undefined
      ? []
      : quotes.map((evidence) => ({ ...saidBy(against, findings), evidence }));
  });
}

function saidBy(
  { statement, citations, evidence: [first] }: Viewpoint,
  findings: readonly Finding[],
): Omit<ClaimBesideQuote, 'evidence'> {
  const own = findings.find(
    (finding) =>
      first !== undefined &&
      finding.evidence[0] !== undefined &&
      placeOf(finding.evidence[0]) === placeOf(first) &&
      finding.citations.every((id) => citations.includes(id)),
  );
  return {
    claim: own?.claim ?? statement,
    claimedBy: first?.sourceId ?? '',
  };
}

export interface ToldOfFinding {
  findingId: string;
  supporting: Evidence[];
  contradicting?: Evidence[];
  confidence: number;
  /** True where it was to be checked and nothing was said of it. */
  unanswered?: true | undefined;
}
