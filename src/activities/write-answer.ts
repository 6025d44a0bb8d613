import { z } from 'zod';
import {
  type AnswerMetrics,
  type AnswerPassage,
  type AnswerTelemetry,
  RetrievedPassages,
} from '../contracts/answer';
import { NO_USAGE } from '../contracts/budget';
import { ANSWER_SECTION, AnswerDraft } from '../contracts/draft';
import { Critique } from '../contracts/finding';
import { capabilitiesOf } from '../contracts/pipeline';
import { eventKey } from '../contracts/run-protocol';
import type { ArtifactRef } from '../contracts/source';
import { AnswerMessage } from '../contracts/start';
import { draftAsText, revisedDraft } from '../report/answer-draft';
import { critiqueForPassages, passageWindow, synthesisMode } from '../report/answer-passages';
import { answerMetrics, synthesizerEntry } from '../report/answer-state';
import { answer, type AnswerInput, ContextPassage } from '../steps/answer-question';
import { rewriteQuestion as rewriteQuestionStep } from '../steps/search-queries';
import { compress } from '../steps/summarise';
import type { ContentStore } from '../stores/content-store';
import { ANSWERABLE_THRESHOLD } from '../text/answerability';
import { COMPRESS_ABOVE_CHARS } from '../text/reading-groups';
import { readCached, readOptional, storeArtifact } from './artifacts';
import { mendStatements, readFaults } from './judge-and-mend';
import { type ActivityPorts, ANSWER_WRITER, type AnswerContext } from './ports';
import { openSectionStream } from './publish-events';
import { runStep, type UsageAndWarnings } from './run-step';

export interface WriteAnswerInput {
  run: AnswerContext;
  /** From 1. */
  attempt: number;
  passagesRef: ArtifactRef;
  /** Compressed passages; null if they were not compressed. */
  contextRef: ArtifactRef | null;
  historyRef: ArtifactRef | null;
  critique: CritiqueRefs | null;
  /** In UTF-16 units; null if the context was not compressed. */
  compressed: { originalChars: number; compressedChars: number; latencyMs: number } | null;
  overCompression: boolean;
}

export interface WrittenAnswer extends UsageAndWarnings {
  draftRef: ArtifactRef;
  claims: number;
  isSufficient: boolean;
  metrics: AnswerMetrics;
  telemetry: AnswerTelemetry;
  /** Number of documents combined; absent outside synthesis mode. */
  sourceDocuments?: number;
}

const SYNTHESIS_EVENT = 'synthesis_mode_activated';

export async function writeAnswer(
  ports: ActivityPorts,
  given: WriteAnswerInput,
  signal: AbortSignal,
): Promise<WrittenAnswer> {
  const begun = Date.now();
  const { run, attempt } = given;
  const { content, events } = ports;
  const place = { pass: 0, section: ANSWER_SECTION, revision: attempt - 1 };
  const { input, documents } = await buildStepInput(ports, given);
  if (input.synthesisMode)
    await events.appendOnce(run.runId, eventKey({ ...place, step: answer.name, type: SYNTHESIS_EVENT }), {
      type: SYNTHESIS_EVENT,
      payload: { source_doc_count: documents, passages: input.passages.length },
    });
  const stream = await openSectionStream(events, run.runId, ANSWER_SECTION, ANSWER_WRITER);
  const { output, usage, warnings } = await runStep(ports, run, answer, input, {
    place,
    signal,
    onText: (text) => stream.write(text),
  });
  const [draftRef] = await Promise.all([
    storeArtifact(content, run.runId, output),
    stream.finish(output.markdown),
  ]);
  const { isSufficient, ...measured } = measureAnswer(output, { ...given, passages: input.passages, begun });
  return {
    draftRef,
    ...measured,
    isSufficient:
      isSufficient && (capabilitiesOf(run.engine).asksModels || input.answerable >= ANSWERABLE_THRESHOLD),
    ...(input.synthesisMode ? { sourceDocuments: documents } : {}),
    usage,
    warnings,
  };
}

