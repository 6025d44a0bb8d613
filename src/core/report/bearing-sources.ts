import type { Outline } from '../../contracts/report/outline';
import { relevanceOf } from '../ranking/join-plans';
import { READ_FROM } from '../ranking/ranked-outline';

/** The most that each source was found to have to say to one of the outline's sections, 0–1. */
export function relevanceOfSources(outline: Outline | null): Map<string, number> {
  return relevanceOf(
    (outline?.sections ?? []).flatMap((section) => [...section.relevantSources, ...section.sourceScores]),
  );
}

export function bearingSources(outline: Outline | null): Set<string> {
  return new Set([...relevanceOfSources(outline)].flatMap(([id, score]) => (score >= READ_FROM ? [id] : [])));
}

export function countBearing(outline: Outline): number {
  return outline.bearing ?? bearingSources(outline).size;
}
