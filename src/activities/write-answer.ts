import { z } from 'zod';
import {
  type AnswerMetrics,
  type AnswerPassage,
  type AnswerTelemetry,
  RetrievedPassages,
} from '../contracts/answer';
import { NO_USAGE } from '../contracts/budget';
import { ANSWER_TEXT, AnswerDraft } from '../contracts/draft';
import { Critique } from '../contracts/finding';
import { traitsOf } from '../contracts/pipeline';
import { eventKey } from '../contracts/run-protocol';
import type { ArtifactRef } from '../contracts/source';
import { AnswerMessage } from '../contracts/start';
import { mendedDraft, textOfDraft } from '../report/answer-draft';
import { critiqueForPassages, synthesisMode, windowOfPassage } from '../report/answer-passages';
import { answerMetrics, synthesizerEntry } from '../report/answer-state';
import { answer, type AnswerInput, ContextPassage } from '../steps/answer-question';
import { rewriteQuestion as rewriteQuestionStep } from '../steps/search-queries';
import { compress } from '../steps/summarise';
import type { ContentStore } from '../stores/content-store';
import { ANSWERED_FROM } from '../text/answerability';
import { COMPRESS_ABOVE_CHARS } from '../text/reading-groups';
import { readIfAny, readShared, storeArtifact } from './artifacts';
import { mendStatements, readFaults } from './judge-and-mend';
import { type ActivityPorts, ANSWER_WRITER, type AnswerFacts } from './ports';
import { openSectionStream } from './publish-events';
import { runStep, type Spent } from './run-step';

export interface WriteAnswerInput {
  run: AnswerFacts;
  /** From 1. */
  attempt: number;
  passagesRef: ArtifactRef;
  /** Compressed passages; null if they were not compressed. */
  contextRef: ArtifactRef | null;
  historyRef: ArtifactRef | null;
  critique: ToldCritique | null;
  /** In UTF-16 units; null if the context was not compressed. */
  compressed: { originalChars: number; compressedChars: number; latencyMs: number } | null;
  overCompression: boolean;
}

export interface WrittenAnswer extends Spent {
  draftRef: ArtifactRef;
  claims: number;
  isSufficient: boolean;
  metrics: AnswerMetrics;
  telemetry: AnswerTelemetry;
  /** Number of documents combined; absent outside synthesis mode. */
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

/** `begun` is milliseconds since 1970. */
function measuredAnswer(
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
  /** Passages whose ids it uses; null if it names sources, as a caller's critique does. */
  passagesRef: ArtifactRef | null;
}

/** Translates the critique to these passages; null if there is none. */
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

export interface RewriteQuestionInput {
  run: AnswerFacts;
  attempt: number;
  historyRef: ArtifactRef | null;
  queries: string[];
  passagesRef: ArtifactRef | null;
  critiqueRef: ArtifactRef | null;
}

export interface RewrittenQuestion extends Spent {
  queries: string[];
}

export async function rewriteQuestion(
  ports: ActivityPorts,
  { run, attempt, historyRef, queries, passagesRef, critiqueRef }: RewriteQuestionInput,
  signal: AbortSignal,
): Promise<RewrittenQuestion> {
  const { content } = ports;
  const history = (await readIfAny(content, historyRef, z.array(AnswerMessage))) ?? [];
  const found = await readIfAny(content, passagesRef, RetrievedPassages);
  const critique = await readIfAny(content, critiqueRef, Critique);
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
    { place: { pass: 0, section: ANSWER_TEXT, revision: attempt - 1 }, signal },
  );
  return { queries: output.queries, usage, warnings };
}

export interface CompressContextInput {
  run: AnswerFacts;
  attempt: number;
  passagesRef: ArtifactRef;
  isWhole: boolean;
  /** True after a broader search: enough stays whole then to avoid over-compression. */
  isBroadened: boolean;
}

export interface CompressedContext extends Spent {
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
  const { passages } = await readShared(ports.content, passagesRef, RetrievedPassages);
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
    { place: { pass: 0, section: ANSWER_TEXT, revision: attempt - 1 }, signal },
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
  const draft = await readShared(content, draftRef, AnswerDraft);
  const { passages } = await readShared(content, passagesRef, RetrievedPassages);
  const text = textOfDraft(draft, run.question);
  const judged = judgementRef === undefined ? undefined : { judgementRef, parts: [ANSWER_TEXT] };
  const faults = await readFaults(ports, text, judged);
  const windows = passages.map(windowOfPassage);
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
          { place: { pass: 0, section: ANSWER_TEXT, revision: attempt - 1 }, signal },
        );
  const isChanged = mended.text.changes.length > 0;
  const written = isChanged ? mendedDraft(draft, text, mended.text) : draft;
  return {
    draftRef: isChanged ? await storeArtifact(content, run.runId, written) : draftRef,
    isChanged,
    ...measuredAnswer(written, { ...given, passages, begun }),
    usage: mended.usage,
    warnings: mended.warnings,
  };
}