/** `begun` is milliseconds since 1970. */
function measureAnswer(
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

async function buildStepInput(
  { content }: ActivityPorts,
  { run, passagesRef, contextRef, historyRef, critique: told }: WriteAnswerInput,
): Promise<{ input: AnswerInput; documents: number }> {
  const { passages, counts, answerable } = await readCached(content, passagesRef, RetrievedPassages);
  const context = await readOptional(content, contextRef, z.array(ContextPassage));
  const history = (await readOptional(content, historyRef, z.array(AnswerMessage))) ?? [];
  const critique = await translateCritique(content, told, passages);
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

export interface CritiqueRefs {
  critiqueRef: ArtifactRef;
  /** Passages whose ids it uses; null if it names sources, as a caller's critique does. */
  passagesRef: ArtifactRef | null;
}

/** Translates the critique to these passages; null if there is none. */
async function translateCritique(
  content: ContentStore,
  told: CritiqueRefs | null,
  now: readonly AnswerPassage[],
): Promise<Critique | null> {
  if (told === null) return null;
  const critique = await readCached(content, told.critiqueRef, Critique);
  const before = await readOptional(content, told.passagesRef, RetrievedPassages);
  return critiqueForPassages(critique, { of: before?.passages ?? null, now });
}

export interface RewriteQuestionInput {
  run: AnswerContext;
  attempt: number;
  historyRef: ArtifactRef | null;
  queries: string[];
  passagesRef: ArtifactRef | null;
  critiqueRef: ArtifactRef | null;
}

export interface RewrittenQuestion extends UsageAndWarnings {
  queries: string[];
}

export async function rewriteQuestion(
  ports: ActivityPorts,
  { run, attempt, historyRef, queries, passagesRef, critiqueRef }: RewriteQuestionInput,
  signal: AbortSignal,
): Promise<RewrittenQuestion> {
  const { content } = ports;
  const history = (await readOptional(content, historyRef, z.array(AnswerMessage))) ?? [];
  const found = await readOptional(content, passagesRef, RetrievedPassages);
  const critique = await readOptional(content, critiqueRef, Critique);
  const { output, usage, warnings } = await runStep(
    ports,
    run,
    rewriteQuestionStep,
    {
      question: run.question,
      history,
      tried: queries,
      found: [...new Set((found?.passages ?? []).map(({ title }) => title))],
      gaps: critique?.logicalGaps ?? [],
    },
    { place: { pass: 0, section: ANSWER_SECTION, revision: attempt - 1 }, signal },
  );
  return { queries: output.queries, usage, warnings };
}

export interface CompressContextInput {
  run: AnswerContext;
  attempt: number;
  passagesRef: ArtifactRef;
  isWhole: boolean;
  /** True after a broader search: enough stays whole then to avoid over-compression. */
  isBroadened: boolean;
}

export interface CompressedContext extends UsageAndWarnings {
  /** Passages as the writer reads them; null if unchanged. */
  contextRef: ArtifactRef | null;
  isCompressed: boolean;
  originalChars: number;
  compressedChars: number;
}

/** Summaries keep every number (document 004). Whole sources are shortened only if the caller set a length. */
export async function compressContext(
  ports: ActivityPorts,
  { run, attempt, passagesRef, isWhole, isBroadened }: CompressContextInput,
  signal: AbortSignal,
): Promise<CompressedContext> {
  const { passages } = await readCached(ports.content, passagesRef, RetrievedPassages);
  const { compressedChars: maxChars, overCompressionBelow } = run.answers;
  const compressAboveChars = run.answers.compressAboveChars ?? (isWhole ? Infinity : COMPRESS_ABOVE_CHARS);
  const originalChars = charsOf(passages);
  let { keptWhole } = run.answers;
  const leastWhole = isBroadened ? overCompressionBelow * originalChars : 0;
  while (charsOf(passages.slice(0, keptWhole)) < leastWhole) keptWhole += 1;
  const low = passages.slice(keptWhole).filter(({ text }) => text.length >= maxChars);
  if (originalChars <= compressAboveChars || low.length === 0) {
    const asItIs = { contextRef: null, isCompressed: false, originalChars, compressedChars: originalChars };
    return { ...asItIs, usage: NO_USAGE, warnings: [] };
  }
  const { output, usage, warnings } = await runStep(
    ports,
    run,
    compress,
    { question: run.question, passages: low.map(({ id, text }) => ({ id, text })), maxChars },
    { place: { pass: 0, section: ANSWER_SECTION, revision: attempt - 1 }, signal },
  );
  const said = new Map(output.summaries.map(({ id, text }) => [id, text]));
  const context = passages.map((passage): ContextPassage => {
    const compressed = said.get(passage.id);
    return compressed === undefined ? passage : { ...passage, compressed };
  });
  return {
    contextRef: await storeArtifact(ports.content, run.runId, context),
    isCompressed: true,
    originalChars,
    compressedChars: charsOf(context),
    usage,
    warnings,
  };
}

function charsOf(passages: readonly ContextPassage[]): number {
  return passages.reduce((sum, { text, compressed }) => sum + (compressed ?? text).length, 0);
}

export interface MendAnswerInput extends Pick<
  WriteAnswerInput,
  'run' | 'attempt' | 'passagesRef' | 'compressed' | 'overCompression'
> {
  draftRef: ArtifactRef;
  /** Present if a judge named the faults; absent if an audit did. */
  judgementRef?: ArtifactRef;
}

export interface MendedAnswer extends WrittenAnswer {
  isChanged: boolean;
}

export async function mendAnswer(
  ports: ActivityPorts,
  given: MendAnswerInput,
  signal: AbortSignal,
): Promise<MendedAnswer> {
  const begun = Date.now();
  const { run, attempt, passagesRef, draftRef, judgementRef } = given;
  const { content } = ports;
  const draft = await readCached(content, draftRef, AnswerDraft);
  const { passages } = await readCached(content, passagesRef, RetrievedPassages);
  const text = draftAsText(draft, run.question);
  const judged = judgementRef === undefined ? undefined : { judgementRef, parts: [ANSWER_SECTION] };
  const faults = await readFaults(ports, text, judged);
  const windows = passages.map(passageWindow);
  const mended =
    faults.length === 0
      ? { text, usage: NO_USAGE, warnings: [] }
      : await mendStatements(
          ports,
          run,
          {
            text,
            faults,
            // A judge may miss something that none of the cited passages has.
            readSources: (ids) =>
              Promise.resolve(
                judgementRef === undefined ? windows.filter(({ sourceId }) => ids.has(sourceId)) : windows,
              ),
          },
          { place: { pass: 0, section: ANSWER_SECTION, revision: attempt - 1 }, signal },
        );
  const isChanged = mended.text.changes.length > 0;
  const written = isChanged ? revisedDraft(draft, text, mended.text) : draft;
  return {
    draftRef: isChanged ? await storeArtifact(content, run.runId, written) : draftRef,
    isChanged,
    ...measureAnswer(written, { ...given, passages, begun }),
    usage: mended.usage,
    warnings: mended.warnings,
  };
}
