import type { RefusedSource } from '../../contracts/run-status';
import { distinctBy } from '../../lib/iterables';
import { isRecord } from '../../lib/json';
import { StepFailedError } from '../engine';
import { completeItems, parseAnswer, readResponse, readValue } from './json-answer';
import {
  type AnswerProblem,
  betterResult,
  fieldOf,
  type ParseResult,
  repairMessages,
  type SplitReason,
  warningsOf,
  withEarlierProblems,
} from './model-step';
import { ModelFailure, type ModelResponse } from './port';
import {
  type ModelQuestion,
  PARTLY_READ_WARNING,
  refusedWarning,
  sourcesIn,
  type StepRun,
  unusableReason,
} from './step-calls';

const LEAVE_OUT = 'Leave out what you cannot support from the material.';

const REPAIR_REQUEST = `Answer again in full, in the same form, with these problems mended. Keep what was right as it was. ${LEAVE_OUT}`;

const REPAIR_ITEMS = `Answer in the same form with these items alone, mended, and with none that was right: those stand as they are. ${LEAVE_OUT}`;

/** Limit on halving an input: 128 parts. */
const MAX_DEPTH = 7;

/** A model that is cut off on a quarter of the input is cut off on any input; splitting would cost about 100 calls. */
const MAX_CUT_OFF_DEPTH = 2;

/** An endpoint that rejects so many parts rejects everything. */
const MAX_REFUSALS = 16;

/**
 * Repairs once, drops what is still invalid, and splits input that is too long, cut off, rejected or too slow. Later
 * turns reuse good answers. Throws `StepFailedError` if nothing is valid, and the calls' errors.
 */
export async function runJsonStep<Input, Output>(
  asked: StepRun<Input, Output>,
  whole: Input,
): Promise<Output> {
  const { step, warn, refused } = asked;
  const known = sourcesIn(whole).filter(({ id }) => refused.has(id));
  const input = (known.length === 0 ? undefined : asked.answer.withoutSources?.(whole, refused)) ?? whole;
  if (input !== whole) warn(refusedWarning(step.name, known));
  const troubles: RefusalLog = { count: 0, dropped: [], runsOn: false };
  const output =
    (await carryOut(asked, input, { parted: 0, cutOff: 0 }, troubles)) ??
    asked.answer.standIn?.(input) ??
    null;
  const { sources, hasOther } = findRefusedSources(troubles.dropped, sourcesIn(input));
  if (output === null) {
    const problem = { path: 'answer', message: 'the endpoint refused the material' };
    throw new StepFailedError(step.name, [problem], { reason: 'filtered', sources });
  }
  for (const { id } of sources) refused.add(id);
  if (sources.length > 0) warn(refusedWarning(step.name, sources));
  if (hasOther) warn(refusedWarning(step.name, []));
  return output;
}

/** `hasOther` is true if the endpoint also rejected something that is no single source. */
function findRefusedSources(
  parts: readonly RefusedSource[][],
  given: readonly RefusedSource[],
): { sources: RefusedSource[]; hasOther: boolean } {
  const sources = distinctBy(
    parts.flatMap((part) => (part.length === 1 ? part : [])),
    ({ id }) => id,
  );
  // If every source is rejected, the sources are not the cause.
  const isForSources = sources.length < given.length || given.length === 1;
  const hasOther = parts.some(({ length }) => length !== 1) || (sources.length > 0 && !isForSources);
  return { sources: isForSources ? sources : [], hasOther };
}

