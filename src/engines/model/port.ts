export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelRequest {
  model: string;
  messages: ModelMessage[];
  temperature: number;
  maxOutputTokens: number;
  /** Absent for an answer in Markdown. */
  schema?: { name: string; schema: Record<string, unknown> };
}

/** Best first: the endpoint enforces the schema, JSON without a schema, or the prompt alone. */
export const OUTPUT_MODES = ['json-schema', 'json-object', 'prompt-only'] as const;
export type OutputMode = (typeof OUTPUT_MODES)[number];

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'other';

/** Why an answer was cut off before the model ended it. */
export const INTERRUPTIONS = ['time', 'silence', 'connection', 'repetition'] as const;
export type Interruption = (typeof INTERRUPTIONS)[number];

/** As stored in the cache (JSON), before any parsing of its text. */
export interface ModelResponse {
  /** The content as sent, `<think>` included, without `reasoning_content`. */
  text: string;
  finishReason: FinishReason;
  /** Set only if this process cut the answer off; `finishReason` is then `length`. */
  interrupted?: Interruption;
  /** Null if the endpoint reports none. */
  usage: { inputTokens: number; outputTokens: number } | null;
  /** Null without a schema. */
  rung: OutputMode | null;
}

export interface AskOptions {
  signal: AbortSignal;
  /** The call's slot in the rate limiter; absent for a call outside of it. */
  turn?: CallSlot;
  /** Receives the visible text in parts, without thinking. Its errors end the call and pass unchanged. */
  onText?: (text: string) => void;
}

export interface ModelClient {
  /** Streams where possible and stops an answer that repeats itself. Throws `ModelFailure` or the signal's reason. */
  ask(request: ModelRequest, rung: OutputMode | null, options: AskOptions): Promise<ModelResponse>;
  /** In the endpoint's order. Throws as `ask` does. */
  listModels(signal: AbortSignal): Promise<string[]>;
}

export type ModelFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'rate-limited'
  | 'overloaded'
  | 'server-error'
  | 'quota-exceeded'
  | 'wrong-key'
  | 'unknown-model'
  | 'context-length'
  | 'content-filter'
  | 'schema-rejected'
  | 'bad-request'
  | 'malformed-response';

const RETRYABLE: readonly ModelFailureKind[] = [
  'unreachable',
  'timeout',
  'rate-limited',
  'overloaded',
  'server-error',
  'malformed-response',
];

export function isRetryable(kind: ModelFailureKind): boolean {
  return RETRYABLE.includes(kind);
}

/** A model call without an answer. The message contains no key, prompt or answer. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: ModelFailureKind;
  readonly retryable: boolean;
  /** At most 7 days, because quotas reset within a week. Null if the endpoint does not say. */
  readonly retryAfterMs: number | null;
  readonly status: number | null;
  /** The endpoint's own words, safe to show; empty if it gives none. */
  readonly says: string;
  /** In tokens; null if the endpoint does not say. */
  readonly contextWindow: number | null;
  /** The partial answer; null if no answer was running. */
  readonly interrupted: { by: Interruption; text: string } | null;

  constructor(
    kind: ModelFailureKind,
    message: string,
    details: {
      retryable?: boolean;
      retryAfterMs?: number | null;
      status?: number | null;
      says?: string;
      contextWindow?: number | null;
      interrupted?: { by: Interruption; text: string } | null;
    } = {},
  ) {
    super(message);
    this.kind = kind;
    this.retryable = details.retryable ?? isRetryable(kind);
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.status = details.status ?? null;
    this.says = details.says ?? '';
    this.contextWindow = details.contextWindow ?? null;
    this.interrupted = details.interrupted ?? null;
  }

  /** True if the request used up its attempts and is too large for the time limit. A smaller one may succeed. */
  get isTooSlow(): boolean {
    return this.kind === 'timeout' && !this.retryable;
  }

  after(by: Interruption, text: string): ModelFailure {
    const { retryable, retryAfterMs, status, says, contextWindow } = this;
    const details = { retryable, retryAfterMs, status, says, contextWindow, interrupted: { by, text } };
    return new ModelFailure(this.kind, this.message, details);
  }
}

/** Times are those of `performance.now()`. */
export interface CallSlot {
  /** Start of the time limits. Before it, the server was busy with other calls of this process. */
  readonly since: number;
  /** Call on the model's first word. */
  begun(): void;
  /** Call when the answer is complete; its processing does not occupy the server. */
  answered(): void;
}

export interface CallScheduler {
  /** Runs `call` when it has a slot. Throws the call's error, `ModelFailure` or the signal's reason. */
  run<T>(call: (turn: CallSlot) => Promise<T>, signal: AbortSignal, model: string): Promise<T>;
}

const THINKING_TAGS = [
  'think',
  'thinking',
  'thought',
  'reasoning',
  'reasoning_scratchpad',
  'reflection',
  'seed:think',
];

