import { z } from 'zod';
import type { AnswerDraft } from '../../contracts/answer/answer-draft';
import { RetrievedPassages, type AnswerPassage } from '../../contracts/answer/answer-passage';
import { AnswerMessage } from '../../contracts/answer/message';
import type { AnswerMetrics, AnswerTelemetry } from '../../contracts/answer/answer-telemetry';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { traitsOf } from '../../contracts/run/engines';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { answerMetrics, synthesizerEntry } from '../../answers/answer-telemetry';
import { synthesisMode } from '../../answers/synthesis-mode';
import { eventKey } from '../../core/run/event-key';
import { ANSWERED_FROM } from '../../reading/collection/answerable';
import { answer } from '../../steps/answer/answer';
import { ContextPassage, type AnswerInput } from '../../steps/answer/contract';
import { Critique } from '../../contracts/verification/critique';
import { readIfAny, readShared, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { runStep, type Spent } from '../shared/run-step';
import { openSectionStream } from '../shared/section-stream';
import { ANSWER_WRITER, type AnswerFacts } from './answer-facts';
import { critiqueForPassages } from '../../answers/critique/critique-for-passages';
import type { ContentStore } from '../../stores/content-store';

export interface WriteAnswerInput {
  run: AnswerFacts;
  /** From 1. */
  attempt: number;
  passagesRef: ArtifactRef;
  /** The passages as they were compressed; null where they were not. */
  contextRef: ArtifactRef | null;
  historyRef: ArtifactRef | null;
  critique: ToldCritique | null;
  /** What became of the context before; null where it stays as it is. UTF-16 units. */
  compressed: { originalChars: number; compressedChars: number; latencyMs: number } | null;
  overCompression: boolean;
}

export interface WrittenAnswer extends Spent {
  draftRef: ArtifactRef;
  claims: number;
  isSufficient: boolean;
  metrics: AnswerMetrics;
  telemetry: AnswerTelemetry;
  /** How many documents it brings together; absent outside of synthesis mode. */
  sourceDocuments?: number;
}

const SYNTHESIS = 'synthesis_mode_activated';

export async function writeAnswer(
  ports: ActivityPorts,
  given: WriteAnswerInput,
  signal: AbortSignal,
): Promise<WrittenAnswer> {
  const begun = Date.now();
  const { run, attempt } = given;
  const { content, events } = ports;
  const place = { pass: 0, section: ANSWER_TEXT, revision: attempt - 1 };
  const { input, documents } = await inputFor(ports, given);
  if (input.synthesisMode)
    await events.appendOnce(run.runId, eventKey({ ...place, step: answer.name, type: SYNTHESIS }), {
      type: SYNTHESIS,
      payload: { source_doc_count: documents, passages: input.passages.length },
    });
  const stream = await openSectionStream(events, run.runId, ANSWER_TEXT, ANSWER_WRITER);
  const { output, usage, warnings } = await runStep(ports, run, answer, input, {
    place,
    signal,
    onText: (text) => stream.write(text),
  });
  const [draftRef] = await Promise.all([
    storeArtifact(content, run.runId, output),
    stream.finish(output.markdown),
  ]);
  const { isSufficient, ...measured } = measuredAnswer(output, { ...given, passages: input.passages, begun });
  return {
    draftRef,
    ...measured,
    isSufficient: isSufficient && (traitsOf(run.engine).asksModels || input.answerable >= ANSWERED_FROM),
    ...(input.synthesisMode ? { sourceDocuments: documents } : {}),
    usage,
    warnings,
  };
}

/** What is measured of the text of an attempt that began at `begun`, in milliseconds since 1970. */
export function measuredAnswer(
  { markdown, sentences, missing }: AnswerDraft,
  {
    attempt,
    compressed,
    overCompression,
    passages,
    begun,
  }: Pick<WriteAnswerInput, 'attempt' | 'compressed' | 'overCompression'> & {
    passages: readonly { text: string }[];
    begun: number;
  },
): Pick<WrittenAnswer, 'claims' | 'isSufficient' | 'metrics' | 'telemetry'> {
  const chars = passages.reduce((sum, { text }) => sum + text.length, 0);
  const metrics = answerMetrics({
    originalContextChars: compressed?.originalChars ?? chars,
    compressedContextChars: compressed?.compressedChars ?? chars,
    compressionLatencyMs: compressed?.latencyMs ?? 0,
    markdown,
  });
  const claims = sentences.length;
  const durationMs = Date.now() - begun + metrics.compressionLatencyMs;
  return {
    claims,
    isSufficient: claims > 0 && missing === null,
    metrics,
    telemetry: synthesizerEntry(metrics, { attempt, durationMs, overCompression }),
  };
}

async function inputFor(
  { content }: ActivityPorts,
  { run, passagesRef, contextRef, historyRef, critique: told }: WriteAnswerInput,
): Promise<{ input: AnswerInput; documents: number }> {
  const { passages, counts, answerable } = await readShared(content, passagesRef, RetrievedPassages);
  const context = await readIfAny(content, contextRef, z.array(ContextPassage));
  const history = (await readIfAny(content, historyRef, z.array(AnswerMessage))) ?? [];
  const critique = await readCritiqueFor(content, told, passages);
  const { active, sourceDocumentCount: documents } = synthesisMode(passages);
  const { maxTokens, synthesisExtraTokens, temperature } = run.answers;
  return {
    documents,
    input: {
      question: run.question,
      history,
      passages: context ?? passages,
      counts,
      answerable,
      synthesisMode: active,
      ...(critique === null ? {} : { critique }),
      maxTokens: active ? maxTokens + synthesisExtraTokens : maxTokens,
      temperature,
    },
  };
}

export interface ToldCritique {
  critiqueRef: ArtifactRef;
  /** The passages that it names by their ids; null where it names sources, as a caller's does. */
  passagesRef: ArtifactRef | null;
}

/** A critique as it is told to a writer who reads these passages; null where there is none. */
async function readCritiqueFor(
  content: ContentStore,
  told: ToldCritique | null,
  now: readonly AnswerPassage[],
): Promise<Critique | null> {
  if (told === null) return null;
  const critique = await readShared(content, told.critiqueRef, Critique);
  const before = await readIfAny(content, told.passagesRef, RetrievedPassages);
  return critiqueForPassages(critique, { of: before?.passages ?? null, now });
}
