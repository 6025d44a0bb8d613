import type { Finding } from '../contracts/finding';
import { topicWords } from '../text/lexical-relevance';
import { terms } from '../text/words';

/** A section as placement sees it: what it is about, and how relevant the outline found each source for it (0–1). */
export interface PlacedSection {
  id: string;
  title: string;
  description: string;
  subsections: readonly string[];
  relevance: ReadonlyMap<string, number>;
}

/** A finding moves only where the other section fits clearly better. */
const CLEARLY_BETTER = 0.15;
/** No section is left with fewer sources than this by findings that move away (document 002's minimum). */
const MIN_SOURCES = 3;

/**
 * Puts each finding into the section that it says most about. Several sections may read the same source, and whichever
 * comes first would keep what is said once; what a finding and its source are about decides instead. Order is kept.
 *
 * Fit = the share of the section's distinguishing words that the finding has (those of its title count twice; words that
 * all sections share do not distinguish) + the source's relevance to the section. `stays` says of which findings somebody
 * who read them chose the section: those are not moved.
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
    .filter(({ gain }) => gain >= CLEARLY_BETTER)
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

/** Carries out the moves, those that gain most first; one that would strip a section waits for what comes in. */
function moveWherePossible(findings: readonly Finding[], wanted: readonly Move[]): Finding[] {
  const placed = [...findings];
  let waiting = [...wanted];
  for (let moved = true; moved;) {
    const before = waiting.length;
    waiting = waiting.filter(({ order, target }) => {
      const finding = placed[order];
      if (finding === undefined || strips(finding, placed)) return true;
      placed[order] = { ...finding, sectionId: target };
      return false;
    });
    moved = waiting.length < before;
  }
  return placed;
}

function strips(finding: Finding, placed: readonly Finding[]): boolean {
  const others = placed.filter(({ id, sectionId }) => sectionId === finding.sectionId && id !== finding.id);
  const sources = new Set(others.map(sourceOf));
  return !sources.has(sourceOf(finding)) && sources.size < MIN_SOURCES;
}

function sourceOf(finding: Finding): string {
  return finding.evidence[0]?.sourceId ?? '';
}

/** The share of the section's weight that the words have; titles are short, so that a third of it is a full match. */
function overlap(said: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const held = [...weights].reduce((sum, [term, weight]) => sum + (said.has(term) ? weight : 0), 0);
  return whole === 0 ? 0 : Math.min(1, (3 * held) / whole);
}