const THINKING_MARKS: readonly { opening: string; closing: string }[] = [
  ...THINKING_TAGS.map((name) => ({
    opening: `<${name}>`,
    closing: `</${name}>`,
  })),
  { opening: '[think]', closing: '[/think]' },
  { opening: '◁think▷', closing: '◁/think▷' },
  { opening: '<|begin_of_thought|>', closing: '<|end_of_thought|>' },
  { opening: '<unused94>thought', closing: '<unused95>' },
  { opening: '<|channel>thought', closing: '<channel|>' },
  { opening: '<|start_thinking|>', closing: '<|end_thinking|>' },
  { opening: '<|start_response|>', closing: '' },
  // The channels of gpt-oss; only the final one is the answer.
  ...['<|channel|>', '<|start|>assistant<|channel|>'].flatMap((before) => [
    ...['analysis', 'commentary'].map((channel) => ({
      opening: `${before}${channel}<|message|>`,
      closing: '<|channel|>final<|message|>',
    })),
    { opening: `${before}final<|message|>`, closing: '' },
  ]),
];

/** The channels without their marks: `analysisThe user wants … assistantfinalVitamin D …`. */
const BARE_CHANNEL = /^analysis(?=\p{Lu})/u;
const BARE_FINAL = 'assistantfinal';
/** A final channel that names the format of its text. */
const NAMED_FINAL = /<\|channel\|>final ?(?:<\|constrain\|>)? ?\w{1,12}<\|message\|>/;
const FINAL = '<|channel|>final<|message|>';
const MAX_FINAL_CHARS = '<|channel|>final <|constrain|> twelveletters<|message|>'.length;
const CHANNEL_SIGNS = /<\|(?:return|end|call|end_response)\|>/gi;
const MAX_SIGN_CHARS = '<|end_response|>'.length;

const CLOSING_TAG = `</(?:${THINKING_TAGS.join('|')})>`;

/** The end of thinking that began in the prompt, as in some templates. */
const LONE_CLOSING = new RegExp(
  String.raw`(?:^|\n)[^\S\n]*${CLOSING_TAG}|${CLOSING_TAG}(?=\s*(?:\n|$|[{[\x60]))`,
  'i',
);

const OPENING = new RegExp(`<(?:${THINKING_TAGS.join('|')})>`, 'i');

/** Thinking may be cut off. Later marks stay, because a text may be about them. */
export function withoutThinking(text: string): string {
  let rest = text;
  for (;;) {
    const lone = LONE_CLOSING.exec(rest);
    if (lone === null || OPENING.test(rest.slice(0, lone.index))) break;
    rest = rest.slice(lone.index + lone[0].length);
  }
  const filter = new ThinkingFilter();
  return filter.push(rest) + filter.end();
}

/** Removes thinking from a stream. It cannot detect a closing mark without an opening one. */
export class ThinkingFilter {
  #state: 'before' | 'thinking' | 'speaking' = 'before';
  #held = '';
  #closing = '';
  #hasChannels = false;
  #sign = '';

  push(text: string): string {
    if (this.#state === 'speaking') return this.#spoken(text);
    this.#held += text;
    while (this.#advances());
    // `#advances` may have changed it, which the compiler does not see.
    if ((this.#state as string) !== 'speaking') return '';
    const visible = this.#held;
    this.#held = '';
    return this.#spoken(visible);
  }

  /** Returns the text that was held back as the possible beginning of a mark. */
  end(): string {
    return this.#state === 'before' ? this.#held : this.#sign.replace(CHANNEL_SIGNS, '');
  }

  #spoken(text: string): string {
    if (!this.#hasChannels) return text;
    const whole = this.#sign + text;
    const at = whole.lastIndexOf('<');
    const isOpen = at >= 0 && whole.length - at < MAX_SIGN_CHARS && !whole.includes('|>', at);
    this.#sign = isOpen ? whole.slice(at) : '';
    return (isOpen ? whole.slice(0, at) : whole).replace(CHANNEL_SIGNS, '');
  }

  /** Returns false if more text is needed, or if nothing is left to skip. */
  #advances(): boolean {
    if (this.#state === 'thinking') return this.#stopsThinking();
    if (this.#state === 'speaking') return false;
    this.#held = this.#held.trimStart().replace(NAMED_FINAL, FINAL);
    const start = this.#held.toLowerCase();
    if (BARE_CHANNEL.test(this.#held)) {
      this.#state = 'thinking';
      this.#closing = BARE_FINAL;
      return true;
    }
    const mark = THINKING_MARKS.find(({ opening }) => start.startsWith(opening));
    if (mark) {
      this.#state = 'thinking';
      this.#closing = mark.closing;
      this.#hasChannels ||= mark.opening.startsWith('<|');
      this.#held = this.#held.slice(mark.opening.length);
      return true;
    }
    if (THINKING_MARKS.some(({ opening }) => opening.startsWith(start)) || this.#held === 'analysis')
      return false;
    this.#state = 'speaking';
    return false;
  }

  #stopsThinking(): boolean {
    this.#held = this.#held.replace(NAMED_FINAL, FINAL);
    const end = this.#held.toLowerCase().indexOf(this.#closing);
    if (end < 0) {
      // Only a partial closing mark still matters.
      this.#held = this.#held.slice(-Math.max(this.#closing.length, MAX_FINAL_CHARS));
      return false;
    }
    this.#state = 'before';
    this.#held = this.#held.slice(end + this.#closing.length);
    return true;
  }
}
