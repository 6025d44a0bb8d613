import { z } from 'zod';
import type { RunEventType } from '../../../src/contracts/run/event';
import type { Engine, StepContext, StepResult } from '../../../src/engines/engine';
import type { Step } from '../../../src/steps/step';
import type { ContentStore } from '../../../src/stores/content-store';
import type { EventLog } from '../../../src/stores/event-log';
import { afterAppend } from '../../support/after-append';
import { until } from '../../support/until';

/**
 * Where a run's activity is stopped in its work, once, until it is let go or its process dies:
 * - `asked`: the engine has been asked for a step, and has done nothing yet;
 * - `streaming`: half of a step's text is in the event log. The text is the one that the engine writes, or
 *   another one, as a model's would be that is asked again; of one section where that is named;
 * - `stored`: a text of the run is in the content store, and the activity does not know yet;
 * - `handed over`: the run has been given texts that were stored before it, and the activity does not know yet;
 * - `recorded`: an event of a type is in the log, and the activity has not told the server that it is done.
 */
export type Hold = {
  /** Whose log, or whose texts. */
  runId: string;
  /** The workflow whose activity it is, where that is another's. */
  workflowId?: string;
} & (
  | { at: 'stored' | 'handed over' }
  | { at: 'asked'; step: string }
  | { at: 'streaming'; words: 'its own' | 'other'; section?: string }
  | { at: 'recorded'; event: RunEventType }
);

export interface Gate {
  /** The hold that is for this place, if there is one; it is for nobody else then. */
  take(isHere: (hold: Hold) => boolean): Hold | undefined;
  /** Waits at the hold; rejects when `signal` aborts. */
  wait(hold: Hold, signal?: AbortSignal): Promise<void>;
  /** Lets go what is held now. */
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
    take(isHere) {
      const hold = [...free].find(isHere);
      if (hold !== undefined) free.delete(hold);
      return hold;
    },
    async wait(hold, signal) {
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
    async run<Input, Output>(
      step: Step<Input, Output>,
      input: Input,
      context: StepContext,
    ): Promise<StepResult<Output>> {
      const { runId, signal, onText } = context;
      const asked = gate.take(
        (hold) => hold.runId === runId && hold.at === 'asked' && hold.step === step.name,
      );
      if (asked !== undefined) await gate.wait(asked, signal);
      const result = await engine.run(step, input, context);
      if (onText === undefined) return result;
      const streamed = gate.take(
        (hold) =>
          hold.runId === runId &&
          hold.at === 'streaming' &&
          (hold.section === undefined || hold.section === sectionOf(input)),
      );
      if (streamed?.at === 'streaming') {
        const text = streamed.words === 'other' ? 'In other words: ' : firstHalf(textOf(result.output));
        onText(text);
        await until(
          () => events.read(runId),
          (log) => log.some((event) => event.type === 'content-chunk' && event.payload.text === text),
        );
        await gate.wait(streamed, signal);
      }
      return result;
    },
  };
}

/** The event log, which can stop an activity as soon as an event of it is on disk. */
export function holdEvents(events: EventLog, gate: Gate): EventLog {
  return afterAppend(events, async (runId, event) => {
    const recorded = gate.take(
      (hold) => hold.runId === runId && hold.at === 'recorded' && hold.event === event.type,
    );
    if (recorded !== undefined) await gate.wait(recorded);
  });
}

/** The content store, which can stop an activity as soon as a text of its run is on disk, or is the run's. */
export function holdContent(content: ContentStore, gate: Gate): ContentStore {
  const reached = async (runId: string, at: 'stored' | 'handed over'): Promise<void> => {
    const hold = gate.take((one) => one.runId === runId && one.at === at);
    if (hold !== undefined) await gate.wait(hold);
  };
  return {
    async store(runId, text) {
      const ref = await content.store(runId, text);
      await reached(runId, 'stored');
      return ref;
    },
    async storeBatch(runId, texts) {
      const refs = await content.storeBatch(runId, texts);
      await reached(runId, 'stored');
      return refs;
    },
    async hold(runId, refs) {
      const missing = await content.hold(runId, refs);
      await reached(runId, 'handed over');
      return missing;
    },
    retrieve: (...given) => content.retrieve(...given),
    retrieveBatch: (...given) => content.retrieveBatch(...given),
    has: (...given) => content.has(...given),
    statistics: () => content.statistics(),
    clearRun: (...given) => content.clearRun(...given),
  };
}

function sectionOf(input: unknown): string | null {
  const written = z.object({ section: z.object({ id: z.string() }) }).safeParse(input);
  return written.data?.section.id ?? null;
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
