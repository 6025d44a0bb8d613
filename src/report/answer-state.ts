import type { Answer, AnswerMetrics, AnswerTelemetry, AnswerTraceEntry } from '../contracts/answer';
import type { Critique } from '../contracts/finding';
import type { AnswerMessage } from '../contracts/start';
import { citedIds } from '../lib/citation-marks';

export type Decision = Pick<Extract<AnswerTraceEntry, { node: 'supervisor' }>, 'decision' | 'reason'>;

export interface AttemptFacts {
  /** From 1. */
  attempt: number;
  maxAttempts: number;
  /** Whether it was looked more broadly already; it is done once. */
  isBroadened: boolean;
  canBroaden: boolean;
  /** Whether the writer would write otherwise, told what was wrong. */
  canRewrite: boolean;
  /** Whether more was left out of the context than a good answer bears (document 004). */
  isOverCompressed: boolean;
  /** Null before the text was audited. */
  audited: {
    claims: number;
    supported: number;
    needsRetry: boolean;
    /** Whether the passages say enough of what was asked, as far as the writer and the reader can tell. */
    isSufficient: boolean;
  } | null;
}

/**
 * Whether a broader retrieval comes before the critic is asked at all: once, where the context was compressed too much and an
 * attempt is left for it. Null where the attempt goes on.
 */
export function decideBeforeCritic(facts: AttemptFacts): Decision | null {
  if (!facts.isOverCompressed || !mayBroaden(facts)) return null;
  return { decision: 'broaden', reason: 'the evidence was over-compressed' };
}

/** What comes behind an audited attempt: what is wrong is mended first, then more is looked for, while attempts are left. */
export function decideNext(facts: AttemptFacts): Decision {
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
    return end(attempt < maxAttempts ? 'the writer would write the same again' : 'no attempt is left');
  if (isInsufficient)
    return end(attempt < maxAttempts ? 'there is no more to look through' : 'no attempt is left');
  return end('what it says is supported');
}

function mayBroaden({ attempt, maxAttempts, isBroadened, canBroaden }: AttemptFacts): boolean {
  return attempt < maxAttempts && canBroaden && !isBroadened;
}

function end(reason: string): Decision {
  return { decision: 'end', reason };
}

/** What is measured of an attempt to write; sizes are UTF-16 units. */
export interface MeasuredAttempt {
  originalContextChars: number;
  compressedContextChars: number;
  compressionLatencyMs: number;
  /** The draft, with its marks. */
  markdown: string;
}

type ContextSizes = Pick<AnswerMetrics, 'originalContextChars' | 'compressedContextChars'>;

/** The share of a context that a compression left, 0–1; 1 of no context. */
export function compressionRatio({ originalContextChars, compressedContextChars }: ContextSizes): number {
  return originalContextChars === 0 ? 1 : Math.min(1, compressedContextChars / originalContextChars);
}

/** Document 004's six metrics. Citations are counted as they stand in the text, repeats included. */
export function answerMetrics({ markdown, ...measured }: MeasuredAttempt): AnswerMetrics {
  return {
    ...measured,
    compressionRatio: compressionRatio(measured),
    citationCount: citedIds(markdown).length,
    answerLength: markdown.length,
  };
}

/** Document 004: whether less than this share of a context that was compressed is left. */
export function isOverCompressed(sizes: ContextSizes, below: number): boolean {
  return sizes.compressedContextChars < sizes.originalContextChars && compressionRatio(sizes) < below;
}

/** Document 004's sentence, which goes into the critique of an over-compressed attempt. */
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

/** What an audit found, as the trace has it. `claims` are those that were written, set aside ones included. */
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

export interface Asked {
  question: string;
  /** Oldest first. */
  history: AnswerMessage[];
}

/** Where the first message of a human stands, which asks where nothing else does; −1 where there is none. */
export function placeOfQuestion(messages: readonly AnswerMessage[]): number {
  return messages.findIndex(({ role }) => role === 'human' || role === 'user');
}

/**
 * What is asked: the question, or the first message of a human, before which everything is history (document 001). Null where
 * there is neither, or an empty one.
 */
export function questionAsked(given: {
  question?: string | undefined;
  messages?: readonly AnswerMessage[] | undefined;
  history: readonly AnswerMessage[];
}): Asked | null {
  const { question, messages = [], history } = given;
  if (question !== undefined) return { question, history: [...history, ...messages] };
  const at = placeOfQuestion(messages);
  const asked = messages[at]?.content ?? '';
  if (asked.trim() === '') return null;
  return { question: asked, history: [...history, ...messages.slice(0, at)] };
}

/** What document 001's synthesis agent leaves in its graph's state. */
export interface AgentState {
  /** The caller's, and the answer behind them. */
  messages: AnswerMessage[];
  final_answer: string;
  /** The one number that is printed; 0 where nothing was found, or no answer could be written. */
  confidence_score: number;
  last_agent: 'synthesis';
  next_agent: 'END';
}

/** An answer in the form of document 001. Without messages the question is the first. */
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
