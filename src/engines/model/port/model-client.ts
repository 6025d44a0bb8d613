import type { CallTurn } from './call-turns';

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelRequest {
  model: string;
  messages: ModelMessage[];
  temperature: number;
  maxOutputTokens: number;
  /** The answer's JSON schema and a name for it; absent for an answer in Markdown. */
  schema?: { name: string; schema: Record<string, unknown> };
}

/** How the endpoint is told of the schema, the best first: enforced by it, JSON without a schema, or by the prompt alone. */
export const SCHEMA_RUNGS = ['json-schema', 'json-object', 'prompt-only'] as const;
export type SchemaRung = (typeof SCHEMA_RUNGS)[number];

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'other';

/** Why an answer ends before the model ended it: its time was over, nothing came any more, or it said the same over and over. */
export const INTERRUPTIONS = ['time', 'silence', 'connection', 'repetition'] as const;
export type Interruption = (typeof INTERRUPTIONS)[number];

/** What came back, complete: this is what the response cache keeps (JSON), before any parsing of the answer's text. */
export interface ModelResponse {
  /** The content as sent, `<think>` included; without what came beside it as `reasoning_content`. */
  text: string;
  finishReason: FinishReason;
  /** Only of an answer that was cut off here, whose `finishReason` is `length` then. */
  interrupted?: Interruption;
  /** Null where the endpoint sent none. */
  usage: { inputTokens: number; outputTokens: number } | null;
  /** Null where no schema was asked for. */
  rung: SchemaRung | null;
}

export interface AskOptions {
  signal: AbortSignal;
  /** The call's turn among those of this process; absent for a call outside of it. */
  turn?: CallTurn;
  /** Gets the answer's visible text in parts, without thinking. What it throws ends the call and passes untouched. */
  onText?: (text: string) => void;
}

export interface ModelClient {
  /**
   * One request on one rung, streamed where the endpoint can. An answer that repeats itself is stopped, and ends before it
   * does. Throws ModelFailure; cancellation passes untouched (the signal's reason).
   */
  ask(request: ModelRequest, rung: SchemaRung | null, options: AskOptions): Promise<ModelResponse>;
  /** The names of the endpoint's models, in its order. Throws as `ask` does. */
  listModels(signal: AbortSignal): Promise<string[]>;
}
