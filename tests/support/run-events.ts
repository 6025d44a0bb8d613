import type { RunEvent, RunEventBody, RunEventType } from '../../src/contracts/event';
import type { VerdictCounts } from '../../src/contracts/finding';

type Payload<Type extends RunEventType> = Extract<RunEventBody, { type: Type }>['payload'];

let number = 0;

export function runEvent<Type extends RunEventType>(type: Type, payload: Payload<Type>): RunEvent {
  number += 1;
  const body = { type, payload } as RunEventBody; // the type has this payload
  return { ...body, runId: 'r', number, key: `${number}`, at: '2025-01-01T00:00:00Z' };
}

export function chunk(section: string, offset: number, text: string, generation = 1): RunEvent {
  return runEvent('content-chunk', { section, generation, offset, text });
}

export function written(section: string, chars: number, generation = 1): RunEvent {
  return runEvent('section-written', { section, generation, chars });
}

export function restarted(section: string, generation: number): RunEvent {
  return runEvent('section-restarted', { section, generation });
}

export function warning(message: string): RunEventBody {
  return { type: 'warning', payload: { code: 'test', message } };
}

export function failed(message: string): RunEventBody {
  return { type: 'run-failed', payload: { message } };
}

/** These verdicts, and none of the others. */
export function verdictCounts(counts: Partial<VerdictCounts>): VerdictCounts {
  const none = { supported: 0, inference: 0, partial: 0, contradicted: 0, unsupported: 0, unchecked: 0 };
  return { claims: 0, ...none, ...counts };
}
