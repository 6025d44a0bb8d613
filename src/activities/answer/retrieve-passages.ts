import { z } from 'zod';
import { AnswerPassage, type RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { surveyTexts } from '../../reading/collection/survey-texts';
import { readIfAny, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import type { AnswerBrief } from './answer-brief';

export interface RetrievePassagesInput {
  run: AnswerBrief;
  manifestRef: ArtifactRef | null;
  givenRef: ArtifactRef | null;
  queries: string[];
  most: number;
}

export interface RetrievedPassagesResult {
  passagesRef: ArtifactRef;
  passages: number;
  documents: number;
  answerable: number;
}

export async function retrievePassages(
  { content }: ActivityPorts,
  { run, givenRef, queries, most }: RetrievePassagesInput,
): Promise<RetrievedPassagesResult> {
  const given = (await readIfAny(content, givenRef, z.array(AnswerPassage))) ?? [];
  const passages = given.slice(0, most).map((passage, at) => ({ ...passage, id: `P${at + 1}` }));
  const documents = new Set(passages.map(({ sourceId }) => sourceId)).size;
  const retrieved: RetrievedPassages = {
    queries,
    passages,
    counts: surveyTexts(run.question, passages.map(({ text }) => text)).counts,
    searched: { documents, passages: given.length },
    answerable: 1,
  };
  return {
    passagesRef: await storeArtifact(content, run.runId, retrieved),
    passages: passages.length,
    documents,
    answerable: 1,
  };
}
