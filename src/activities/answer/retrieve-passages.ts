import { z } from 'zod';
import { AnswerPassage, type RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { passagesToRank } from '../../retrieval/candidates';
import { candidatesOf, mostRead, settleRetrieval, wordingsOf } from '../../retrieval/retrieve';
import { readIfAny, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts, StepBrief } from '../shared/ports';
import { readTexts } from '../shared/read-texts';
import { openCorpus } from './open-corpus';

const GivenPassages = z.array(AnswerPassage);

export interface RetrievePassagesInput {
  run: Pick<StepBrief, 'runId' | 'question'>;
  /** What is searched; null where nothing is. */
  manifestRef: ArtifactRef | null;
  /** A list of `AnswerPassage` that the caller found already. */
  givenRef: ArtifactRef | null;
  /** The question by itself, then other wordings of it; where there is none the run's. */
  queries: readonly string[];
  most: number;
}

export interface RetrievedRefs {
  /** A `RetrievedPassages`. */
  passagesRef: ArtifactRef;
  passages: number;
  /** Of how many documents they are. */
  documents: number;
  /** Of the passages together, in UTF-16 units. */
  chars: number;
  answerable: number;
}

/** Looks a question up in a corpus and in what was given: the passages that answer best. */
export async function retrievePassages(
  ports: ActivityPorts,
  input: RetrievePassagesInput,
  signal: AbortSignal,
): Promise<RetrievedRefs> {
  const retrieved = await retrieve(ports, input, signal);
  return {
    passagesRef: await storeArtifact(ports.content, input.run.runId, retrieved),
    passages: retrieved.passages.length,
    documents: new Set(retrieved.passages.map(({ document }) => document)).size,
    chars: retrieved.passages.reduce((sum, { text }) => sum + text.length, 0),
    answerable: retrieved.answerable,
  };
}

async function retrieve(
  ports: ActivityPorts,
  { run, manifestRef, givenRef, queries, most }: RetrievePassagesInput,
  signal: AbortSignal,
): Promise<RetrievedPassages> {
  const [question = run.question] = queries;
  const wordings = wordingsOf({ question, queries });
  const given = (await readIfAny(ports.content, givenRef, GivenPassages)) ?? [];
  const corpus =
    manifestRef === null ? null : await openCorpus(ports, { runId: run.runId, manifestRef }, signal);
  const index = corpus?.index ?? null;
  const found = index?.search(wordings, mostRead(most)) ?? [];
  const refOf = (sourceId: string): ArtifactRef => corpus?.contentRefs.get(sourceId) ?? '';
  const sourceIds = found.flatMap(({ source }) => index?.entries[source]?.id ?? []);
  const texts = await readTexts(ports.content, sourceIds.map(refOf));
  const candidates = candidatesOf({ index, found, given, textOf: (id) => texts.get(refOf(id)) });
  const toRank = passagesToRank(wordings, candidates, index);
  const ranking = await ports.threads.run('rank-passages', toRank, signal);
  return settleRetrieval({ toRank, ranking, candidates, index, most });
}
