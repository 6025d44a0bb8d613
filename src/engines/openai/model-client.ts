import type { Secret } from '../../secret';

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

/** How the endpoint is told of the schema: enforced by it, JSON without a schema, or by the prompt alone. */
export type SchemaRung = 'json-schema' | 'json-object' | 'prompt-only';

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'other';

/** What came back, complete: this is what the response cache keeps (JSON), before any parsing of the answer's text. */
export interface ModelResponse {
  /** The content as sent, `<think>` included; without what came beside it as `reasoning_content`. */
  text: string;
  finishReason: FinishReason;
  /** Null where the endpoint sent none. */
  usage: { inputTokens: number; outputTokens: number } | null;
  /** Null where no schema was asked for. */
  rung: SchemaRung | null;
}

export interface AskOptions {
  signal: AbortSignal;
  /** Makes the answer a stream. Gets its visible text in parts, without thinking. What it throws ends the call and passes untouched. */
  onText?: (text: string) => void;
}

export interface ModelClient {
  /**
   * One request on one rung, streamed where `onText` is given. Throws ModelFailure; cancellation passes untouched (the
   * signal's reason).
   */
  ask(request: ModelRequest, rung: SchemaRung | null, options: AskOptions): Promise<ModelResponse>;
  /** The names of the endpoint's models, in its order. Throws as `ask` does. */
  listModels(signal: AbortSignal): Promise<string[]>;
}

export interface ModelClientSettings {
  /** With or without a slash at its end, with or without `/v1`. */
  baseUrl: string;
  apiKey: Secret | null;
  /** The longest that a call may take, up to the last byte of its answer. */
  timeoutMs: number;
  /** The longest that a stream may send nothing at all, from its headers on. */
  inactivityMs: number;
}

export function createModelClient(_settings: ModelClientSettings): ModelClient {
  throw new Error('to come');
}