/** Returns null if the endpoint rejects all of the input. */
async function carryOut<Input, Output>(
  asked: StepRun<Input, Output>,
  input: Input,
  depth: SplitDepth,
  troubles: RefusalLog,
): Promise<Output | null> {
  const { calls, warn } = asked;
  const inParts = createPartRunner(asked, input, { depth, troubles, carryOut });
  let question = questionOf(asked, input);
  let response = await calls.answeredBefore(question);
  if (response !== null && isComplete(response)) {
    const before = await readWithRepair(asked, input, { question, response }, 'answeredBefore');
    if (before.output !== null) return finalizeOutput(asked, input, before, response);
    const smaller = await inParts('unusable');
    if (smaller !== null) return smaller.output;
    question = { ...question, messages: withEarlierProblems(question.messages, before.problems) };
    response = null;
  }
  if (response === null) {
    if (!calls.fits(question, 'first')) {
      const smaller = await inParts('too-long');
      if (smaller !== null) return smaller.output;
    }
    let isPromptCut: boolean;
    try {
      const answered = await calls.ask(question);
      isPromptCut = answered.promptIsCut === true;
      response = answered;
    } catch (error) {
      if (error instanceof ModelFailure && (error.kind === 'context-length' || error.isTooSlow)) {
        const smaller = await inParts('too-long');
        if (smaller !== null) return smaller.output;
      }
      if (error instanceof ModelFailure && error.kind === 'content-filter')
        return splitRefusedInput(input, { inParts, troubles }, error);
      throw error;
    }
    const smaller = isPromptCut ? await inParts('too-long') : null;
    if (smaller !== null) return smaller.output;
    if (isPromptCut) warn(PARTLY_READ_WARNING);
  }
  if (response.finishReason === 'content-filter') {
    const message = 'The endpoint’s content filter stopped the answer.';
    return splitRefusedInput(
      input,
      { inParts, troubles },
      new ModelFailure('content-filter', message, { retryable: false }),
    );
  }
  if (response.finishReason === 'length') {
    const salvaged = readResponse(asked, input, response);
    // A model also repeats itself on a smaller input.
    const repeats = response.interrupted === 'repetition';
    const smaller = repeats ? null : await askForRest(asked, input, { response, salvaged, inParts });
    if (smaller !== null) return smaller.output;
    const output = finalizeOutput(asked, input, salvaged, response);
    const message = repeats
      ? 'A model repeated itself and was stopped; what was whole of its answer is used.'
      : 'An answer was cut off; what was whole of it is used.';
    const reason = repeats ? ('repeated' as const) : ('cut-off' as const);
    const fallback = { step: asked.step.name, reason, sourceIds: [] };
    warn({ code: repeats ? 'answer-repeats' : 'answer-cut-off', message, fallback });
    return output;
  }
  return finalizeOutput(
    asked,
    input,
    await readWithRepair(asked, input, { question, response }, 'ask'),
    response,
  );
}

function questionOf<Input, Output>({ answer, prompt }: StepRun<Input, Output>, input: Input): ModelQuestion {
  return {
    messages: prompt(input),
    schema: answer.schema,
    ...(answer.temperature === undefined ? {} : { temperature: answer.temperature }),
    maxOutputTokens: answer.maxOutputTokens(input),
  };
}

function finalizeOutput<Input, Output>(
  { step, answer, warn }: StepRun<Input, Output>,
  input: Input,
  reading: ParseResult<Output>,
  response: ModelResponse,
): Output {
  warn(...reading.warnings, ...warningsOf(reading.problems));
  const output = reading.output ?? answer.standIn?.(input) ?? null;
  if (output === null) {
    const why = unusableReason(response, reading.problems) ?? { reason: 'off-schema' };
    throw new StepFailedError(step.name, redactProblems(reading.problems), why);
  }
  return output;
}

async function askForRest<Input, Output>(
  { answer }: StepRun<Input, Output>,
  input: Input,
  cut: { response: ModelResponse; salvaged: ParseResult<Output>; inParts: RunParts<Output> },
): Promise<{ output: Output | null } | null> {
  const { output } = cut.salvaged;
  const left = output === null ? null : answer.whatIsLeft?.(input, completeItems(cut.response.text));
  return output === null || !left ? cut.inParts('cut-off') : cut.inParts('cut-off', { output, left });
}

async function splitRefusedInput<Output>(
  input: unknown,
  { inParts, troubles }: { inParts: RunParts<Output>; troubles: RefusalLog },
  failure: ModelFailure,
): Promise<Output | null> {
  if (troubles.count >= MAX_REFUSALS) throw failure;
  troubles.count += 1;
  const parts = await inParts('refused');
  if (parts === null) troubles.dropped.push(sourcesIn(input));
  return parts?.output ?? null;
}

function redactProblems(problems: readonly AnswerProblem[]): { path: string; message: string }[] {
  return problems.map(({ path, code }) => ({ path, message: code }));
}

interface SplitDepth {
  parted: number;
  cutOff: number;
}

