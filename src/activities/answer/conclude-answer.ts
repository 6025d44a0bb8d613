import type { Answer } from '../../contracts/answer/answer';
import { AnswerDraft } from '../../contracts/answer/answer-draft';
import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { AnswerMetrics, AnswerTraceEntry } from '../../contracts/answer/answer-telemetry';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunOutcome, RunStatus, Usage, Warning } from '../../contracts/run/run';
import { Critique } from '../../contracts/verification/critique';
import { asideBySources } from '../../core/answer/aside-by-sources';
import { writeFallback, writeReply, type Reply } from '../../core/answer/write-reply';
import { modelNames } from '../../core/budget/model-names';
import { eventKey } from '../../core/run/event-key';
import { ANSWERED_FROM } from '../../reading/collection/answerable';
import type { ContentStore } from '../../stores/content-store';
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
  const [reportRef, markdownRef] = await Promise.all([
    storeArtifact(content, runId, answer),
    content.store(runId, answer.answer),
  ]);
  if (conversationId !== null)
    await keepTurn(ports, conversationId, { requestId: runId, question, answerRef: reportRef });
  const last = given.trace.at(-1);
  const told: Promise<number>[] = [];
  if (last?.node === 'supervisor' && last.decision === 'end') {
    const { attempt, decision, reason } = last;
    const key = eventKey({ pass: 0, step: 'decide', type: 'attempt', ordinal: attempt });
    told.push(events.appendOnce(runId, key, { type: 'attempt', payload: { attempt, decision, reason } }));
  }
  const completed = eventKey({ pass: 0, step: 'conclude', type: 'run-completed' });
  const payload = { status, reportRef, markdownRef };
  told.push(events.appendOnce(runId, completed, { type: 'run-completed', payload }));
  await Promise.all(told);
  return { runId, status, reportRef, markdownRef, answer };
}

async function replyOf({ content, runtime }: ActivityPorts, given: ConcludeAnswerInput): Promise<Answer> {
  const { run, conversationId, attempts, overCompression, metrics, failure, warnings, usage } = given;
  const said = await whatIsSaid(content, given);
  return {
    requestId: run.runId,
    conversationId,
    question: run.question,
    ...said,
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
      models: run.models ? modelNames(run.models) : {},
      steps: run.stepVersions,
      runtime,
    },
  };
}

/** What stands in the text, or what is missing for one; what stands in for one where none could be written. */
async function whatIsSaid(content: ContentStore, given: ConcludeAnswerInput): Promise<Reply> {
  const { run, draftRef, passagesRef, failure, finalOutputRef, overCompression, observationCount } = given;
  const draft = await readIfAny(content, draftRef, AnswerDraft);
  const retrieved = await readIfAny(content, passagesRef, RetrievedPassages);
  const reply = writeReply({
    question: run.question,
    draft,
    passages: retrieved?.passages ?? [],
    documents: retrieved?.searched.documents ?? 0,
    answerable: retrieved?.answerable ?? 0,
    answeredFrom: ANSWERED_FROM,
    overCompression,
    observations: observationCount,
    settings: run.answers,
  });
  const setAside = reply.setAside.map((claim) => asideBySources(claim, retrieved?.passages ?? []));
  if (failure === null || reply.outcome === 'answered') return { ...reply, setAside };
  const finalOutput = finalOutputRef === null ? null : await content.retrieve(finalOutputRef);
  return { ...writeFallback(finalOutput ?? undefined), setAside };
}
