import type { RunEventType } from '../../../src/contracts/event';
import type { Engine } from '../../../src/engines/engine';
import type { ContentStore } from '../../../src/stores/content-store';
import type { EventLog } from '../../../src/stores/event-log';
import type { ResponseCache } from '../../../src/stores/stores';
import { afterAppend } from '../after-append';
import { until } from '../until';

/**
 * Where a run's activity is stopped in its work, once, until it is let go or its process dies:
 * - `asked`: the engine has been asked for a step, and has done nothing yet;
 * - `streaming`: half of a step's text is in the event log. The text is the one that the engine writes, or another one, as a model's
 *   would be that is asked again;
 * - `handed over`: the run has been given texts that were stored before it, and the activity does not know yet;
 * - `recorded`: an event of a type, and with what it is to tell, is in the log, and the activity has not told the server that it is done;
 * - `after the cache write`: the answer to the model's nth request, or to the next behind it, is kept, and nothing was made of it yet.
 */
export type Hold = {
  runId: string;
  /** The workflow whose activity it is, where that is another's. */
  workflowId?: string;
} & (
  | { at: 'handed over' }
  | { at: 'asked'; step: string }
  | { at: 'streaming'; words: 'its own' | 'other' }
  | { at: 'recorded'; event: RunEventType; telling?: Record<string, unknown> }
  | { at: 'after the cache write'; request: number }
);

export interface Gate {
  /**
   * Stops where a hold is for this place, which is for nobody else then; rejects when `signal` aborts. `before` is awaited first.
   */
  stop(
    isHere: (hold: Hold) => boolean,
    given?: { signal?: AbortSignal; before?: (hold: Hold) => Promise<void> },
  ): Promise<void>;
  letGo(): void;
}

/** Each hold stops the first that comes to its place; `onHeld` is told. */
export function createGate(holds: readonly Hold[], onHeld: (hold: Hold) => void): Gate {
  const free = new Set(holds);
  let held: (() => void)[] = [];
  return {
    letGo() {
      for (const release of held) release();
      held = [];
    },
    async stop(isHere, { signal, before } = {}) {
      const hold = [...free].find(isHere);
      if (hold === undefined) return;
      free.delete(hold);
      await before?.(hold);
      const released = new Promise<void>((resolve) => held.push(resolve));
      onHeld(hold);
      await Promise.race([released, ...(signal === undefined ? [] : [aborted(signal)])]);
    },
  };
}

/** The engine, which can be stopped before a step, or in the middle of a text that it writes. */
export function holdEngine(engine: Engine, events: EventLog, gate: Gate): Engine {
  return {
    name: engine.name,
    close: () => engine.close(),
    async run(step, input, context) {
      const { runId, signal, onText } = context;
      await gate.stop((hold) => hold.runId === runId && hold.at === 'asked' && hold.step === step.name, {
        signal,
      });
      const result = await engine.run(step, input, context);
      if (onText === undefined) return result;
      await gate.stop((hold) => hold.runId === runId && hold.at === 'streaming', {
        signal,
        async before(hold) {
          const isOther = hold.at === 'streaming' && hold.words === 'other';
          const text = isOther ? 'In other words: ' : beginning(textOf(result.output));
          onText(text);
          await until(
            () => events.read(runId),
            (log) => log.some((event) => event.type === 'content-chunk' && event.payload.text === text),
          );
        },
      });
      return result;
    },
  };
}

/** The event log, which can stop an activity as soon as an event of it is on disk. */
export function holdEvents(events: EventLog, gate: Gate): EventLog {
  return afterAppend(events, (runId, { type, payload }) =>
    gate.stop(
      (hold) =>
        hold.runId === runId &&
        hold.at === 'recorded' &&
        hold.event === type &&
        Object.entries(hold.telling ?? {}).every(([name, value]) => Object(payload)[name] === value),
    ),
  );
}

/** The content store, which can stop an activity as soon as texts that were stored before are its run's. */
export function holdContent(content: ContentStore, gate: Gate): ContentStore {
  return {
    ...content,
    async hold(runId, refs) {
      const missing = await content.hold(runId, refs);
      await gate.stop((hold) => hold.runId === runId && hold.at === 'handed over');
      return missing;
    },
  };
}

/** The cache, which stops a run at its nth request, or the first behind it. */
export function holdResponses(responses: ResponseCache, gate: Gate): ResponseCache {
  const requests = new Map<string, string[]>();
  return {
    ...responses,
    async put(runId, key, ...given) {
      await responses.put(runId, key, ...given);
      const known = requests.get(runId) ?? [];
      if (!known.includes(key)) known.push(key);
      requests.set(runId, known);
      const number = known.indexOf(key) + 1;
      await gate.stop(
        (hold) => hold.runId === runId && hold.at === 'after the cache write' && hold.request <= number,
      );
    },
  };
}

function textOf(output: unknown): string {
  if (typeof output === 'object' && output !== null && 'markdown' in output) return String(output.markdown);
  throw new Error('a step that streams must write Markdown');
}

function beginning(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(new DOMException('aborted', 'AbortError'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