interface RefusalLog {
  count: number;
  dropped: RefusedSource[][];
  /** True if smaller inputs do not shorten the answers. */
  runsOn: boolean;
}

type CarryOut<Input, Output> = (
  asked: StepRun<Input, Output>,
  input: Input,
  depth: SplitDepth,
  troubles: RefusalLog,
) => Promise<Output | null>;

/** `output` is null if no part has one; the result is null if the input cannot be split further. */
type RunParts<Output> = (
  reason: SplitReason,
  salvaged?: { output: Output; left: unknown },
) => Promise<{ output: Output | null } | null>;

function createPartRunner<Input, Output>(
  asked: StepRun<Input, Output>,
  input: Input,
  {
    depth,
    troubles,
    carryOut,
  }: { depth: SplitDepth; troubles: RefusalLog; carryOut: CarryOut<Input, Output> },
): RunParts<Output> {
  const { answer, calls } = asked;
  return async (reason, salvaged) => {
    if (reason === 'cut-off' && depth.cutOff >= MAX_CUT_OFF_DEPTH) troubles.runsOn = true;
    const isSecondTry = calls.turn > 0 && depth.parted > 0;
    const isDeep = depth.parted >= MAX_DEPTH || (reason === 'cut-off' && (troubles.runsOn || isSecondTry));
    if (isDeep) return null;
    // `left` comes from `whatIsLeft` for this input.
    const inputs = salvaged === undefined ? answer.smaller(input, reason) : [salvaged.left as Input];
    if (inputs.length === 0) return null;
    const parts: { input: Input; output: Output }[] = [];
    if (salvaged !== undefined) parts.push({ input, output: salvaged.output });
    // In sequence, so that later parts use what earlier ones revealed about the endpoint.
    const deeper = { parted: depth.parted + 1, cutOff: depth.cutOff + (reason === 'cut-off' ? 1 : 0) };
    let failure: StepFailedError | null = null;
    for (const part of inputs) {
      try {
        const output = await carryOut(asked, part, deeper, troubles);
        if (output !== null) parts.push({ input: part, output });
      } catch (error) {
        // Its problems are already reported; the other parts are valid without it.
        if (!(error instanceof StepFailedError)) throw error;
        failure ??= error;
      }
    }
    // If the other parts are empty, the step fails with this error.
    const saysNothing = parts.every(({ output }) => answer.isEmpty?.(output) === true);
    if (saysNothing && failure !== null) throw failure;
    return { output: parts.length === 0 ? null : answer.merge(input, parts) };
  };
}

/** Returns the better of the answer and its repair. With `answeredBefore`, only an earlier turn's repair counts. */
async function readWithRepair<Input, Output>(
  asked: StepRun<Input, Output>,
  input: Input,
  { question, response }: { question: ModelQuestion; response: ModelResponse },
  by: 'ask' | 'answeredBefore',
): Promise<ParseResult<Output>> {
  const { answer, calls } = asked;
  const read = parseAnswer(asked, response);
  const first = 'unread' in read ? read.unread : readValue(asked, input, read.value);
  // A repair would cost more than the smaller question of a second try.
  if (first.problems.length === 0 || (by === 'ask' && calls.turn > 0)) return first;
  const items =
    'unread' in read || answer.lists === undefined
      ? null
      : faultyItems(read.value, answer.lists, first.problems);
  // The repair turn repeats the whole material.
  if (answer.dropsFaulty === true && items?.areFew === true) return first;
  const messages =
    items === null
      ? repairMessages(question.messages, response.text, first.problems, REPAIR_REQUEST)
      : repairMessages(
          question.messages,
          items.shown === null ? response.text : JSON.stringify(items.shown),
          items.problems,
          REPAIR_ITEMS,
        );
  const again = { ...question, messages };
  if (!calls.fits(again, 'repair')) return first;
  const mended = by === 'ask' ? await tryRepair(() => calls.ask(again)) : await calls.answeredBefore(again);
  if (mended === null || !isComplete(mended)) return first;
  const second = parseAnswer(asked, mended);
  if ('unread' in second) return betterResult(first, second.unread);
  const whole = items === null ? second.value : items.merge(second.value);
  return betterResult(first, readValue(asked, input, whole));
}

function isComplete({ finishReason }: ModelResponse): boolean {
  return finishReason === 'stop' || finishReason === 'other';
}

