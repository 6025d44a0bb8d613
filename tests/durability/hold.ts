import type { RunEventType } from '../../src/core/contracts/event';
import type { EngineName } from '../../src/core/contracts/run';
import type { Engine, StepContext, StepResult } from '../../src/engines/engine';
import type { Step } from '../../src/steps/step';
import type { EventLog } from '../../src/stores/event-log';

/**
 * Where a run's activity is stopped in its work, once, until it is let go or its process dies:
 * - `asked`: the engine has been asked for a step, and has done nothing yet;
 * - `streaming`: half of a step's text is on its way into the event log. The text is the one that the engine writes, or
 *   another one, as a model's would be that is asked again;
 * - `recorded`: an event of a type is in the log, and the activity has not told the server that it is done.
 */
export type Hold = { runId: string } & (
  | { at: 'asked'; step: string }
  | { at: 'streaming'; words: 'its own' | 'other' }
  | { at: 'recorded'; event: RunEventType }
);

export interface Gate {
  /** Waits where one of the holds is for this place; rejects when `signal` aborts. */
  pass(isHere: (hold: Hold) => boolean, signal?: AbortSignal): Promise<void>;
  /** Lets everything go, what comes later too. */
  open(): void;
}

/** Each hold stops the first that comes to its place; `onHeld` is told. */
export function createGate(holds: readonly Hold[], onHeld: (hold: Hold) => void): Gate {
  const waiting = new Set(holds);
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    open() {
      waiting.clear();
      open();
    },
    async pass(isHere, signal) {
      const hold = [...waiting].find(isHere);
      if (hold === undefined) return;
      waiting.delete(hold);
      onHeld(hold);
      await Promise.race([opened, ...(signal === undefined ? [] : [aborted(signal)])]);
    },
  };
}

/** The engine, which can be stopped before a step, or in the middle of a text that it writes. */
export function holdEngine(engine: Engine, holds: readonly Hold[], gate: Gate): Engine {
  return {
    name: engine.name satisfies EngineName,
    close: () => engine.close(),
    async run<Input, Output>(
      step: Step<Input, Output>,
      input: Input,
      context: StepContext,
    ): Promise<StepResult<Output>> {
      const { runId, signal, onText } = context;
      await gate.pass(
        (hold) => hold.runId === runId && hold.at === 'asked' && hold.step === step.name,
        signal,
      );
      const result = await engine.run(step, input, context);
      const streamed = holds.find((hold) => hold.runId === runId && hold.at === 'streaming');
      if (streamed?.at === 'streaming' && onText !== undefined) {
        const text = streamed.words === 'other' ? 'In other words: ' : firstHalf(textOf(result.output));
        onText(text);
        await gate.pass((hold) => hold === streamed, signal);
      }
      return result;
    },
  };
}

/** The event log, which can stop an activity as soon as an event of it is on disk. */
export function holdEvents(events: EventLog, gate: Gate): EventLog {
  return {
    read: (...given) => events.read(...given),
    follow: (...given) => events.follow(...given),
    runs: () => events.runs(),
    clearRun: (...given) => events.clearRun(...given),
    async appendOnce(runId, key, event) {
      const number = await events.appendOnce(runId, key, event);
      await gate.pass((hold) => hold.runId === runId && hold.at === 'recorded' && hold.event === event.type);
      return number;
    },
  };
}

function textOf(output: unknown): string {
  if (typeof output === 'object' && output !== null && 'markdown' in output) return String(output.markdown);
  throw new Error('a step that streams must write Markdown');
}

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(new DOMException('aborted', 'AbortError'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
