import { READ_BY_WORDS } from '../../contracts/pipeline';
import type { Warning } from '../../contracts/run';
import type { Step } from '../../steps/step';
import {
  type Engine,
  type EngineModule,
  type StepContext,
  StepFailedError,
  type StepResult,
} from '../engine';
import type { ThreadPool } from '../thread-pool';

export const extractiveModule: EngineModule = {
  create: async (_settings, { threads }) => createExtractiveEngine({ threads }),
};

const NO_USAGE = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** The first step of a report, an answer and a brief that chooses sentences. */
const ENCODER_WARNING_STEPS: ReadonlySet<string> = new Set(['outline', 'answer', 'plan-brief']);

function readByWordsWarning(lack: string): Warning {
  return {
    code: READ_BY_WORDS,
    message: `Sentences were chosen by their words, not by what they mean: ${lack}.`,
  };
}

/** Selects and attributes sentences word for word, without model, key and network. Deterministic on every machine. */
export function createExtractiveEngine({ threads }: { threads: ThreadPool }): Engine {
  return {
    name: 'extractive',
    async run<Input, Output>(
      step: Step<Input, Output>,
      input: Input,
      context: StepContext,
    ): Promise<StepResult<Output>> {
      const parsed = step.input.parse(input);
      const raw = await threads.run('extractive-step', { step: step.name, input: parsed }, context.signal);
      const output = step.output.parse(raw);
      const problems = step.check(parsed, output);
      if (problems.length > 0) throw new StepFailedError(step.name, problems);
      const lack = ENCODER_WARNING_STEPS.has(step.name)
        ? await threads.run('encoder-lack', undefined, context.signal)
        : null;
      return {
        output,
        usage: NO_USAGE,
        warnings: [],
        ofRun: lack === null ? [] : [readByWordsWarning(lack)],
      };
    },
    close: () => threads.close(),
  };
}
