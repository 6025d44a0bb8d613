import { z } from 'zod';
import type { StepContext } from '../engine';
import { inputTokens, type CallMeter } from './call-meter';
import {
  SCHEMA_RUNGS,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  type SchemaRung,
} from './model-client';
import { ModelFailure } from './model-failure';
import type { ModelWindows } from './model-windows';
import type { PaidCalls, PaidRequest } from './paid-calls';
import type { SchemaLadder } from './schema-ladder';
import { AllowanceSpentError } from './allowance-spent-error';

/** What a model is asked within a step. */
export interface Question {
  messages: ModelMessage[];
  /** Null for an answer in Markdown. */
  schema: z.ZodType | null;
  temperature: number;
  maxOutputTokens: number;
}

/** The calls of one step: one model, one run, everything that they use counted together. */
export interface StepCalls {
  /** Asks on the rung that the endpoint is known to take, and goes down where it rejects the schema. Throws `ModelFailure`. */
  ask(question: Question, onText?: (text: string) => void): Promise<ModelResponse>;
  /** Whether the question fits the model's window, as a first one or as a repair turn. */
  fits(question: Question, kind: 'first' | 'repair'): boolean;
  /** Tells whether the answer kept the schema that it was asked for. */
  judge(response: ModelResponse, kept: boolean): void;
}

export interface StepCallsSettings {
  paidCalls: PaidCalls;
  ladder: SchemaLadder;
  windows: ModelWindows;
  meter: CallMeter;
  model: string;
  /** The step's name, which names its schema on the wire. */
  step: string;
  context: StepContext;
}

export function createStepCalls(settings: StepCallsSettings): StepCalls {
  const { paidCalls, ladder, windows, meter, model, step, context } = settings;
  let asked = 0;

  const requestOf = (question: Question, rung: SchemaRung | null): ModelRequest => {
    const { messages, schema, temperature, maxOutputTokens } = question;
    const request = {
      model,
      messages,
      temperature,
      maxOutputTokens: windows.outputTokens(model, maxOutputTokens),
    };
    if (schema === null) return request;
    const described = { name: step.replace(/[^A-Za-z0-9_-]/g, '_'), schema: wireSchema(schema) };
    return { ...request, messages: messagesOn(rung, messages, described.schema), schema: described };
  };
  const assertAllowed = (request: ModelRequest): void => {
    const { inputTokens: input, outputTokens: output } = meter.usage();
    const next = input + output + inputTokens(request) + request.maxOutputTokens;
    if (asked > 0 && context.maxTokens !== undefined && next > context.maxTokens)
      throw new AllowanceSpentError(step);
  };

  return {
    async ask(question, onText) {
      for (let tries = 1; ; tries += 1) {
        const rung = question.schema === null ? null : ladder.rungFor(model);
        const first: PaidRequest = { rung, request: requestOf(question, rung) };
        // What was paid for on another rung is as good: the ladder may have stood elsewhere then.
        const others =
          rung === null
            ? []
            : SCHEMA_RUNGS.filter((other) => other !== rung).map((other) => ({
                rung: other,
                request: requestOf(question, other),
              }));
        assertAllowed(first.request);
        asked += 1;
        try {
          return await paidCalls.ask([first, ...others], {
            runId: context.runId,
            turn: context.turn ?? 0,
            revision: context.revision ?? 0,
            signal: context.signal,
            meter,
            ...(onText ? { onText } : {}),
          });
        } catch (error) {
          if (!(error instanceof ModelFailure)) throw error;
          if (error.kind === 'context-length') windows.refused(first.request, error);
          if (rung === null) throw error;
          ladder.failed(model, rung, error);
          // A server that fails for the schema's sake is asked without it at once; any other failure is the caller's.
          const goesDown = SCHEMA_RUNGS.indexOf(ladder.rungFor(model)) > SCHEMA_RUNGS.indexOf(rung);
          if (!goesDown || tries >= SCHEMA_RUNGS.length) throw error;
        }
      }
    },
    fits(question, kind) {
      // The lowest rung's prompt is the longest.
      const request = requestOf(question, question.schema === null ? null : 'prompt-only');
      return kind === 'first' ? windows.fits(request) : windows.fitsRepair(request);
    },
    judge(response, kept) {
      if (response.rung === null) return;
      if (kept) ladder.worked(model, response.rung);
      else ladder.ignored(model, response.rung);
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
