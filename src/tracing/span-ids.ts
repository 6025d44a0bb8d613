import { createHash } from 'node:crypto';
import type { StepSpan } from './traces';

function digest(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The same for every process that tells of the run; another for a later run of the same id. */
export function traceIdOf(runId: string, begunAt: string | null): string {
  return digest(['trace', runId, begunAt]).slice(0, 32);
}

/** The id of a span by what it is of: told again it is the same span. */
export function spanIdOf(traceId: string, ...parts: unknown[]): string {
  return digest(['span', traceId, ...parts]).slice(0, 16);
}

/** A step that is tried again after it failed is another span; one whose result was lost is not. */
export function stepSpanId(traceId: string, span: StepSpan): string {
  const { step, place, turn, input, failure, endedAt } = span;
  return spanIdOf(traceId, step.name, place, turn, digest(input), failure === null ? null : endedAt);
}
