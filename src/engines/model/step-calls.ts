import { z } from 'zod';
import type { StepContext } from '../engine';
import { inputTokens, type CallMeter } from './paid/call-meter';
import {
  SCHEMA_RUNGS,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  type SchemaRung,
} from './port/model-client';
import { ModelFailure } from './port/model-failure';
import { ANY_STEP, type ModelMemory } from './model-memory';
import { SHRINKING, type ModelWindows } from './model-windows';
import type { PaidCallContext, PaidCalls, PaidRequest } from './paid/paid-calls';
import type { SchemaLadder } from './schema-ladder';

/** What a model is asked within a step. */
export interface Question {
  messages: ModelMessage[];
  /** Null for an answer in Markdown. */
  schema: z.ZodType | null;
  /** That of the run where it is absent: what it has texts written with. */
  temperature?: number;
  maxOutputTokens: number;
}

/** The calls of one step: one model, one run, everything that they use counted together. */
export interface StepCalls {
  /** How often the step has been given up as a whole: from 1 on less is asked, and answers are not mended. */
  readonly turn: number;
  /** Asks on the rung that the endpoint is known to take, and goes down where it rejects the schema. Throws `ModelFailure`. */
  ask(question: Question, onText?: (text: string) => void): Promise<ModelResponse>;
  /** Whether the question fits the model's window, as a first one or as a repair turn. */
  fits(question: Question, kind: 'first' | 'repair'): boolean;
  /** Tells whether the answer kept the schema that it was asked for. */
  judge(response: ModelResponse, kept: boolean): void;
  /** What an earlier turn was answered to the same question, the latest first; null where there was none. */
  answeredBefore(question: Question): Promise<ModelResponse | null>;
  /** Whether so large a question is known to fail, and has not been answered all the same. */
  isTooLarge(question: Question): Promise<boolean>;
  /** The question failed for its size, and its parts did not: for want of room in this step, or of time in any. */
  wasTooLarge(question: Question, want: 'room' | 'time'): void;
  /** Whether answers of this step run on however little is asked. */
  runsOn(): boolean;
  learnRunsOn(runsOn: boolean): void;
}

export interface StepCallsSettings {
  paidCalls: PaidCalls;
  ladder: SchemaLadder;
  windows: ModelWindows;
  memory: Pick<ModelMemory, 'of' | 'learn'>;
  meter: CallMeter;
  model: string;
  /** The step's name, which names its schema on the wire. */
  step: string;
  context: StepContext;
}

export function createStepCalls(settings: StepCallsSettings): StepCalls {
  const { paidCalls, ladder, windows, memory, meter, model, step, context } = settings;
  const turn = context.turn ?? 0;

  /** The question as each rung has it, that to ask on first: what was paid for on another rung is as good. */
  const requestsOf = (question: Question): [PaidRequest, ...PaidRequest[]] => {
    const rung = question.schema === null ? null : ladder.rungFor(model);
    const others = rung === null ? [] : SCHEMA_RUNGS.filter((other) => other !== rung);
    return [
      { rung, request: requestOf(question, rung) },
      ...others.map((other) => ({ rung: other, request: requestOf(question, other) })),
    ];
  };
  const paidContext = (ofTurn: number): PaidCallContext => ({
    runId: context.runId,
    turn: ofTurn,
    revision: context.revision ?? 0,
    signal: context.signal,
    meter,
  });
  /** The lowest rung's prompt is the longest. */
  const largestOf = (question: Question): ModelRequest =>
    requestOf(question, question.schema === null ? null : 'prompt-only');

  const requestOf = (question: Question, rung: SchemaRung | null): ModelRequest => {
    const { messages, schema, temperature, maxOutputTokens } = question;
    const request = {
      model,
      messages,
      temperature: temperature ?? context.temperature ?? 0,
      maxOutputTokens: windows.outputTokens(model, maxOutputTokens),
    };
    if (schema === null) return request;
    const described = { name: step.replace(/[^A-Za-z0-9_-]/g, '_'), schema: wireSchema(schema) };
    return { ...request, messages: messagesOn(rung, messages, described.schema), schema: described };
  };

  return {
    turn,
    async ask(question, onText) {
      for (let tries = 1; ; tries += 1) {
        const requests = requestsOf(question);
        const [{ rung, request }] = requests;
        try {
          const listening = { ...paidContext(turn), ...(onText ? { onText } : {}) };
          const response = await paidCalls.ask(requests, listening);
          const size = inputTokens(largestOf(question));
          if (response.finishReason === 'stop' && size > memory.of(model).answered)
            memory.learn(model, { answered: size });
          return response;
        } catch (error) {
          if (!(error instanceof ModelFailure)) throw error;
          if (error.kind === 'context-length') windows.refused(request, error);
          if (rung === null) throw error;
          ladder.failed(model, rung, error);
          // A server that fails for the schema's sake is asked without it at once; any other failure is the caller's.
          const goesDown = SCHEMA_RUNGS.indexOf(ladder.rungFor(model)) > SCHEMA_RUNGS.indexOf(rung);
          if (!goesDown || tries >= SCHEMA_RUNGS.length) throw error;
        }
      }
    },
    fits(question, kind) {
      const request = largestOf(question);
      return kind === 'first' ? windows.fits(request) : windows.fitsRepair(request);
    },
    judge(response, kept) {
      if (response.rung === null) return;
      if (kept) ladder.worked(model, response.rung);
      else ladder.ignored(model, response.rung);
    },
    async answeredBefore(question) {
      for (let earlier = turn - 1; earlier >= 0; earlier -= 1) {
        const found = await paidCalls.find(requestsOf(question), paidContext(earlier));
        if (found !== null) return found;
      }
      return null;
    },
    async isTooLarge(question) {
      const { tooLarge } = memory.of(model);
      const limit = Math.min(tooLarge[step] ?? Infinity, tooLarge[ANY_STEP] ?? Infinity);
      if (inputTokens(largestOf(question)) < limit) return false;
      return (await paidCalls.find(requestsOf(question), paidContext(turn))) === null;
    },
    wasTooLarge(question, want) {
      const { tooLarge, answered } = memory.of(model);
      const size = inputTokens(largestOf(question));
      if (want === 'time' && size <= answered) return;
      const name = want === 'time' ? ANY_STEP : step;
      const limit = Math.min(tooLarge[name] ?? Infinity, SHRINKING * size);
      memory.learn(model, { tooLarge: { ...tooLarge, [name]: limit } });
    },
    runsOn: () => memory.of(model).runsOn.includes(step),
    learnRunsOn(runsOn) {
      const others = memory.of(model).runsOn.filter((name) => name !== step);
      memory.learn(model, { runsOn: runsOn ? [...others, step] : others });
    },
  };
}

/** Where the endpoint does not take the schema, the prompt has it. */
function messagesOn(
  rung: SchemaRung | null,
  messages: readonly ModelMessage[],
  schema: Record<string, unknown>,
): ModelMessage[] {
  if (rung === null || rung === 'json-schema') return [...messages];
  const rule = `Answer with one JSON object and nothing else: no words before or after it. It keeps to this JSON schema: ${JSON.stringify(schema)}`;
  // At the end of the question: what stands before it is as it would be on another rung, or of another step.
  const question = messages.findIndex(({ role }) => role === 'user');
  return messages.map((message, index) =>
    index === question ? { ...message, content: `${message.content}\n\n${rule}` } : message,
  );
}

/** The schema as endpoints take it: every property required, none besides, no word of the dialect. */
export function wireSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' });
  return rest;
}
