import { z } from 'zod';
import { WINDOW_SHARE } from '../../contracts/budget';
import type { FallbackReason, Warning } from '../../contracts/run';
import { type FailedStep, refusedSentence, type RefusedSource } from '../../contracts/run-status';
import { isRecord } from '../../lib/json';
import { groupedDigits } from '../../lib/strings';
import type { Step } from '../../steps/step';
import { type StepContext, StepFailedError } from '../engine';
import { type AnswerFormat, type AnswerProblem, halves, type PromptRenderer } from './model-step';
import type { CachedCallContext, CachedCalls, CachedRequest } from './paid-calls';
import {
  ModelFailure,
  type ModelFailureKind,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  OUTPUT_MODES,
  type OutputMode,
  withoutThinking,
} from './port';
import type { CallMeter, CutPrompt, ModelWindows } from './token-windows';

export interface ModelQuestion {
  messages: ModelMessage[];
  /** Null for an answer in Markdown. */
  schema: z.ZodType | null;
  /** Default: the run's temperature. */
  temperature?: number;
  maxOutputTokens: number;
}

export interface StepResponse extends ModelResponse {
  /** True if the server cut the prompt silently, so that the model answered without part of it. */
  promptIsCut?: true;
}

export interface StepCalls {
  /** Earlier failed turns. From 1 on, the step asks for less and repairs no answers. */
  readonly turn: number;
  /** Falls back to a lower output mode if the endpoint rejects the schema. Throws `ModelFailure`. */
  ask(question: ModelQuestion, onText?: (text: string) => void): Promise<StepResponse>;
  fits(question: ModelQuestion, kind: 'first' | 'repair'): boolean;
  /** 0 if a first question fits. */
  excessChars(question: ModelQuestion): number;
  /** The latest earlier turn's answer to the same question, or null. */
  answeredBefore(question: ModelQuestion): Promise<ModelResponse | null>;
}

export interface StepCallsSettings {
  paidCalls: CachedCalls;
  /** Best supported output mode by model; absent for the top one. Shared by all calls of an engine. */
  rungs: Map<string, OutputMode>;
  windows: ModelWindows;
  meter: CallMeter;
  model: string;
  /** Also the name of the schema in the request. */
  step: string;
  context: StepContext;
  warnOfRun: (warning: Warning) => void;
}

export function createStepCalls(settings: StepCallsSettings): StepCalls {
  const { paidCalls, rungs, windows, meter, model, step, context, warnOfRun } = settings;
  const turn = context.turn ?? 0;

  /** A cached response in another output mode is as good. */
  const requestsOf = (
    question: ModelQuestion,
    first = rungs.get(model) ?? OUTPUT_MODES[0],
  ): [CachedRequest, ...CachedRequest[]] => {
    const rung = question.schema === null ? null : first;
    const others = rung === null ? [] : OUTPUT_MODES.filter((other) => other !== rung);
    return [
      { rung, request: requestOf(question, rung) },
      ...others.map((other) => ({ rung: other, request: requestOf(question, other) })),
    ];
  };
  const paidContext = (ofTurn: number): CachedCallContext => ({
    runId: context.runId,
    turn: ofTurn,
    revision: context.revision ?? 0,
    signal: context.signal,
    meter,
  });
  /** The lowest mode has the longest prompt. */
  const largestOf = (question: ModelQuestion): ModelRequest =>
    requestOf(question, question.schema === null ? null : 'prompt-only');

  const requestOf = (question: ModelQuestion, rung: OutputMode | null): ModelRequest => {
    const { messages, schema, temperature, maxOutputTokens } = question;
    const request = {
      model,
      messages,
      temperature: temperature ?? context.temperature ?? 0,
      maxOutputTokens: windows.outputTokens(model, maxOutputTokens),
    };
    if (schema === null) return request;
    const described = { name: step.replace(/[^A-Za-z0-9_-]/g, '_'), schema: endpointSchema(schema) };
    return { ...request, messages: messagesForMode(rung, messages, described.schema), schema: described };
  };

  const warnOfCut = (): void => {
    const cut = windows.cutOf(model);
    if (cut !== null) warnOfRun(promptCutWarning(model, cut));
  };

  return {
    turn,
    async ask(question, onText) {
      const listening = { ...paidContext(turn), ...(onText ? { onText } : {}) };
      let lower: OutputMode | undefined;
      for (;;) {
        const requests = requestsOf(question, lower);
        const [{ rung, request }] = requests;
        try {
          const response = await paidCalls.ask(requests, listening);
          // The request failed in a higher mode and succeeded here, so the schema was the cause.
          if (lower !== undefined) rungs.set(model, lower);
          windows.noteRead(request, response);
          if (!windows.isCut(request, response)) return response;
          warnOfCut();
          return { ...response, promptIsCut: true };
        } catch (error) {
          if (!(error instanceof ModelFailure)) throw error;
          if (error.kind === 'context-length') windows.refused(request, error);
          lower = rung !== null && isPossibleSchemaError(error) ? lowerOutputMode(rung) : undefined;
          if (lower === undefined) throw error;
        }
      }
    },
    fits(question, kind) {
      const request = largestOf(question);
      const doesFit = kind === 'first' ? windows.fits(request) : windows.fitsRepair(request);
      // An earlier run may have detected the cut.
      if (!doesFit) warnOfCut();
      return doesFit;
    },
    excessChars: (question) => windows.excessChars(largestOf(question)),
    async answeredBefore(question) {
      for (let earlier = turn - 1; earlier >= 0; earlier -= 1) {
        const found = await paidCalls.find(requestsOf(question), paidContext(earlier));
        if (found !== null) return found;
      }
      return null;
    },
  };
}

