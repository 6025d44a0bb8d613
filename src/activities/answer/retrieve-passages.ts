import { z } from 'zod';
import { AnswerPassage, type RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { traitsOf } from '../../contracts/run/engines';
import type { Warning } from '../../contracts/run/run';
import { synthesisMode } from '../../answers/synthesis-mode';
import { DEFAULT_CONTEXT_TOKENS } from '../../core/budget/call-estimates';
import { charsReadWhole } from '../../core/passages/answer-reading';
import { modelOfPass } from '../../core/budget/model-of-pass';
import { passagesToRank } from '../../retrieval/candidates';
import {
  allPassages,
  candidatesOf,
  findPassages,
  mostRead,
  settleRetrieval,
  wordingsOf,
} from '../../retrieval/retrieve';
import { answer } from '../../steps/answer/answer';
import { readIfAny, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { readTexts } from '../shared/read-texts';
import type { AnswerFacts } from './answer-facts';
import { findNearest } from './find-nearest';
import { openCorpus } from './open-corpus';

const GivenPassages = z.array(AnswerPassage);

export interface RetrievePassagesInput {
  run: Pick<AnswerFacts, 'runId' | 'question'> & Partial<Pick<AnswerFacts, 'engine' | 'models' | 'answers'>>;
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
  /** Whether they are all that there is, and nothing was chosen. */
  isWhole: boolean;
  warnings: Warning[];
}

export async function retrievePassages(
  ports: ActivityPorts,
  input: RetrievePassagesInput,
  signal: AbortSignal,
): Promise<RetrievedRefs> {
  const { retrieved, isWhole, warnings } = await retrieve(ports, input, signal);
  return {
    passagesRef: await storeArtifact(ports.content, input.run.runId, retrieved),
    passages: retrieved.passages.length,
    chars: retrieved.passages.reduce((sum, { text }) => sum + text.length, 0),
    documents: synthesisMode(retrieved.passages).sourceDocumentCount,
    answerable: retrieved.answerable,
    isWhole,
    warnings,
  };
}

async function retrieve(
  ports: ActivityPorts,
  { run, manifestRef, givenRef, queries, most }: RetrievePassagesInput,
  signal: AbortSignal,
): Promise<{ retrieved: RetrievedPassages; isWhole: boolean; warnings: Warning[] }> {
  const [question = run.question] = queries;
  const wordings = wordingsOf({ question, queries });
  const given = (await readIfAny(ports.content, givenRef, GivenPassages)) ?? [];
  const corpus =
    manifestRef === null ? null : await openCorpus(ports, { runId: run.runId, manifestRef }, signal);
  const index = corpus?.index ?? null;
  const whole = allPassages(index, given, wholeUpTo(run));
  const { nearest, warnings } =
    corpus === null || manifestRef === null || whole !== null
      ? { nearest: [], warnings: [] }
      : await findNearest(
          ports,
          { runId: run.runId, manifestRef, corpus, wordings, most: mostRead(most) },
          signal,
        );
  const found = whole ?? findPassages({ index, nearest, most }, wordings);
  const refOf = (sourceId: string): ArtifactRef => corpus?.contentRefs.get(sourceId) ?? '';
  const sourceIds = found.flatMap(({ source }) => index?.entries[source]?.id ?? []);
  const texts = await readTexts(ports.content, sourceIds.map(refOf));
  const candidates = candidatesOf({ index, found, given, textOf: (id) => texts.get(refOf(id)) });
  const toRank = passagesToRank(wordings, candidates, index);
  const ranking = await ports.threads.run('rank-passages', toRank, signal);
  const settled = { toRank, ranking, candidates, index, nearest };
  const retrieved = settleRetrieval(whole === null ? { ...settled, most } : settled);
  return { retrieved, isWhole: whole !== null, warnings };
}

/** Sources of so many characters a model reads whole; none without a model. */
function wholeUpTo({ engine, models, answers }: RetrievePassagesInput['run']): number {
  if (engine === undefined || !traitsOf(engine).asksModels) return 0;
  const { contextTokens } = models ? modelOfPass(models, answer.role, 0) : {};
  return charsReadWhole(contextTokens ?? DEFAULT_CONTEXT_TOKENS, answers);
}
