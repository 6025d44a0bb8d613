import type { Answer } from '../../contracts/answer/answer';
import { AnswerDraft } from '../../contracts/answer/answer-draft';
import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { AnswerMetrics, AnswerTraceEntry } from '../../contracts/answer/answer-telemetry';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunOutcome, RunStatus, Usage, Warning } from '../../contracts/run/run';
import type { ModelChoices } from '../../contracts/run/run-input';
import { Critique } from '../../contracts/verification/critique';
import { assembleAnswer } from '../../core/answer/assemble-answer';
import { evidenceConfidence } from '../../core/answer/evidence-confidence';
import { eventKey } from '../../core/run/event-key';
import { ANSWERED_FROM } from '../../reading/collection/answerable';
import { readIfAny, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import type { AnswerBrief } from './answer-brief';
import { keepTurn } from './conversation/keep-turn';

/** What an answer has come to. */
export interface ConcludeAnswerInput {
  run: AnswerBrief;
  status: RunStatus;
  conversationId: string | null;
  observationCount: number;
  finalOutputRef: ArtifactRef | null;
  /** What the text was written from, or what was found last. */
  passagesRef: ArtifactRef | null;
  /** The best text, audited; null where there is none. */
  draftRef: ArtifactRef | null;
  synthesisMode: boolean;
  /** Of the last attempt that was audited. */
  critiqueRef: ArtifactRef | null;
  metrics: AnswerMetrics | null;
  attempts: number;
  overCompression: boolean;
  trace: AnswerTraceEntry[];
  warnings: Warning[];
  /** Why the reply is no better than it is; null where it was carried out to its end. */
  failure: string | null;
  usage: Usage;
  latencyMs: number;
}

export interface ConcludedAnswer extends RunOutcome {
  answer: Answer;
}

/** The end of every answer: the reply of what there is, stored, a turn of its conversation, and the event log closed. */
export async function concludeAnswer(
  ports: ActivityPorts,
  given: ConcludeAnswerInput,
): Promise<ConcludedAnswer> {
  const { run, conversationId, status } = given;
  const { content, events } = ports;
  const { runId, question } = run;
  const answer = await replyOf(ports, given);
  const reportRef = await storeArtifact(content, runId, answer);
  const markdownRef = await content.store(runId, answer.answer);
  if (conversationId !== null)
    await keepTurn(ports, conversationId, { requestId: runId, question, answerRef: reportRef });
  const last = given.trace.at(-1);
  if (last?.node === 'supervisor' && last.decision === 'end') {
    const { attempt, decision, reason } = last;
    const key = eventKey({ pass: 0, step: 'decide', type: 'attempt', ordinal: attempt });
    await events.appendOnce(runId, key, { type: 'attempt', payload: { attempt, decision, reason } });
  }
  await events.appendOnce(runId, eventKey({ pass: 0, step: 'conclude', type: 'run-completed' }), {
    type: 'run-completed',
    payload: { status, reportRef, markdownRef },
  });
  return { runId, status, reportRef, markdownRef, answer };
}

async function replyOf({ content, runtime }: ActivityPorts, given: ConcludeAnswerInput): Promise<Answer> {
  const { run, conversationId, attempts, overCompression, metrics, failure, warnings, usage } = given;
  const { citations, disclaimerBelow } = run.answers;
  const assembled = assembleAnswer({
    question: run.question,
    draft: await readIfAny(content, given.draftRef, AnswerDraft),
    retrieved: await readIfAny(content, given.passagesRef, RetrievedPassages),
    failure,
    finalOutput: given.finalOutputRef === null ? undefined : await textOf(content, given.finalOutputRef),
    overCompression,
    answeredFrom: ANSWERED_FROM,
    citations,
    disclaimerBelow,
  });
  return {
    requestId: run.runId,
    conversationId,
    question: run.question,
    ...assembled,
    evidenceConfidence: evidenceConfidence(given.observationCount),
    synthesisMode: given.synthesisMode,
    latencyMs: given.latencyMs,
    tokensUsed: usage.inputTokens + usage.outputTokens,
    diagnostics: {
      attempts,
      overCompression,
      critique: await readIfAny(content, given.critiqueRef, Critique),
      metrics,
      failure,
      warnings,
    },
    trace: given.trace,
    usage,
    provenance: {
      engine: run.engine,
      models: run.models ? namesOf(run.models) : {},
      steps: run.stepVersions,
      runtime,
    },
  };
}

async function textOf(content: ActivityPorts['content'], ref: ArtifactRef): Promise<string | undefined> {
  return (await content.retrieve(ref)) ?? undefined;
}

/** The endpoint's name for the model of each role, and of each pass that has one of its own. */
function namesOf(models: ModelChoices): Record<string, string> {
  return Object.fromEntries(Object.entries(models).map(([role, { name }]) => [role, name]));
}
