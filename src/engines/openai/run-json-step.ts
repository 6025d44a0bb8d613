import type { Warning } from '../../core/contracts/run';
import type { Step } from '../../steps/step';
import { StepFailedError } from '../step-failed-error';
import { AllowanceSpentError } from './allowance-spent-error';
import { betterReading, type Reading, unreadable, warningsOf } from './answers/reading';
import type { SmallerReason, StepAnswer } from './answers/step-answer';
import { createEchoes } from './echoes';
import { AnswerNotJsonError, jsonFromAnswer } from './json-answer';
import type { ModelMessage, ModelResponse } from './model-client';
import { ModelFailure } from './model-failure';
import { type PromptOf, repairMessages } from './prompt-messages';
import { completeItems } from './salvage-items';
import type { StepCalls } from './step-calls';
import { withoutThinking } from './thinking';

/** A step with all that is needed to carry it out. */
export interface AskedStep<Input, Output> {
  step: Step<Input, Output>;
  answer: StepAnswer<Input, Output>;
  prompt: PromptOf<Input>;
  calls: StepCalls;
  /** Takes what is to be told of the step besides its output. */
  warn: (...warnings: Warning[]) => void;
}

/** An input is halved so often at most: 128 parts. */
const MAX_DEPTH = 7;
/**
 * A model that is cut off on a quarter of the input as well runs on whatever it is given. From then on what is whole of its
 * answers has to do, or one step would be asked for in a hundred parts.
 */
const MAX_CUT_OFF_DEPTH = 2;
/** An endpoint that refuses so many parts refuses the whole. */
const MAX_REFUSALS = 16;

const REPAIR_REQUEST =
  'Answer again in full, in the same form, with these problems mended. Keep what was right as it was. Leave out what you cannot support from the material.';

/** How often an input was halved before it came to this part, and how often because an answer was cut off. */
interface Depth {
  parted: number;
  cutOff: number;
}

/** What went wrong within a step: calls that the endpoint's content filter refused, and parts that were dropped for it. */
interface Troubles {
  count: number;
  dropped: number;
  /** Whether less to answer has been found to make the answers no shorter. */
  runsOn: boolean;
}

/**
 * Asks, and makes of the answer whatever is valid of it: one repair turn, then what is still invalid is left out. What
 * does not fit, is cut off or is refused is asked again in smaller parts. Throws `StepFailedError` where nothing valid
 * comes of it, and what the calls throw.
 */
export async function runInParts<Input, Output>(
  asked: AskedStep<Input, Output>,
  input: Input,
): Promise<Output> {
  const { step, warn } = asked;
  const troubles: Troubles = { count: 0, dropped: 0, runsOn: false };
  const output = await carryOut(asked, input, { parted: 0, cutOff: 0 }, troubles);
  if (output === null) {
    throw new StepFailedError(step.name, [
      { path: 'answer', message: 'the endpoint refused the material, or there was no budget left to ask' },
    ]);
  }
  if (troubles.dropped > 0) {
    warn({
      code: 'source-refused',
      message: `The endpoint's content filter refused a part of the material of step ${step.name}; it was left out.`,
    });
  }
  return output;
}

/** Null where the endpoint refuses all of the input, or the budget has nothing left for it. */
async function carryOut<Input, Output>(
  asked: AskedStep<Input, Output>,
  input: Input,
  depth: Depth,
  troubles: Troubles,
): Promise<Output | null> {
  const { answer, prompt, calls, warn } = asked;
  const inParts = async (reason: SmallerReason): Promise<{ output: Output | null } | null> => {
    if (reason === 'cut-off' && depth.cutOff >= MAX_CUT_OFF_DEPTH) troubles.runsOn = true;
    const isDeep = depth.parted >= MAX_DEPTH || (reason === 'cut-off' && troubles.runsOn);
    const inputs = isDeep ? [] : answer.smaller(input, reason);
    if (inputs.length === 0) return null;
    const parts: { input: Input; output: Output }[] = [];
    // One after the other, so that what one teaches about the endpoint helps the next.
    const deeper = { parted: depth.parted + 1, cutOff: depth.cutOff + (reason === 'cut-off' ? 1 : 0) };
    let failure: StepFailedError | null = null;
    for (const part of inputs) {
      try {
        const output = await carryOut(asked, part, deeper, troubles);
        if (output !== null) parts.push({ input: part, output });
      } catch (error) {
        // What was wrong with it has been told; the other parts stand without it.
        if (!(error instanceof StepFailedError)) throw error;
        failure ??= error;
      }
    }
    // Where the others have nothing to say the failure is what came of the step.
    const saysNothing = parts.every(({ output }) => answer.isEmpty?.(output) === true);
    if (saysNothing && failure !== null) throw failure;
    return { output: parts.length === 0 ? null : answer.merge(input, parts) };
  };

  const messages = prompt(input);
  const question = {
    messages,
    schema: answer.schema,
    temperature: answer.temperature,
    maxOutputTokens: answer.maxOutputTokens(input),
  };
  if (!calls.fits(question, 'first')) {
    const smaller = await inParts('too-long');
    if (smaller !== null) return smaller.output;
  }
  let response: ModelResponse;
  try {
    response = await calls.ask(question);
  } catch (error) {
    if (error instanceof AllowanceSpentError && depth.parted > 0) {
      warn({ code: 'budget', message: 'A part of a step was left out, because its budget is spent.' });
      return null;
    }
    if (error instanceof ModelFailure && error.kind === 'context-length') {
      const smaller = await inParts('too-long');
      if (smaller !== null) return smaller.output;
    }
    if (error instanceof ModelFailure && error.kind === 'content-filter')
      return afterRefusal(inParts, troubles, error);
    throw error;
  }
  if (response.finishReason === 'content-filter') {
    const message = 'The endpoint’s content filter stopped the answer.';
    return afterRefusal(inParts, troubles, new ModelFailure('content-filter', message, { retryable: false }));
  }
  if (response.finishReason === 'length') {
    const smaller = await inParts('cut-off');
    if (smaller !== null) return smaller.output;
    warn({ code: 'answer-cut-off', message: 'An answer was cut off; what was whole of it is used.' });
  }
  const first = read(asked, input, { messages, response });
  const reading =
    first.problems.length === 0 || response.finishReason === 'length'
      ? first
      : await repaired(asked, input, { messages, response, reading: first });
  warn(...reading.warnings, ...warningsOf(reading.problems));
  if (reading.output === null) throw new StepFailedError(asked.step.name, withoutContent(reading));
  return reading.output;
}

