import type { Decision } from '../../answers/decide-next';
import { eventKey } from '../../core/run/event-key';
import { activities as shared } from '../run/activities';
import type { AnswerRun } from './answer-run';

/** Notes what comes behind an attempt; that it was the last is told with the reply. */
export async function tellDecision(run: AnswerRun, attempt: number, decided: Decision): Promise<void> {
  run.carried.trace.push({ node: 'supervisor', attempt, ...decided });
  if (decided.decision === 'end') return;
  const key = eventKey({ pass: 0, step: 'decide', type: 'attempt', ordinal: attempt });
  const event = { type: 'attempt' as const, payload: { attempt, ...decided } };
  const request = { runId: run.input.runId, events: [{ key, event }] };
  await run.carryOut(
    shared.recordEvents,
    request,
    `attempt ${attempt} · ${decided.decision}: ${decided.reason}`,
  );
}
