import type { Outline } from '../contracts/outline';
import { READ_FROM } from '../ranking/settle-outline';

/** The sources that the outline found to have something to say to one of its sections. */
export function bearingSources(outline: Outline | null): Set<string> {
  return new Set(
    (outline?.sections ?? []).flatMap(({ relevantSources, sourceScores }) =>
      [...relevantSources, ...sourceScores]
        .filter(({ relevance }) => relevance >= READ_FROM)
        .map(({ sourceId }) => sourceId),
    ),
  );
}
