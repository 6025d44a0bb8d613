import type { ArtifactRef } from '../../contracts/run/artifact';
import type { CarriedRun } from '../run/carried-run';
import type { Version } from '../run/judging/versions';
import type { BriefFacts } from '../../activities/brief/brief-facts';
import type { BriefRunInput } from '../../contracts/brief/brief-run';
import type { Run } from '../run/run';

/** What there is of a brief: a text by a model, and the parts that it lacks, which are quoted. */
export interface BriefText {
  textRef?: ArtifactRef;
  drafts: { partId: string; draftRef: ArtifactRef }[];
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
  /** A text by a model, in its first version; absent where it wrote none. */
  textRef?: ArtifactRef;
  /** True once it is audited and mended. */
  isAudited?: true;
  /** The parts that it has. */
  written: string[];
  /** The parts that a model was asked for and could not write. */
  refused: string[];
  /** Quoted parts, in the order in which they were made. */
  drafts: BriefText['drafts'];
  /** Parts that could not be quoted either, and why, as a sentence for the reader. */
  missing: { partId: string; told: string }[];
  versions: Version<BriefText>[];
  /** The version for which parts are mended, while they are. */
  revising?: number;
}

export function nothingWritten(): Omit<CarriedBrief, keyof CarriedRun> {
  const nothing = { written: [], refused: [], drafts: [], missing: [], versions: [] };
  return { gathered: null, checked: null, planned: null, ...nothing };
}

export function textOf({ textRef, drafts }: Pick<CarriedBrief, 'textRef' | 'drafts'>): BriefText {
  return { ...(textRef === undefined ? {} : { textRef }), drafts };
}

export function shortfallsOf({
  shortfalls,
  missing,
}: Pick<CarriedBrief, 'shortfalls' | 'missing'>): string[] {
  return [...shortfalls, ...missing.map(({ told }) => told)];
}

export type BriefRun = Run<BriefRunInput, CarriedBrief, BriefFacts>;
