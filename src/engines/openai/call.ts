import {
  type CallSlot,
  type Interruption,
  ModelFailure,
  type OutputMode,
  ThinkingFilter,
} from '../model/port';
import { type Connection, MAX_TIMER_MS } from './connection';
import { toModelFailure } from './endpoint-errors';

export interface CallLimits {
  timeoutMs: number;
  inactivityMs: number;
  firstByteMs: number;
}

export interface Call extends CallLimits {
  connection: Pick<Connection, 'address' | 'maxBytes'>;
  apiKey: string | null;
  model: string;
  contents: readonly string[];
  rung: OutputMode | null;
  turn?: CallSlot | undefined;
}

const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** Throws `ModelFailure`, the signal's reason, or the listener's error. */
export async function runCall<Result>(
  call: Call,
  signal: AbortSignal,
  listener: AnswerListener,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const { apiKey, connection } = call;
  if (apiKey !== null && !SENDABLE_KEY.test(apiKey)) {
    throw new ModelFailure(
      'wrong-key',
      'The API key has characters that no key has, such as spaces or line ends: check OPENAI_API_KEY.',
    );
  }
  const deadline = startDeadline(signal, call);
  try {
    return await work(deadline);
  } catch (error) {
    if (listener.threw(error)) throw error;
    signal.throwIfAborted();
    if (deadline.missed !== null)
      throw missedFailure(call, deadline.missed).after(...interruption(deadline, listener));
    const { address, maxBytes } = connection;
    const failure = toModelFailure(error, { ...call, address, maxBytes, nowMs: Date.now() });
    throw listener.heard === '' ? failure : failure.after('connection', listener.heard);
  } finally {
    deadline.end();
  }
}

type MissedLimit = 'time' | 'beginning' | 'silence';

export interface Deadline {
  /** Aborts on the caller's cancellation or an exceeded limit. */
  readonly signal: AbortSignal;
  /** Null if no limit was exceeded. */
  readonly missed: MissedLimit | null;
  readonly cancelled: boolean;
  expect(next: 'beginning' | 'silence', atMostMs?: number): void;
  begun(): void;
  end(): void;
}

function startDeadline(caller: AbortSignal, limits: CallLimits & Pick<Call, 'turn'>): Deadline {
  const controller = new AbortController();
  let missed: MissedLimit | null = null;
  /** Excludes time in which the server was busy with other calls of this process. */
  const after = (ms: number, what: MissedLimit): Timer => {
    const from = performance.now();
    const timer: Timer = { handle: undefined };
    const wait = (leftMs: number): void => {
      timer.handle = setTimeout(() => check(), Math.min(leftMs, MAX_TIMER_MS));
    };
    const check = (): void => {
      const leftMs = Math.max(from, limits.turn?.since ?? from) + ms - performance.now();
      // A timer may fire a millisecond early.
      if (leftMs > 1 && limits.turn !== undefined) {
        wait(leftMs);
        return;
      }
      if (!controller.signal.aborted) missed = what;
      controller.abort();
    };
    wait(ms);
    return timer;
  };
  const cancel = (): void => controller.abort();
  const whole = after(limits.timeoutMs, 'time');
  let next: Timer | undefined;
  caller.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    get missed() {
      return missed;
    },
    get cancelled() {
      return caller.aborted;
    },
    expect: (what, atMostMs = Infinity) => {
      clearTimeout(next?.handle);
      const limit = what === 'beginning' ? limits.firstByteMs : limits.inactivityMs;
      next = after(Math.min(limit, atMostMs), what);
    },
    begun: () => limits.turn?.begun(),
    end: () => {
      clearTimeout(whole.handle);
      clearTimeout(next?.handle);
      caller.removeEventListener('abort', cancel);
    },
  };
}

interface Timer {
  handle: NodeJS.Timeout | undefined;
}

function missedFailure({ connection, ...limits }: Call, missed: MissedLimit): ModelFailure {
  const messages: Record<MissedLimit, string> = {
    time: `${connection.address} did not answer within ${limits.timeoutMs} ms.`,
    beginning: `${connection.address} did not begin to answer within ${limits.firstByteMs} ms.`,
    silence: `${connection.address} stopped sending its answer for ${limits.inactivityMs} ms.`,
  };
  return new ModelFailure('timeout', messages[missed]);
}

function interruption({ missed }: Deadline, { heard }: AnswerListener): [Interruption, string] {
  return [missed === 'time' ? 'time' : 'silence', heard];
}

export class AnswerListener {
  readonly #onText: ((text: string) => void) | null;
  readonly #thinking = new ThinkingFilter();
  #failure: { error: unknown } | null = null;
  #heard = '';

  constructor(onText: ((text: string) => void) | null = null) {
    this.#onText = onText;
  }

  /** Thinking included. */
  get heard(): string {
    return this.#heard;
  }

  threw(error: unknown): boolean {
    return this.#failure !== null && this.#failure.error === error;
  }

  push(text: string): void {
    this.#heard += text;
    this.#pass(this.#thinking.push(text));
  }

  end(): void {
    this.#pass(this.#thinking.end());
  }

  #pass(visible: string): void {
    if (visible === '' || this.#onText === null) return;
    try {
      this.#onText(visible);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}
