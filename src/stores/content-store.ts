import type { ArtifactRef } from '../contracts/run/artifact';

/** Sizes are UTF-16 units of text as given; retrievals count since the store was opened by this process. */
export interface ContentStatistics {
  artifacts: number;
  totalChars: number;
  retrievals: { requested: number; found: number; missing: number };
}

/**
 * Keeps text under its SHA-256. Runs hold what they use; a text that no run holds any more is gone. Summaries and full
 * contents are separate texts with separate references (document 002: kept beside each other, never instead).
 */
export interface ContentStore {
  /** Resolves when the text is on disk and `runId` holds it. Storing the same text again changes nothing. */
  store(runId: string, text: string): Promise<ArtifactRef>;
  /** As `store` for many texts with one flush; the references are in the order of the texts. */
  storeBatch(runId: string, texts: readonly string[]): Promise<ArtifactRef[]>;
  /** The text, or null where it is not stored. Throws where the stored bytes do not match the reference. */
  retrieve(ref: ArtifactRef): Promise<string | null>;
  /** What was found; a missing reference is absent from the map. */
  retrieveBatch(refs: readonly ArtifactRef[]): Promise<Map<ArtifactRef, string>>;
  has(ref: ArtifactRef): Promise<boolean>;
  /** Has the run hold what is stored already, as if it had stored it; resolves with those that are not there. */
  hold(runId: string, refs: readonly ArtifactRef[]): Promise<ArtifactRef[]>;
  statistics(): Promise<ContentStatistics>;
  /** Ends the run's hold on all it stored, and deletes what no other run holds. */
  clearRun(runId: string): Promise<{ deleted: number; kept: number }>;
}
