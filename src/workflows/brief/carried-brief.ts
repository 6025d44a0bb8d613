import type { ArtifactRef } from '../../contracts/run/artifact';
import type { CarriedRun } from '../run/carried-run';
import type { Version } from '../run/judging/versions';
import type { BriefFacts } from '../../activities/brief/brief-facts';
import type { BriefRunInput } from '../../contracts/brief/brief-run';
import type { Run } from '../run/run';

/** A part that was written, and what its audit came to; `critiqueRef` is null where nothing was audited. */
export interface PartDraft {
  partId: string;
  draftRef: ArtifactRef;
  critiqueRef: ArtifactRef | null;
  needsRetry: boolean;
}

export interface Gathered {
  materialRef: ArtifactRef;
  subtopics: { id: string; words: number }[];
  statements: number;
  sources: number;
  /** How many of them have their text. */
  inFull: number;
}

export interface Planned {
  planRef: ArtifactRef;
  isOneCall: boolean;
  /** In the order in which they are read. */
  parts: { id: string; words: number }[];
}

/**
 * What a brief carries on from one history to the next: what its passes have made, as they make it. Where it ends early, the
 * brief is made of this.
 */
export interface CarriedBrief extends CarriedRun {
  gathered: Gathered | null;
  /** How many summaries were held against their sources; null while none is. */
  checked: number | null;
  planned: Planned | null;
  /** In the order in which they were written; the text of the first version. */
  drafts: PartDraft[];
  /** Parts that could not be written, and why, as a sentence for the reader; a revision may write them yet. */
  missing: { partId: string; told: string }[];
  versions: Version<PartDraft[]>[];
  /** The version for which parts are written anew, while they are. */
  revising?: number;
}

export function nothingWritten(): Omit<CarriedBrief, keyof CarriedRun> {
  return { gathered: null, checked: null, planned: null, drafts: [], missing: [], versions: [] };
}

/** What a text falls short of, of these parts: one that was missing may have been written since. */
export function shortfallsOf(
  { shortfalls, missing }: Pick<CarriedBrief, 'shortfalls' | 'missing'>,
  text: readonly Pick<PartDraft, 'partId'>[],
): string[] {
  const there = new Set(text.map(({ partId }) => partId));
  return [...shortfalls, ...missing.flatMap(({ partId, told }) => (there.has(partId) ? [] : [told]))];
}

export type BriefRun = Run<BriefRunInput, CarriedBrief, BriefFacts>;
