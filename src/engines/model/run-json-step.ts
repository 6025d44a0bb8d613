import { StepFailedError } from '../step-failed-error';
import { type AnswerProblem, type Reading, warningsOf } from './answers/reading';
import type { AskedStep } from './asked-step';
import { askerInParts, type Depth, type InParts, type Troubles } from './ask-in-parts';
import type { ModelResponse } from './port/model-client';
import { ModelFailure } from './port/model-failure';
import { isWhole, mendedReading } from './mended-reading';
import { askedAnew } from './prompt-messages';
import { readAnswerOf } from './read-json-answer';
import { completeItems } from './json/salvage-items';
import type { Question } from './step-calls';

/** An endpoint that refuses so many parts refuses the whole. */
const MAX_REFUSALS = 16;

/**
 * Asks, and makes of the answer whatever is valid of it: one repair turn, then what is still invalid is left out. What does
 * not fit, is cut off, is refused or takes too long is asked again in smaller parts. A further turn takes what an earlier
 * one answered well; the rest it asks in smaller parts, or says what was wrong. Throws `StepFailedError` where nothing valid
 * comes of it, and what the calls throw.
 */
export async function runInParts<Input, Output>(
  asked: AskedStep<Input, Output>,
  input: Input,
): Promise<Output> {
  const { step, warn } = asked;
  const troubles: Troubles = { count: 0, dropped: 0, runsOn: false };
  const output =
    (await carryOut(asked, input, { parted: 0, cutOff: 0 }, troubles)) ??
    asked.answer.standIn?.(input) ??
    null;
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
  const { calls, warn } = asked;
  const inParts = askerInParts(asked, input, { depth, troubles, carryOut });
  let question = questionOf(asked, input);
  let response = await calls.answeredBefore(question);
  if (response !== null && isWhole(response)) {
    const before = await mendedReading(asked, input, { question, response }, 'answeredBefore');
    if (before.output !== null) return taken(asked, input, before);
    const smaller = await inParts('unusable');
    if (smaller !== null) return smaller.output;
    question = { ...question, messages: askedAnew(question.messages, before.problems) };
    response = null;
  }
  if (response === null) {
    if (!calls.fits(question, 'first')) {
      const smaller = await inParts('too-long');
      if (smaller !== null) return smaller.output;
    }
    try {
      response = await calls.ask(question);
    } catch (error) {
      if (error instanceof ModelFailure && (error.kind === 'context-length' || error.isTooSlow)) {
        const smaller = await inParts('too-long');
        if (smaller !== null) return smaller.output;
      }
      if (error instanceof ModelFailure && error.kind === 'content-filter')
        return afterRefusal(inParts, troubles, error);
      throw error;
    }
  }
  if (response.finishReason === 'content-filter') {
    const message = 'The endpoint’s content filter stopped the answer.';
    return afterRefusal(inParts, troubles, new ModelFailure('content-filter', message, { retryable: false }));
  }
  if (response.finishReason === 'length') {
    const salvaged = readAnswerOf(asked, input, response);
    // A model that repeats itself does so over less as well; where nothing is whole another turn asks for less.
    const repeats = response.interrupted === 'repetition';
    const smaller = repeats ? null : await restOf(asked, input, { response, salvaged, inParts });
    if (smaller !== null) return smaller.output;
    const message = repeats
      ? 'A model repeated itself and was stopped; what was whole of its answer is used.'
      : 'An answer was cut off; what was whole of it is used.';
    warn({ code: repeats ? 'answer-repeats' : 'answer-cut-off', message });
    return taken(asked, input, salvaged);
  }
  return taken(asked, input, await mendedReading(asked, input, { question, response }, 'ask'));
}

function questionOf<Input, Output>({ answer, prompt }: AskedStep<Input, Output>, input: Input): Question {
  return {
    messages: prompt(input),
    schema: answer.schema,
    ...(answer.temperature === undefined ? {} : { temperature: answer.temperature }),
    maxOutputTokens: answer.maxOutputTokens(input),
  };
}

/** The output of a reading, or what stands in for it, with what is to be told of it. Throws where there is none. */
function taken<Input, Output>(
  { step, answer, warn }: AskedStep<Input, Output>,
  input: Input,
  reading: Reading<Output>,
): Output {
  warn(...reading.warnings, ...warningsOf(reading.problems));
  const output = reading.output ?? answer.standIn?.(input) ?? null;
  if (output === null) throw new StepFailedError(step.name, withoutContent(reading.problems));
  return output;
}

/** What an answer lacks that was cut off: asked for by itself where that can be told, else the whole in parts. */
async function restOf<Input, Output>(
  { answer }: AskedStep<Input, Output>,
  input: Input,
  cut: { response: ModelResponse; salvaged: Reading<Output>; inParts: InParts<Output> },
): Promise<{ output: Output | null } | null> {
  const { output } = cut.salvaged;
  const left = output === null ? null : answer.whatIsLeft?.(input, completeItems(cut.response.text));
  return output === null || !left ? cut.inParts('cut-off') : cut.inParts('cut-off', { output, left });
}

/** A refused input is asked in parts, to find what is refused; null where it is all of it. */
async function afterRefusal<Output>(
  inParts: InParts<Output>,
  troubles: Troubles,
  failure: ModelFailure,
): Promise<Output | null> {
  if (troubles.count >= MAX_REFUSALS) throw failure;
  troubles.count += 1;
  const parts = await inParts('refused');
  if (parts === null) troubles.dropped += 1;
  return parts?.output ?? null;
}

/** Problems as a failure may tell of them: nothing of what the model wrote. */
function withoutContent(problems: readonly AnswerProblem[]): { path: string; message: string }[] {
  return problems.map(({ path, code }) => ({ path, message: code }));
}