/** Repaired alone, so that valid items are not written again. */
interface FaultyItems {
  /** The answer with the faulty items alone; null if the answer only lacks items. */
  shown: Record<string, unknown[]> | null;
  /** The problems, with paths within `shown`. */
  problems: AnswerProblem[];
  areFew: boolean;
  merge(mended: unknown): unknown;
}

interface AnswerList {
  name: string;
  items: readonly unknown[];
  faulty: readonly number[];
  lacks: boolean;
}

/** Returns null if a problem concerns something other than items of `lists`, or if no valid item remains. */
function faultyItems(
  answer: unknown,
  lists: readonly string[],
  problems: readonly AnswerProblem[],
): FaultyItems | null {
  const places = problems.map(({ path }) => parseItemPath(path, lists));
  const read = lists.map((name): AnswerList => {
    const own = places.filter((place) => place?.list === name);
    const indices = own.flatMap((place) => (place?.index === undefined ? [] : [place.index]));
    return {
      name,
      items: listItems(answer, name, name === lists[0]),
      faulty: [...new Set(indices)].sort((a, b) => a - b),
      lacks: own.some((place) => place?.index === undefined),
    };
  });
  const isElsewhere = places.some((place) => place === null);
  const nothingStands = read.every(({ items, faulty }) => items.length === faulty.length);
  const isUnread = read.some(({ items, lacks }) => lacks && items.length === 0);
  if (isElsewhere || nothingStands || isUnread) return null;
  const byName = new Map(read.map((list) => [list.name, list]));
  const all = read.reduce((sum, { items }) => sum + items.length, 0);
  const wrong = read.reduce((sum, { faulty }) => sum + faulty.length, 0);
  const someAreFaulty = wrong > 0;
  return {
    shown: someAreFaulty
      ? Object.fromEntries(read.map(({ name, items, faulty }) => [name, faulty.map((at) => items[at])]))
      : null,
    problems: problems.map((problem, at) => {
      const place = places[at];
      const shownAt = byName.get(place?.list ?? '')?.faulty.indexOf(place?.index ?? -1) ?? -1;
      if (!someAreFaulty || place === null || place === undefined || shownAt < 0) return problem;
      return { ...problem, path: `${place.list}.${shownAt}${place.rest}` };
    }),
    areFew: wrong * 2 <= all && read.every(({ lacks }) => !lacks),
    merge: (mended) => ({
      ...(isRecord(answer) ? answer : {}),
      ...Object.fromEntries(
        read.map((list) => [
          list.name,
          mergeRepaired(list, listItems(mended, list.name, list.name === lists[0])),
        ]),
      ),
    }),
  };
}

/** `findings.18.evidence.0` is item 18 of `findings`; `findings` alone is the list. */
function parseItemPath(
  path: string,
  lists: readonly string[],
): { list: string; index?: number; rest: string } | null {
  const [name = '', at, ...rest] = path.split('.');
  if (!lists.includes(name)) return null;
  if (at === undefined) return { list: name, rest: '' };
  const index = Number(at);
  if (!Number.isInteger(index)) return null;
  return { list: name, index, rest: rest.map((part) => `.${part}`).join('') };
}

/** A bare list stands for the first list. */
function listItems(answer: unknown, name: string, isFirst: boolean): unknown[] {
  const value: unknown = Array.isArray(answer) && isFirst ? answer : fieldOf(answer, name);
  return Array.isArray(value) ? [...(value as unknown[])] : [];
}

/** A model that returns as many items as before has rewritten the whole list. */
function mergeRepaired({ items, faulty, lacks }: AnswerList, mended: readonly unknown[]): unknown[] {
  if (!lacks && faulty.length > 0 && mended.length >= items.length) return [...mended];
  const left = items.filter((_item, at) => !faulty.includes(at));
  const known = new Set(left.map((item) => JSON.stringify(item)));
  return [...left, ...mended.filter((item) => !known.has(JSON.stringify(item)))];
}

/** Null if the repair fails for good. Throws failures that may pass, so that the step is retried. */
async function tryRepair(ask: () => Promise<ModelResponse>): Promise<ModelResponse | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ModelFailure && !error.retryable) return null;
    throw error;
  }
}
