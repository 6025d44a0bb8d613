import type { AnswerTraceEntry } from '../contracts/answer/answer-telemetry';

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
