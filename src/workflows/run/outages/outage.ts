import type { ApplicationFailure } from '@temporalio/workflow';
import type { Waiting } from '../../../contracts/run/outages';
import { FIRST_WAIT_MS, LONGEST_WAIT_MS } from '../run-constants';
import type { Trouble } from './step-failures';

/** Something that is away, and the tries to reach it. Times are milliseconds of the workflow's clock. */
export interface Outage {
  readonly thing: Trouble['thing'];
  readonly what: string;
  readonly since: number;
  /** From when patience is counted: whoever resumes a run has given it anew. */
  readonly patientSince: number;
  /** Those who wait; the first of them tries. */
  line: object[];
  probing: boolean;
  over: boolean;
  /** Set where it is not waited for any more. */
  failure: ApplicationFailure | null;
  isDue(): boolean;
  msToNextTry(): number;
  beginTry(): void;
  failedAgain(reason: string): void;
  tryNow(): void;
  told(): Waiting;
}

export function createOutage({ thing, what, reason }: Trouble, firstWaitMs = FIRST_WAIT_MS): Outage {
  const since = Date.now();
  let patientSince = since;
  let why = reason;
  let waitMs = firstWaitMs;
  let nextTry = since;
  /** Somebody asked for a try while one was going on, which may have begun too early. */
  let askedMeanwhile = false;
  /** A task that waits in a queue is a try that goes on. */
  const waits = thing !== 'queue';
  const outage: Outage = {
    thing,
    what,
    since,
    get patientSince() {
      return patientSince;
    },
    line: [],
    probing: false,
    over: false,
    failure: null,
    isDue: () => Date.now() >= nextTry,
    msToNextTry: () => Math.max(1, nextTry - Date.now()),
    beginTry() {
      outage.probing = true;
      nextTry = Date.now();
      askedMeanwhile = false;
    },
    failedAgain(told) {
      why = told;
      nextTry = Date.now() + (waits && !askedMeanwhile ? waitMs : 0);
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    },
    tryNow() {
      patientSince = Date.now();
      nextTry = patientSince;
      waitMs = firstWaitMs;
      askedMeanwhile = outage.probing;
    },
    told: () => ({
      what,
      reason: why,
      since: new Date(since).toISOString(),
      nextTry: new Date(nextTry).toISOString(),
    }),
  };
  return outage;
}
