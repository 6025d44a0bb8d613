import { workerData } from 'piscina';
import type { Outline, OutlinePlan } from '../contracts/outline';
import type { WordCounts } from '../contracts/source';
import { reconcileFindings } from '../evidence/reconcile-findings';
import { type AddressedEntry, catalogueEntries, mergeByUrl } from '../evidence/source-records';
import { errorMessage } from '../lib/errors';
import { gatherSubtopics } from '../report/brief/gather-subtopics';
import { applyVerdicts, checkStatements } from '../report/brief/subtopic-verdicts';
import { rankedOutline, type RelevanceScores } from '../report/ranked-outline';
import { canSourcesAnswer } from '../text/answerability';
import { surveyTexts } from '../text/collection';
import { nearDuplicateCandidates, signatureOf, verifyCopies } from '../text/duplicates';
import { createCachingEncoder, type Encoder } from '../text/encoder';
import { indexSource, mergeSegments } from '../text/index-segments';
import {
  additionalSources,
  matchTopicWords,
  nearestSourcesByStatement,
  type RankedText,
  type TargetTopic,
  termHolders,
} from '../text/lexical-relevance';
import { openOnnxEncoder } from '../text/onnx-encoder';
import { rankPassages } from '../text/passage-ranking';
import { passageWindows, sourceDigests } from '../text/passage-windows';
import { rankTexts } from '../text/ranking';
import { runExtractiveStep } from './extractive/extractive-steps';
import { createPassGate, type PassGate } from './native-gate';

/** CPU-bound work, because the main thread has to send heartbeats. Tasks are pure; their data is copied. */
const tasks = {
  'extractive-step': async (
    { step, input }: { step: string; input: unknown },
    encoder: Encoder | null,
  ): Promise<unknown> => runExtractiveStep(step, input, encoder),
  /** The reason why there is no encoder; null if it runs. */
  'encoder-lack': async (): Promise<string | null> => (await threadEncoder()).lack,
  'survey-texts': ({ question, texts }: { question: string; texts: string[] }): TextsSurvey => {
    const { counts, held } = surveyTexts(question, texts);
    const sources = texts.map((text, at) => ({ signature: [...signatureOf(text)], held: held[at] ?? [] }));
    return { counts, sources };
  },
  'merge-by-url': (entries: readonly AddressedEntry[]): MergedEntries => {
    const { sources, merged } = mergeByUrl(entries);
    return { kept: new Set(sources.map(({ id }) => id)), merged };
  },
  'near-duplicate-candidates': nearDuplicateCandidates,
  'verify-copies': verifyCopies,
  catalogued: catalogueEntries,
  'passage-windows': passageWindows,
  'source-digests': sourceDigests,
  'term-holders': termHolders,
  'further-sources': additionalSources,
  'nearest-to-each': nearestSourcesByStatement,
  'held-words': ({ topics, texts }: { topics: TargetTopic[]; texts: RankedText[] }): string[][] =>
    matchTopicWords(topics, texts),
  'rank-outline': (given: RankOutlineInput): Outline =>
    rankedOutline(given.plan, given.scores, given.sourceIds, given.keepsSections),
  reconcile: reconcileFindings,
  'sources-answer': canSourcesAnswer,
  'rank-texts': rankTexts,
  'index-sources': (contents: readonly string[]): Uint8Array[] => contents.map(indexSource),
  'merge-segments': mergeSegments,
  'rank-passages': rankPassages,
  'gather-subtopics': gatherSubtopics,
  'check-statements': checkStatements,
  'settle-material': applyVerdicts,
};

interface MergedEntries {
  kept: Set<string>;
  merged: { id: string; into: string }[];
}

interface RankOutlineInput {
  plan: OutlinePlan;
  scores: RelevanceScores;
  sourceIds: readonly string[];
  /** True keeps the sections of a person's outline, and those with written text, as they are. */
  keepsSections?: boolean;
}

export interface TextsSurvey {
  sources: { signature: number[]; held: string[] }[];
  counts: WordCounts;
}

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export interface TaskCall<Name extends TaskName = TaskName> {
  task: Name;
  input: Parameters<Tasks[Name]>[0];
  gate: Int32Array;
}

const ENCODER_TASKS: ReadonlySet<TaskName> = new Set([
  'extractive-step',
  'reconcile',
  'sources-answer',
  'rank-passages',
  'rank-texts',
]);

export default async function runTask({ task, input, gate }: TaskCall): Promise<unknown> {
  // The pool pairs a task's name with its input.
  const run = tasks[task] as (argument: unknown, encoder: Encoder | null) => unknown;
  setPassGate(createPassGate(gate));
  return run(input, ENCODER_TASKS.has(task) ? (await threadEncoder()).encoder : null);
}

export type EncoderChoice = 'on' | 'off';

export type ThreadEncoder = { encoder: Encoder; lack: null } | { encoder: null; lack: string };

let openedEncoder: Promise<ThreadEncoder> | undefined;
let passGate: PassGate = (call) => call();

function setPassGate(gate: PassGate): void {
  passGate = gate;
}

function threadEncoder(): Promise<ThreadEncoder> {
  const { encoder } = workerData as { encoder: EncoderChoice }; // the pool hands it to each thread
  openedEncoder ??=
    encoder === 'off' ? Promise.resolve({ encoder: null, lack: 'the encoder is off' }) : openEncoder();
  return openedEncoder;
}

async function openEncoder(): Promise<ThreadEncoder> {
  try {
    return { encoder: createCachingEncoder(await openOnnxEncoder((call) => passGate(call))), lack: null };
  } catch (error) {
    return { encoder: null, lack: `the encoder does not run here (${errorMessage(error)})` };
  }
}