export const PARTLY_READ_WARNING: Warning = {
  code: 'prompt-partly-read',
  message: 'A prompt could not be made smaller; its answer rests on the part that the model read.',
};

function promptCutWarning(model: string, { read, sent }: CutPrompt): Warning {
  const about = Math.round(sent / 1_000) * 1_000;
  return {
    code: 'prompt-cut',
    message:
      `${model} read only ${groupedDigits(read)} of about ${groupedDigits(about)} tokens of a prompt; its server cut the rest without saying so. ` +
      `Colligate asks in smaller parts from here on. Set the server's context (Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx of the model) to ${groupedDigits(windowFor(sent))} or more.`,
  };
}

function windowFor(sent: number): number {
  return 2 ** Math.ceil(Math.log2(sent / WINDOW_SHARE));
}

function lowerOutputMode(rung: OutputMode): OutputMode | undefined {
  return OUTPUT_MODES[OUTPUT_MODES.indexOf(rung) + 1];
}

/** Some endpoints answer an unsupported schema with status 500. */
function isPossibleSchemaError({ kind, status }: ModelFailure): boolean {
  return kind === 'schema-rejected' || (kind === 'server-error' && (status === 500 || status === 501));
}

function messagesForMode(
  rung: OutputMode | null,
  messages: readonly ModelMessage[],
  schema: Record<string, unknown>,
): ModelMessage[] {
  if (rung === null || rung === 'json-schema') return [...messages];
  const rule = `Answer with one JSON object and nothing else: no words before or after it. It keeps to this JSON schema: ${JSON.stringify(schema)}`;
  // At the end of the question, so that other modes and steps share the prompt's prefix.
  const question = messages.findIndex(({ role }) => role === 'user');
  return messages.map((message, index) =>
    index === question ? { ...message, content: `${message.content}\n\n${rule}` } : message,
  );
}

/** The schema as endpoints accept it: all properties required, no additional ones, no `$schema`. */
export function endpointSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' });
  return rest;
}

export interface StepRun<Input, Output> {
  step: Step<Input, Output>;
  answer: AnswerFormat<Input, Output>;
  prompt: PromptRenderer<Input>;
  calls: StepCalls;
  warn: (...warnings: Warning[]) => void;
  /** Ids of sources that the content filter rejects. Steps add the ones that they find. */
  refused: Set<string>;
}

type UnusableReason = Pick<FailedStep, 'reason' | 'lacks'>;

