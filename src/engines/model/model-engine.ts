import { priceOf, subtractUsage } from '../../contracts/budget';
import type { EngineName, Warning } from '../../contracts/run';
import type { PriceTable } from '../../contracts/run-input';
import type { Step, StepRole, StepTemplate } from '../../steps/step';
import type { ResponseCache } from '../../stores/stores';
import {
  type Engine,
  type FailureAdvice,
  type ModelCall,
  noteFailure,
  type StepContext,
  type StepResult,
} from '../engine';
import { createPromptRenderer, withEarlierProblems } from './model-step';
import { type CachedCalls, createCachedCalls } from './paid-calls';
import { type ModelClient, ModelFailure, type OutputMode } from './port';
import { endpointWithoutSecrets, type RateLimiter } from './rate-limiter';
import { runJsonStep } from './run-json-step';
import { stepAnswerOf } from './step-answers';
import { createRefusedSources, createStepCalls, type StepCalls, stepFailureReason } from './step-calls';
import { textStepOf } from './text-steps';
import { createCallMeter, createModelWindows } from './token-windows';

export interface ModelEngineSettings {
  name: EngineName;
  client: Pick<ModelClient, 'ask'>;
  /** Part of the cache key: responses of one endpoint are not reused for another. */
  baseUrl: string;
  models: Readonly<Record<StepRole, string>>;
  cache: Pick<ResponseCache, 'get' | 'put' | 'acquireLease' | 'releaseLease'>;
  cacheTtlMs: number;
  /** Shared by all engines of a process with the same endpoint. */
  pace: RateLimiter;
  prices: PriceTable;
  /** Context window by model, in tokens. Default 128,000. */
  contextTokens: Readonly<Record<string, number>>;
  /** Derives the marks around untrusted text. Secret, and equal in all processes that share responses. */
  promptSecret: string;
  templates?: Readonly<Partial<Record<string, StepTemplate>>>;
  /** Time in milliseconds after which others repeat a dead process's call. Default 15,000. */
  leaseMs?: number;
}

/**
 * Checks answers against the sources, repairs them once and drops the rest with a warning. `run` throws `ModelFailure`,
 * `StepFailedError`, `TemplateError` or the signal's reason; the failure notes have the usage until then.
 */
export function createModelEngine(settings: ModelEngineSettings): Engine {
  const { name, models, prices, promptSecret, templates = {} } = settings;
  const endpoint = endpointWithoutSecrets(settings.baseUrl);
  const { host } = new URL(endpoint);
  const { cache, cacheTtlMs: ttlMs } = settings;
  const rungs = new Map<string, OutputMode>();
  const refusedSources = createRefusedSources();
  const windows = createModelWindows(settings.contextTokens);
  const paidCalls = createCachedCalls({
    client: settings.client,
    cache,
    pace: settings.pace,
    prices,
    endpoint,
    ttlMs,
    isUseless: (request, response) => windows.isCut(request, response),
    ...(settings.leaseMs === undefined ? {} : { leaseMs: settings.leaseMs }),
  });

  return {
    name,
    async run<Input, Output>(
      step: Step<Input, Output>,
      input: Input,
      context: StepContext,
    ): Promise<StepResult<Output>> {
      const parsed = step.input.parse(input);
      const model = (context.models ?? models)[step.role];
      const meter = createCallMeter();
      const warnings: Warning[] = [];
      const ofRun: Warning[] = [];
      const calls = createStepCalls({
        paidCalls: context.onCall === undefined ? paidCalls : reportCalls(paidCalls, context.onCall),
        rungs,
        windows,
        meter,
        model,
        step: step.name,
        context,
        warnOfRun: (warning) => void ofRun.push(warning),
      });
      const template = context.template ?? templates[step.name] ?? step.template;
      const prompt = createPromptRenderer(step, template, promptSecret);
      // A text is not split into parts, and the same prompt would return the same text.
      const unusable = calls.turn > 0 ? textStepOf(step.name)?.unusable : undefined;
      const run = {
        step,
        calls,
        prompt: unusable === undefined ? prompt : (of: Input) => withEarlierProblems(prompt(of), [unusable]),
      };
      const refused = refusedSources.of(context.runId);
      const warn = (...told: Warning[]): void => void warnings.push(...told);
      try {
        const output = await runStep({ ...run, warn, refused }, parsed, context.onText);
        const usage = meter.usage();
        const isUnpriced = usage.inputTokens > 0 && priceOf(prices, model) === null;
        if (isUnpriced) ofRun.push(unknownPriceWarning(model));
        return {
          output: step.output.parse(output),
          usage,
          warnings: distinct(warnings),
          ofRun: distinct(ofRun),
        };
      } catch (error) {
        const why = stepFailureReason(error);
        noteFailure(error, {
          spent: meter.usage(),
          advice: failureAdvice(error, `${model} at ${host}`),
          ...(why === null ? {} : { failed: { step: step.name, model, ...why } }),
        });
        throw error;
      }
    },
    close: () => Promise.resolve(),
  };
}

function failureAdvice(error: unknown, askedOf: string): FailureAdvice | null {
  if (!(error instanceof ModelFailure)) return null;
  const { kind, retryable, retryAfterMs, says } = error;
  return { kind, retryable, retryAfterMs, says, askedOf };
}

async function runStep<Input, Output>(
  run: {
    step: Step<Input, Output>;
    calls: StepCalls;
    prompt: ReturnType<typeof createPromptRenderer<Input, Output>>;
    warn: (...warnings: Warning[]) => void;
    refused: Set<string>;
  },
  input: Input,
  onText: ((text: string) => void) | undefined,
): Promise<Output> {
  const answer = stepAnswerOf<Input, Output>(run.step, input);
  if (answer !== undefined) return runJsonStep({ ...run, answer }, input);
  const text = textStepOf<Input, Output>(run.step.name);
  if (text === undefined) throw new UnknownStepError(run.step.name);
  return text.run(run, input, onText ?? ((): void => undefined));
}

function unknownPriceWarning(model: string): Warning {
  return {
    code: 'price-unknown',
    message: `The price of model ${model} is not configured, so its calls count as costing nothing.`,
  };
}

function distinct(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code}: ${warning.message}`, warning])).values()];
}

class UnknownStepError extends Error {
  override readonly name = 'UnknownStepError';

  constructor(step: string) {
    super(`The openai engine has no step "${step}".`);
  }
}

/** The calls of a step run one after another, so the meter's difference is one call's usage. */
function reportCalls(calls: CachedCalls, tell: (call: ModelCall) => void): CachedCalls {
  return {
    async ask(requests, context) {
      const [{ request }] = requests;
      const { model, messages, temperature, maxOutputTokens } = request;
      const before = context.meter.usage();
      const startedAt = Date.now();
      const end = (ended: Pick<ModelCall, 'answer' | 'failure'>): void =>
        tell({
          model,
          messages,
          temperature,
          maxOutputTokens,
          startedAt,
          endedAt: Date.now(),
          usage: subtractUsage(context.meter.usage(), before),
          ...ended,
        });
      try {
        const response = await calls.ask(requests, context);
        end({ answer: { text: response.text, finishReason: response.finishReason }, failure: null });
        return response;
      } catch (error) {
        end({ answer: null, failure: error instanceof ModelFailure ? error.kind : 'given-up' });
        throw error;
      }
    },
    find: (requests, context) => calls.find(requests, context),
  };
}
