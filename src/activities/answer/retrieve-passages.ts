import { z } from 'zod';
import { AnswerPassage, type RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { Warning } from '../../contracts/run/run';
import { synthesisMode } from '../../answers/synthesis-mode';
import { passagesToRank } from '../../retrieval/candidates';
import { candidatesOf, findPassages, mostRead, settleRetrieval, wordingsOf } from '../../retrieval/retrieve';
import { readIfAny, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts, RunFacts } from '../shared/ports';
import { readTexts } from '../shared/read-texts';
import { findNearest } from './find-nearest';
import { openCorpus } from './open-corpus';

const GivenPassages = z.array(AnswerPassage);

export interface RetrievePassagesInput {
  run: Pick<RunFacts, 'runId' | 'question'>;
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
  /** Of the passages together, in UTF-16 units. */
  chars: number;
  /** Of how many documents they are, those of graphs not counted. */
  documents: number;
  answerable: number;
  warnings: Warning[];
}

export async function retrievePassages(
  ports: ActivityPorts,
  input: RetrievePassagesInput,
  signal: AbortSignal,
): Promise<RetrievedRefs> {
  const { retrieved, warnings } = await retrieve(ports, input, signal);
  return {
    passagesRef: await storeArtifact(ports.content, input.run.runId, retrieved),
    passages: retrieved.passages.length,
    chars: retrieved.passages.reduce((sum, { text }) => sum + text.length, 0),
    documents: synthesisMode(retrieved.passages).sourceDocumentCount,
    answerable: retrieved.answerable,
    warnings,
  };
}

async function retrieve(
  ports: ActivityPorts,
  { run, manifestRef, givenRef, queries, most }: RetrievePassagesInput,
  signal: AbortSignal,
): Promise<{ retrieved: RetrievedPassages; warnings: Warning[] }> {
  const [question = run.question] = queries;
  const wordings = wordingsOf({ question, queries });
  const given = (await readIfAny(ports.content, givenRef, GivenPassages)) ?? [];
  const corpus =
    manifestRef === null ? null : await openCorpus(ports, { runId: run.runId, manifestRef }, signal);
  const index = corpus?.index ?? null;
  const { nearest, warnings } =
    corpus === null || manifestRef === null
      ? { nearest: [], warnings: [] }
      : await findNearest(
          ports,
          { runId: run.runId, manifestRef, corpus, wordings, most: mostRead(most) },
          signal,
        );
  const found = findPassages({ index, nearest, most }, wordings);
  const refOf = (sourceId: string): ArtifactRef => corpus?.contentRefs.get(sourceId) ?? '';
  const sourceIds = found.flatMap(({ source }) => index?.entries[source]?.id ?? []);
  const texts = await readTexts(ports.content, sourceIds.map(refOf));
  const candidates = candidatesOf({ index, found, given, textOf: (id) => texts.get(refOf(id)) });
  const toRank = passagesToRank(wordings, candidates, index);
  const ranking = await ports.threads.run('rank-passages', toRank, signal);
  return { retrieved: settleRetrieval({ toRank, ranking, candidates, index, nearest, most }), warnings };
}