const REASON_BY_PROBLEM: Readonly<Record<string, FallbackReason>> = {
  'answer-not-json': 'not-json',
  'answer-incomplete': 'off-schema',
  'answer-invalid': 'off-schema',
  'item-invalid': 'off-schema',
};

/** Returns null for a complete answer without problems. */
export function unusableReason(
  response: ModelResponse,
  problems: readonly AnswerProblem[],
): UnusableReason | null {
  const isCutOff = response.finishReason === 'length';
  if (withoutThinking(response.text).trim() === '') return { reason: isCutOff ? 'thinking' : 'empty' };
  if (response.interrupted === 'repetition') return { reason: 'repeated' };
  if (isCutOff) return { reason: 'cut-off' };
  const [first] = problems;
  if (first === undefined) return null;
  // The message is this program's own and names a list of the schema.
  const lacks = /^the answer has no list "(\w+)"$/.exec(first.message)?.[1];
  return {
    reason: REASON_BY_PROBLEM[first.code] ?? 'unsupported',
    ...(lacks === undefined ? {} : { lacks }),
  };
}

const REASON_BY_FAILURE: Partial<Record<ModelFailureKind, FallbackReason>> = {
  'content-filter': 'filtered',
  'context-length': 'too-long',
  timeout: 'too-slow',
  'malformed-response': 'unreadable',
  'schema-rejected': 'refused',
  'bad-request': 'refused',
};

/** Returns null if the endpoint is unavailable. */
export function stepFailureReason(error: unknown): Pick<FailedStep, 'reason' | 'lacks' | 'sources'> | null {
  if (error instanceof StepFailedError) return error.why;
  const reason = error instanceof ModelFailure ? REASON_BY_FAILURE[error.kind] : undefined;
  return reason === undefined ? null : { reason };
}

/** Runs whose rejected sources a process remembers. */
const REMEMBERED_RUNS = 100;
const MAX_REFUSALS = 16;

export function createRefusedSources(): { of: (runId: string) => Set<string> } {
  const byRun = new Map<string, Set<string>>();
  return {
    of(runId) {
      const known = byRun.get(runId) ?? new Set<string>();
      byRun.delete(runId);
      byRun.set(runId, known);
      const [oldest] = byRun.keys();
      if (byRun.size > REMEMBERED_RUNS && oldest !== undefined) byRun.delete(oldest);
      return known;
    },
  };
}

export function sourcesIn(input: unknown): RefusedSource[] {
  const list: unknown = isRecord(input) ? input['sources'] : undefined;
  return (Array.isArray(list) ? list : []).flatMap((source: unknown): RefusedSource[] => {
    if (!isRecord(source)) return [];
    const { sourceId, title } = source;
    return typeof sourceId === 'string' && typeof title === 'string' ? [{ id: sourceId, title }] : [];
  });
}

export function refusedWarning(step: string, sources: readonly RefusedSource[]): Warning {
  const message =
    sources.length === 0
      ? `The endpoint’s content filter refused a part of the material of step ${step}. It is left out.`
      : refusedSentence(sources);
  return {
    code: 'source-refused',
    message,
    fallback: { step, reason: 'filtered', sourceIds: sources.map(({ id }) => id) },
  };
}

/** Halves the items; `isRefused` sends some of them. Null if none, all or too many are rejected: not the cause. */
export async function findRefused<Item>(
  items: readonly Item[],
  isRefused: (some: readonly Item[]) => Promise<boolean>,
): Promise<Item[] | null> {
  let refusals = 0;
  const among = async (some: readonly Item[]): Promise<Item[]> => {
    refusals += 1;
    const parts = refusals > MAX_REFUSALS ? null : halves(some);
    if (parts === null) return some.length === 1 ? [...some] : [];
    const found: Item[] = [];
    for (const part of parts) if (await isRefused(part)) found.push(...(await among(part)));
    return found;
  };
  const found = await among(items);
  const isOfItems = found.length > 0 && (found.length < items.length || items.length === 1);
  return isOfItems && refusals <= MAX_REFUSALS ? found : null;
}
