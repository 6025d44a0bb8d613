import type { Answer, AnswerMetrics, AnswerTelemetry, AnswerTraceEntry } from '../contracts/answer';
import type { Critique } from '../contracts/finding';
import type { AnswerMessage } from '../contracts/start';
import { citedIds } from '../lib/citation-marks';

// Decisions, metrics and trace entries of an answer run.

export type Decision = Pick<Extract<AnswerTraceEntry, { node: 'supervisor' }>, 'decision' | 'reason'>;

export interface AttemptState {
  /** From 1. */
  attempt: number;
  maxAttempts: number;
  /** True after the one broader retrieval. */
  isBroadened: boolean;
  canBroaden: boolean;
  /** True if the writer would use a critique. */
  canRewrite: boolean;
  /** True if too much of the context was removed (document 004). */
  isOverCompressed: boolean;
  /** Null before the text was audited. */
  audited: {
    claims: number;
    supported: number;
    needsRetry: boolean;
    /** True if the passages answer enough of the question, as far as the writer and the reader can tell. */
    isSufficient: boolean;
  } | null;
}

/** Broadens the retrieval before the critic is called, once, if the context was over-compressed. Null if the attempt continues. */
export function decideBeforeCritic(facts: AttemptState): Decision | null {
  if (!facts.isOverCompressed || !mayBroaden(facts)) return null;
  return { decision: 'broaden', reason: 'the evidence was over-compressed' };
}

/** Decision after an audited attempt: corrects wrong claims first, then broadens the retrieval, while attempts are left. */
export function decideNext(facts: AttemptState): Decision {
  const { attempt, maxAttempts, canRewrite, audited } = facts;
  const isWrong = audited?.needsRetry === true;
  const isInsufficient = audited === null || !audited.isSufficient || audited.supported === 0;
  if (attempt < maxAttempts) {
    if (isWrong && canRewrite)
      return { decision: 'rewrite', reason: 'claims are not supported by what they cite' };
    if (isInsufficient && mayBroaden(facts))
      return { decision: 'broaden', reason: 'the passages do not say enough' };
  }
  if (isWrong)
    return endDecision(
      attempt < maxAttempts ? 'the writer would write the same again' : 'no attempt is left',
    );
  if (isInsufficient)
    return endDecision(attempt < maxAttempts ? 'there is no more to look through' : 'no attempt is left');
  return endDecision('what it says is supported');
}

function mayBroaden({ attempt, maxAttempts, isBroadened, canBroaden }: AttemptState): boolean {
  return attempt < maxAttempts && canBroaden && !isBroadened;
}

function endDecision(reason: string): Decision {
  return { decision: 'end', reason };
}

/** Sizes are UTF-16 units. */
export interface AttemptMeasurements {
  originalContextChars: number;
  compressedContextChars: number;
  compressionLatencyMs: number;
  markdown: string;
}

type ContextSizes = Pick<AnswerMetrics, 'originalContextChars' | 'compressedContextChars'>;

/** Share of the context that is left after compression, 0–1; 1 for an empty context. */
export function compressionRatio({ originalContextChars, compressedContextChars }: ContextSizes): number {
  return originalContextChars === 0 ? 1 : Math.min(1, compressedContextChars / originalContextChars);
}

/** Document 004's six metrics. Citations are counted in the text, repeats included. */
export function answerMetrics({ markdown, ...measured }: AttemptMeasurements): AnswerMetrics {
  return {
    ...measured,
    compressionRatio: compressionRatio(measured),
    citationCount: citedIds(markdown).length,
    answerLength: markdown.length,
  };
}

/** Document 004: true if a compressed context has less than the share `below` left. */
export function isOverCompressed(sizes: ContextSizes, below: number): boolean {
  return sizes.compressedContextChars < sizes.originalContextChars && compressionRatio(sizes) < below;
}

/** Document 004's sentence for the critique of an over-compressed attempt. */
export const OVER_COMPRESSION_GAP = 'Evidence was over-compressed; critical context may have been lost.';

/** Document 004's nine fields. `attempt` counts from 1. */
export function synthesizerEntry(
  metrics: AnswerMetrics,
  at: { attempt: number; durationMs: number; overCompression: boolean },
): AnswerTelemetry {
  return {
    node: 'synthesizer',
    retry_count: at.attempt - 1,
    context_chars: metrics.originalContextChars,
    context_compressed: metrics.compressedContextChars < metrics.originalContextChars,
    compression_latency_ms: metrics.compressionLatencyMs,
    answer_length: metrics.answerLength,
    citations: metrics.citationCount,
    duration_ms: at.durationMs,
    over_compression_flag: at.overCompression,
  };
}

type EntryOf<Node extends AnswerTraceEntry['node']> = Extract<AnswerTraceEntry, { node: Node }>;

/** Trace entry of an audit. `claims` counts all written claims, rejected ones included. */
export function criticEntry(
  critique: Critique,
  at: { attempt: number; claims: number; supported: number; setAside: number; durationMs: number },
): EntryOf<'critic'> {
  return {
    node: 'critic',
    attempt: at.attempt,
    claims: at.claims,
    supported: at.supported,
    set_aside: at.setAside,
    logical_gaps: critique.logicalGaps.length,
    hallucination_detected: critique.hallucinationDetected,
    needs_retry: critique.needsRetry,
    duration_ms: at.durationMs,
  };
}

export interface QuestionWithHistory {
  question: string;
  /** Oldest first. */
  history: AnswerMessage[];
}

/** Index of the first human message, which is the question if no other is given; −1 if there is none. */
export function questionIndex(messages: readonly AnswerMessage[]): number {
  return messages.findIndex(({ role }) => role === 'human' || role === 'user');
}

/** The question, or the first human message with earlier ones as history (document 001). Null without either, or if empty. */
export function resolveQuestion(given: {
  question?: string | undefined;
  messages?: readonly AnswerMessage[] | undefined;
  history: readonly AnswerMessage[];
}): QuestionWithHistory | null {
  const { question, messages = [], history } = given;
  if (question !== undefined) return { question, history: [...history, ...messages] };
  const at = questionIndex(messages);
  const asked = messages[at]?.content ?? '';
  if (asked.trim() === '') return null;
  return { question: asked, history: [...history, ...messages.slice(0, at)] };
}

export interface AgentState {
  messages: AnswerMessage[];
  final_answer: string;
  /** 0 if nothing was found or no answer could be written. */
  confidence_score: number;
  last_agent: 'synthesis';
  next_agent: 'END';
}

/** An answer in document 001's form. Without messages, the question is the first one. */
export function toAgentState(
  answer: Pick<Answer, 'question' | 'answer' | 'confidence'>,
  messages: readonly AnswerMessage[] = [{ role: 'human', content: answer.question }],
): AgentState {
  return {
    messages: [...messages, { role: 'ai', content: answer.answer }],
    final_answer: answer.answer,
    confidence_score: answer.confidence,
    last_agent: 'synthesis',
    next_agent: 'END',
  };
}
