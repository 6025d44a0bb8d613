import type { RunEstimate } from '../contracts/run/estimate';
import type { ModelChoice, ModelChoices } from '../contracts/run/run-input';
import { estimateTokens, WINDOW_SHARE } from '../core/budget/call-estimates';
import { modelOfPass, type ModelRole } from '../core/budget/model-of-pass';
import { costUsd } from '../core/budget/prices';
import type { StepTemplate } from '../steps/template';

/** Characters to a token, as endpoints count English text. */
const CHARS_A_TOKEN = 4;
/** An answer takes this much of a window at most (`model-windows.ts`). */
const ANSWER_SHARE = 0.25;
/** A step is halved so often at most (`run-json-step.ts`). */
const MOST_HALVINGS = 7;

/** Calls of one step that are alike; sizes in characters. */
export interface ExpectedCall {
  role: ModelRole;
  pass: number;
  /** How often it is made; a fraction where it is not always made. */
  times: number;
  /** What is divided between parts where it does not fit into the window; given the number of parts, that of all of them together. */
  material: number | ((parts: number) => number);
  /** What every part has: the template and the question. */
  fixed: number;
  output: number;
  /** The longest answer, in tokens. */
  limit: number;
  /** True for the call that writes the text. */
  writes?: boolean;
}

/** What a template asks, without its variables. */
export function templateChars({ system, user }: StepTemplate): number {
  return system.length + user.length;
}

/** The sum of these calls, with the prices of the models that make them. Null where there is none. */
export function estimateOf(calls: readonly ExpectedCall[], models: ModelChoices): RunEstimate | null {
  const made = calls
    .filter(({ times }) => times > 0)
    .map((call) => madeOf(call, modelOfPass(models, call.role, call.pass)));
  const writing = made.filter(({ writes }) => writes);
  if (writing.length === 0) return null;
  const sum = (of: (one: MadeCalls) => number): number => made.reduce((all, one) => all + of(one), 0);
  const isKnown = made.every(({ model }) => model.price !== null);
  const smallest = writing.reduce((one, other) => (other.each < one.each ? other : one));
  const byTokens = [...made].sort((one, other) => other.inputTokens - one.inputTokens);
  return {
    calls: Math.round(sum((one) => one.calls) * 10) / 10,
    inputTokens: Math.round(sum((one) => one.inputTokens)),
    outputTokens: Math.round(sum((one) => one.outputTokens)),
    costUsd: isKnown ? toMicro(sum((one) => costUsd(one.model.price, one))) : null,
    smallestCall: {
      tokens: Math.round(smallest.each),
      costUsd:
        smallest.model.price === null
          ? null
          : toMicro(costUsd(smallest.model.price, smallest) / smallest.calls),
    },
    models: [...new Set(byTokens.map(({ model }) => model.name))],
  };
}

/** Millionths of a dollar. */
function toMicro(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

interface MadeCalls {
  model: ModelChoice;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Input and output of one call. */
  each: number;
  writes: boolean;
}

/** The calls as they are made: in halves where the prompt does not fit, and once more for what is cut off. */
function madeOf(
  { times, material, fixed, output, limit, writes = false }: ExpectedCall,
  model: ModelChoice,
): MadeCalls {
  const { contextTokens } = model;
  const materialOf = (parts: number): number => (typeof material === 'number' ? material : material(parts));
  const room = Math.max(1, Math.min(limit, Math.floor(contextTokens * ANSWER_SHARE)));
  const fits = (parts: number): boolean => {
    const tokens = estimateTokens(materialOf(parts) / parts + fixed);
    return tokens <= contextTokens * WINDOW_SHARE && tokens + room <= contextTokens;
  };
  let parts = 1;
  for (let halved = 0; halved < MOST_HALVINGS && !fits(parts); halved += 1) parts *= 2;
  const outputTokens = output / CHARS_A_TOKEN;
  const turns = Math.max(1, Math.ceil(outputTokens / parts / room));
  const calls = times * parts * turns;
  const inputTokens = (times * turns * (materialOf(parts) + fixed * parts)) / CHARS_A_TOKEN;
  return {
    model,
    calls,
    inputTokens,
    outputTokens: times * outputTokens,
    each: (inputTokens + times * outputTokens) / calls,
    writes,
  };
}
