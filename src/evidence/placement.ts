import type { Finding } from '../contracts/finding';
import { topicWords } from '../text/lexical-relevance';
import { terms } from '../text/words';

/** `relevance` is that of each source to the section, by the outline, 0–1. */
export interface PlacedSection {
  id: string;
  title: string;
  description: string;
  subsections: readonly string[];
  relevance: ReadonlyMap<string, number>;
}

const MIN_GAIN = 0.15;
/** Document 002: minimum sources of a section; a move may not go below it. */
const MIN_SOURCES = 3;

/**
 * Moves each finding into its best section, because sections that share a source would else keep a finding by order
 * alone. Fit is the share of the section's distinguishing words in finding and source title, plus the source's
 * relevance to the section. Findings with `stays` do not move. Order is kept.
 */
export function placeFindings(
  findings: readonly Finding[],
  sections: readonly PlacedSection[],
  titles: ReadonlyMap<string, { title: string }>,
  stays: (finding: Finding) => boolean = () => false,
): Finding[] {
  const profiles = sections.map(({ title, description, subsections }) =>
    topicWords(title, [description, ...subsections]),
  );
  const shared = new Map<string, number>();
  for (const profile of profiles)
    for (const term of profile.keys()) shared.set(term, (shared.get(term) ?? 0) + 1);
  const weights = profiles.map(
    (profile) =>
      new Map(
        [...profile].map(([term, weight]) => [
          term,
          weight * Math.log(sections.length / (shared.get(term) ?? 1)),
        ]),
      ),
  );
  const wanted = findings
    .flatMap((finding, order) =>
      stays(finding) ? [] : [{ order, ...bestSection(finding, sections, weights, titles) }],
    )
    .filter(({ gain }) => gain >= MIN_GAIN)
    .sort((a, b) => b.gain - a.gain || a.order - b.order);
  return moveWherePossible(findings, wanted);
}

interface Move {
  order: number;
  target: string;
  gain: number;
}

function bestSection(
  finding: Finding,
  sections: readonly PlacedSection[],
  weights: readonly ReadonlyMap<string, number>[],
  titles: ReadonlyMap<string, { title: string }>,
): { target: string; gain: number } {
  const source = sourceOf(finding);
  const said = new Set(terms(`${finding.claim} ${titles.get(source)?.title ?? ''}`));
  const fits = sections.map(
    (section, index) => overlap(said, weights[index] ?? new Map()) + (section.relevance.get(source) ?? 0),
  );
  const best = fits.indexOf(Math.max(...fits));
  const own = sections.findIndex(({ id }) => id === finding.sectionId);
  return {
    target: sections[best]?.id ?? finding.sectionId,
    gain: own < 0 ? 0 : (fits[best] ?? 0) - (fits[own] ?? 0),
  };
}

/** Moves with the greatest gain first; a move that would strip a section waits for others to move in. */
function moveWherePossible(findings: readonly Finding[], wanted: readonly Move[]): Finding[] {
  const placed = [...findings];
  let waiting = [...wanted];
  for (let moved = true; moved;) {
    const before = waiting.length;
    waiting = waiting.filter(({ order, target }) => {
      const finding = placed[order];
      if (finding === undefined || leavesTooFewSources(finding, placed)) return true;
      placed[order] = { ...finding, sectionId: target };
      return false;
    });
    moved = waiting.length < before;
  }
  return placed;
}

function leavesTooFewSources(finding: Finding, placed: readonly Finding[]): boolean {
  const others = placed.filter(({ id, sectionId }) => sectionId === finding.sectionId && id !== finding.id);
  const sources = new Set(others.map(sourceOf));
  return !sources.has(sourceOf(finding)) && sources.size < MIN_SOURCES;
}

function sourceOf(finding: Finding): string {
  return finding.evidence[0]?.sourceId ?? '';
}

/** Share of the section's weight in the words; a third is a full match because titles are short. */
function overlap(said: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const held = [...weights].reduce((sum, [term, weight]) => sum + (said.has(term) ? weight : 0), 0);
  return whole === 0 ? 0 : Math.min(1, (3 * held) / whole);
}
