import type { ScoredSource } from '../../contracts/report/outline';
import { MAX_SECTIONS } from './join-plans';

/**
 * The sections that can be given a source each that no other of them is given, the earlier ones first: what is left over
 * would only say again what the others say. A matching by augmenting paths (Kuhn 1955).
 */
export function withSourcesOfTheirOwn<Section extends { relevantSources: readonly ScoredSource[] }>(
  sections: readonly Section[],
): Set<Section> {
  const holders = new Map<string, Section>();
  const take = (section: Section, tried: Set<string>): boolean =>
    section.relevantSources.some(({ sourceId }) => {
      if (tried.has(sourceId)) return false;
      tried.add(sourceId);
      const holder = holders.get(sourceId);
      if (holder !== undefined && !take(holder, tried)) return false;
      holders.set(sourceId, section);
      return true;
    });
  return new Set(sections.filter((section) => take(section, new Set())));
}

export function mostSections(sources: number): number {
  return Math.max(1, Math.ceil(sources / 2));
}

/** Document 002: 5–8 sections. */
const LEAST_SECTIONS = 5;
/** From so many sources on several themes can be told apart; fewer may have a single one. */
const SOURCES_FOR_SECTIONS = 10;

export function wantedSections(sources: number): { least: number; most: number } {
  const most = Math.min(MAX_SECTIONS, mostSections(sources));
  return { least: sources < SOURCES_FOR_SECTIONS ? 1 : Math.min(LEAST_SECTIONS, most), most };
}
