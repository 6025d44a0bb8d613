import type { AnswerPassage } from '../../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { derivedId, hashOf } from '../../../sources/source-id';
import type { ContentStore } from '../../../stores/content-store';
import { storeArtifact } from '../../shared/artifacts';

/** Passages that were given, with what they are of. */
export interface GivenMaterial {
  /** Null where there are none. */
  givenRef: ArtifactRef | null;
  given: number;
  /** What was observed, passages or not. */
  observationCount: number;
  finalOutputRef: ArtifactRef | null;
}

const FINAL_OUTPUT = 'Final output';

/** Stores observations as sources whose passages may be cited, and what a research agent came to as one more. */
export async function storeGiven(
  content: ContentStore,
  runId: string,
  { observations, finalOutput = '' }: { observations: readonly string[]; finalOutput: string | undefined },
): Promise<GivenMaterial> {
  const texts = observations.filter((text) => !text.startsWith('Used tool:') && text.trim() !== '');
  const documents = [
    ...texts.map((text, at) => ({ document: `Observation ${at + 1}`, text })),
    ...(finalOutput.trim() === '' ? [] : [{ document: FINAL_OUTPUT, text: finalOutput }]),
  ];
  const passages = documents.map(({ document, text }, at): AnswerPassage => ({
    id: `P${at + 1}`,
    sourceId: derivedId({ title: document }, hashOf(text)),
    document,
    title: document,
    url: null,
    pages: null,
    start: 0,
    end: text.length,
    text,
    origin: 'text',
    score: 1,
  }));
  await content.storeBatch(
    runId,
    documents.map(({ text }) => text),
  );
  return {
    givenRef: passages.length === 0 ? null : await storeArtifact(content, runId, passages),
    given: passages.length,
    observationCount: observations.length,
    finalOutputRef: finalOutput.trim() === '' ? null : await content.store(runId, finalOutput),
  };
}
