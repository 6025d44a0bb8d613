import { NO_USAGE } from '../../src/contracts/budget';
import { engineNames } from '../../src/contracts/pipeline';
import type { EngineName, Usage, Warning } from '../../src/contracts/run';
import type { Engine, StepContext, StepResult } from '../../src/engines/engine';
import type { Step } from '../../src/steps/step';

/** What the engine is asked, and what it answers; a thrown error fails the step. */
export type StepScript = (input: never, context: StepContext) => unknown;

export interface StepCall {
  step: string;
  input: unknown;
}

/** Stops calls of a step until they are let go. */
export interface Hold {
  /** Resolves when a call of the step has come. */
  reached: Promise<void>;
  release(): void;
}

export interface ScriptedEngine extends Engine {
  readonly calls: StepCall[];
  /** Holds calls of the step, those whose input has `text` in it; a held call ends early where its activity is cancelled. */
  hold(step: string, text?: string): Hold;
  /** Makes the step's next call fail with `error`. */
  failOnce(step: string, error: Error): void;
}

/**
 * An engine that answers from a script, keeps the contract that real engines keep (outputs pass schema and check), and
 * throws for a step that the script does not have.
 */
export function createScriptedEngine(
  script: Record<string, StepScript>,
  given: {
    name?: EngineName;
    usage?: Usage;
    warnings?: Warning[];
    /** What a step fails with now. */
    failing?: (step: string) => Error | null;
  } = {},
): ScriptedEngine {
  const calls: StepCall[] = [];
  const holds = new Map<string, { text: string; reach: () => void; released: Promise<void> }>();
  const failures = new Map<string, Error>();
  return {
    name: given.name ?? 'extractive',
    calls,
    hold(step, text = '') {
      let release = (): void => undefined;
      let reach = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const reached = new Promise<void>((resolve) => (reach = resolve));
      holds.set(step, { text, reach, released });
      return {
        reached,
        release: () => {
          holds.delete(step);
          release();
        },
      };
    },
    failOnce: (step, error) => void failures.set(step, error),
    async run<Input, Output>(
      step: Step<Input, Output>,
      input: Input,
      context: StepContext,
    ): Promise<StepResult<Output>> {
      calls.push({ step: step.name, input });
      const answer = script[step.name];
      if (answer === undefined) throw new Error(`The script has no answer for step ${step.name}.`);
      const held = holds.get(step.name);
      if (held !== undefined && JSON.stringify(input).includes(held.text)) {
        held.reach();
        await Promise.race([held.released, rejectedOnAbort(context.signal)]);
      }
      const failure = failures.get(step.name) ?? given.failing?.(step.name);
      failures.delete(step.name);
      if (failure) throw failure;
      const parsed = step.input.parse(input);
      const output = step.output.parse(await answer(parsed as never, context));
      const problems = step.check(parsed, output);
      if (problems.length > 0) throw new Error(`The script breaks ${step.name}: ${JSON.stringify(problems)}`);
      return { output, usage: given.usage ?? NO_USAGE, warnings: given.warnings ?? [] };
    },
    close: () => Promise.resolve(),
  };
}

function rejectedOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')), { once: true });
  });
}

/** Engines of all names that do as the script does which is `current` when they are asked: one worker serves many tests. */
export function enginesThatFollow(current: () => Pick<ScriptedEngine, 'run'>): Record<EngineName, Engine> {
  const engine = (name: EngineName): Engine => ({
    name,
    run: (step, input, context) => current().run(step, input, context),
    close: () => Promise.resolve(),
  });
  return Object.fromEntries(engineNames.map((name) => [name, engine(name)])) as Record<EngineName, Engine>;
}