/** A refused input is asked in parts, to find what is refused; null where it is all of it. */
async function afterRefusal<Output>(
  inParts: (reason: SmallerReason) => Promise<{ output: Output | null } | null>,
  troubles: Troubles,
  failure: ModelFailure,
): Promise<Output | null> {
  if (troubles.count >= MAX_REFUSALS) throw failure;
  troubles.count += 1;
  const parts = await inParts('refused');
  if (parts === null) troubles.dropped += 1;
  return parts?.output ?? null;
}

/** One more turn with the diagnostics; the better of both readings. */
async function repaired<Input, Output>(
  asked: AskedStep<Input, Output>,
  input: Input,
  first: { messages: ModelMessage[]; response: ModelResponse; reading: Reading<Output> },
): Promise<Reading<Output>> {
  const { answer, calls } = asked;
  const question = {
    messages: repairMessages(first.messages, first.response.text, first.reading.problems, REPAIR_REQUEST),
    schema: answer.schema,
    temperature: answer.temperature,
    maxOutputTokens: answer.maxOutputTokens(input),
  };
  if (!calls.fits(question, 'repair')) return first.reading;
  const response = await repairTurn(() => calls.ask(question));
  if (response === null) return first.reading;
  const usable = response.finishReason === 'stop' || response.finishReason === 'other';
  return usable
    ? betterReading(first.reading, read(asked, input, { messages: first.messages, response }))
    : first.reading;
}

/**
 * What a repair turn gives, or null where it cannot be had: then the first answer has to do. What may succeed later is
 * thrown, so that the step is tried again and a passing failure does not change a report.
 */
export async function repairTurn(ask: () => Promise<ModelResponse>): Promise<ModelResponse | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AllowanceSpentError) return null;
    if (error instanceof ModelFailure && !error.retryable) return null;
    throw error;
  }
}

/** What an answer comes to, the step's own check included. */
function read<Input, Output>(
  { step, answer, calls }: AskedStep<Input, Output>,
  input: Input,
  { messages, response }: { messages: readonly ModelMessage[]; response: ModelResponse },
): Reading<Output> {
  const complete = response.finishReason !== 'length';
  let value: unknown;
  if (answer.schema === null) value = withoutThinking(response.text);
  else {
    try {
      value = complete ? jsonFromAnswer(response.text, response.finishReason) : completeItems(response.text);
    } catch (error) {
      if (!(error instanceof AnswerNotJsonError)) throw error;
      calls.judge(response, false);
      return unreadable('it is not JSON; answer with one JSON object and nothing else', 'answer-not-json');
    }
    if (complete) calls.judge(response, answer.schema.safeParse(value).success);
  }
  const reading = answer.toOutput(input, value, createEchoes(messages));
  if (reading.output === null) return reading;
  const broken = [
    ...(step.output.safeParse(reading.output).error?.issues ?? []).map((issue) => ({
      path: issue.path.join('.'),
      message: issue.message,
    })),
    ...step.check(input, reading.output),
  ];
  if (broken.length === 0) return reading;
  const problems = broken.map((problem) => ({
    ...problem,
    code: 'answer-invalid',
    warning: 'A model’s answer broke its step’s contract.',
  }));
  return { ...reading, output: null, problems: [...reading.problems, ...problems] };
}

/** Problems as a failure may tell of them: nothing of what the model wrote. */
function withoutContent<Output>({ problems }: Reading<Output>): { path: string; message: string }[] {
  return problems.map(({ path, code }) => ({ path, message: code }));
}
