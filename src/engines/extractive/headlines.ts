import { confidenceWord } from '../../core/confidence';
import type { Evidence, Finding } from '../../core/contracts/finding';
import { terms } from '../../language/words';
import { countWords } from '../../core/writing/shorten';

/** A finding of the Executive Summary, by the words of which of its sources it is told. */
export interface Headline {
  /** The index of its section. */
  section: number;
  finding: Finding;
  evidence: Evidence;
}

interface SectionMaterial {
  title: string;
  /** Strongest first. */
  findings: readonly Finding[];
}

/** What is chosen of, and how. */
interface HeadlineLimits {
  min: number;
  max: number;
  /** Findings from this confidence on are the major ones, which come before others. */
  threshold: number;
  /** Words that a quote may have without being cut. */
  words: number;
}

/** So many of a section's findings compete for its headline, besides those that several sources share. */
const BEST_FINDINGS = 8;
/** How large an effect is: a share, an amount with its unit, two amounts compared. */
const HOW_MUCH = /\d ?%|\d (?:kg|g|mg|cm|mm ?Hg|min|steps|points|mmol)|±|\bvs\.? /i;

/**
 * What opens the report: each of the first sections by its best major finding, and where that gives too few, the next-best
 * findings of whatever section. No source speaks twice while there are others. In the order of the sections.
 */
export function chooseHeadlines(sections: readonly SectionMaterial[], limits: HeadlineLimits): Headline[] {
  const ranked = sections.map((section) => bestFirst(section, limits.words));
  const isMajor = (finding: Finding): boolean => finding.confidence >= limits.threshold;
  const anyMajor = ranked.flat().some(isMajor);
  const pools = ranked
    .map((findings, section) => ({
      section,
      findings: anyMajor ? findings.filter(isMajor) : findings,
    }))
    .filter(({ findings }) => findings.length > 0)
    .slice(0, limits.max);
  const chosen: Headline[] = [];
  const speaking = new Set<string>();
  const take = (headline: Headline): void => {
    chosen.push(headline);
    speaking.add(headline.evidence.sourceId);
  };
  // A section with few sources chooses first: one with many has others left.
  for (const { section, findings } of [...pools].sort((a, b) => voices(a) - voices(b))) {
    const [finding] = findings;
    const headline = firstInNewVoice(section, findings, speaking) ?? firstInAnyVoice(section, finding);
    if (headline !== null) take(headline);
  }
  while (chosen.length < limits.min) {
    const next = nextBest(ranked, { chosen, speaking, isMajor });
    if (next === null) break;
    take(next);
  }
  return chosen.sort((a, b) => a.section - b.section);
}

/** The next finding that is not told yet: in a new voice before others, a major one before others, where least is told. */
function nextBest(
  ranked: readonly (readonly Finding[])[],
  {
    chosen,
    speaking,
    isMajor,
  }: {
    chosen: readonly Headline[];
    speaking: ReadonlySet<string>;
    isMajor: (finding: Finding) => boolean;
  },
): Headline | null {
  const told = new Set(chosen.map(({ finding }) => finding.id));
  const candidates = ranked.flatMap((findings, section) => {
    const open = findings.filter(({ id }) => !told.has(id));
    const inNewVoice =
      firstInNewVoice(section, open.filter(isMajor), speaking) ?? firstInNewVoice(section, open, speaking);
    const headline = inNewVoice ?? firstInAnyVoice(section, open[0]);
    if (headline === null) return [];
    const toldHere = chosen.filter((other) => other.section === section).length;
    const rank = [Number(inNewVoice !== null), Number(isMajor(headline.finding)), -toldHere];
    return [{ headline, rank }];
  });
  const [best, ...others] = candidates;
  if (best === undefined) return null;
  return others.reduce((one, other) => (isHigher(other.rank, one.rank) ? other : one), best).headline;
}

function firstInNewVoice(
  section: number,
  findings: readonly Finding[],
  speaking: ReadonlySet<string>,
): Headline | null {
  for (const finding of findings) {
    const evidence = finding.evidence.find(({ sourceId }) => !speaking.has(sourceId));
    if (evidence !== undefined) return { section, finding, evidence };
  }
  return null;
}

function firstInAnyVoice(section: number, finding: Finding | undefined): Headline | null {
  const evidence = finding?.evidence[0];
  return finding === undefined || evidence === undefined ? null : { section, finding, evidence };
}

function voices({ findings }: { findings: readonly Finding[] }): number {
  return new Set(findings.flatMap(({ citations }) => citations)).size;
}

/**
 * A finding that several sources share before one that rests on a single source, the more certain before the less, one
 * on what the section is called by before others, then one that tells how much and needs no
 * cutting; those that are too weak to compete come last.
 */
function bestFirst({ title, findings }: SectionMaterial, words: number): Finding[] {
  const levels = ['Low', 'Medium', 'High'];
  const named = new Set(terms(title));
  const rank = (finding: Finding): number[] => [
    Math.min(finding.citations.length, 2),
    levels.indexOf(confidenceWord(finding.confidence)),
    Number(terms(finding.claim).some((term) => named.has(term))),
    Number(HOW_MUCH.test(finding.claim)),
    Number(countWords(finding.evidence[0]?.quote ?? '') <= words),
  ];
  const shared = findings.filter((finding) => finding.citations.length > 1);
  const competing = new Set([...findings.slice(0, BEST_FINDINGS), ...shared]);
  const ranks = new Map([...competing].map((finding) => [finding, rank(finding)]));
  return [
    ...[...competing].sort((a, b) => compare(ranks.get(b) ?? [], ranks.get(a) ?? [])),
    ...findings.filter((finding) => !competing.has(finding)),
  ];
}

function isHigher(one: readonly number[], other: readonly number[]): boolean {
  return compare(one, other) > 0;
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
