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

export function mayPass(kind: ModelFailureKind): boolean {
  return RETRYABLE.includes(kind);
}

/** A call to a model that gave no answer. The message has neither key nor prompt nor answer in it. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: ModelFailureKind;
  readonly retryable: boolean;
  /** How long the endpoint asks to wait in milliseconds, at most 7 days: quotas reset once a day. Null where it does not say. */
  readonly retryAfterMs: number | null;
  readonly status: number | null;
  /** The endpoint's own words, fit to be shown; empty where it has none. */
  readonly says: string;
  /** The most tokens the model takes, where the endpoint says so. */
  readonly contextWindow: number | null;
  /** What broke an answer off, and what of it had come; null where none was under way. */
  readonly interrupted: { by: Interruption; text: string } | null;

  constructor(
    kind: ModelFailureKind,
    message: string,
    details: {
      /** Where it is not what such failures usually are. */
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
    this.retryable = details.retryable ?? mayPass(kind);
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.status = details.status ?? null;
    this.says = details.says ?? '';
    this.contextWindow = details.contextWindow ?? null;
    this.interrupted = details.interrupted ?? null;
  }

  /** Whether the request had its tries and is too large for the time there is: what is smaller may be answered. */
  get isTooSlow(): boolean {
    return this.kind === 'timeout' && !this.retryable;
  }

  after(by: Interruption, text: string): ModelFailure {
    const { retryable, retryAfterMs, status, says, contextWindow } = this;
    const details = { retryable, retryAfterMs, status, says, contextWindow, interrupted: { by, text } };
    return new ModelFailure(this.kind, this.message, details);
  }
}

/** A call that is under way. Times are those of `performance.now()`. */
export interface CallTurn {
  /** From when the limits of time count: before that the server was busy with other calls of this process. */
  readonly since: number;
  /** The model has said its first word. */
  begun(): void;
  /** The answer is complete; what is done with it is no matter of the server. */
  answered(): void;
}

export interface CallTurns {
  /**
   * Does `call` when it is its turn; `model` is the model that it asks. Throws what the call throws, `ModelFailure`, or the
   * signal's reason.
   */
  run<T>(call: (turn: CallTurn) => Promise<T>, signal: AbortSignal, model: string): Promise<T>;
}

const NAMES = [
  'think',
  'thinking',
  'thought',
  'reasoning',
  'reasoning_scratchpad',
  'reflection',
  'seed:think',
];

const MARKS: readonly { opening: string; closing: string }[] = [
  ...NAMES.map((name) => ({
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
  // The channels of gpt-oss, of which only the final one is the answer.
  ...['<|channel|>', '<|start|>assistant<|channel|>'].flatMap((before) => [
    ...['analysis', 'commentary'].map((channel) => ({
      opening: `${before}${channel}<|message|>`,
      closing: '<|channel|>final<|message|>',
    })),
    { opening: `${before}final<|message|>`, closing: '' },
  ]),
];

/** The same channels where a server has dropped their signs: `analysisThe user wants … assistantfinalVitamin D …`. */
const BARE_CHANNEL = /^analysis(?=\p{Lu})/u;
const BARE_FINAL = 'assistantfinal';
/** A final channel that names the form of its text. */
const NAMED_FINAL = /<\|channel\|>final ?(?:<\|constrain\|>)? ?\w{1,12}<\|message\|>/;
const FINAL = '<|channel|>final<|message|>';
const LONGEST_FINAL = '<|channel|>final <|constrain|> twelveletters<|message|>'.length;
/** Signs that may follow the text of the final channel. */
const CHANNEL_SIGNS = /<\|(?:return|end|call|end_response)\|>/gi;
const LONGEST_SIGN = '<|end_response|>'.length;

const CLOSING_TAG = `</(?:${NAMES.join('|')})>`;

/** The end of thinking whose beginning was in the prompt, as some templates have it. */
const LONE_CLOSING = new RegExp(
  String.raw`(?:^|\n)[^\S\n]*${CLOSING_TAG}|${CLOSING_TAG}(?=\s*(?:\n|$|[{[\x60]))`,
  'i',
);

const OPENING = new RegExp(`<(?:${NAMES.join('|')})>`, 'i');

/**
 * An answer's text without what the model thought aloud before it: closed or, where the answer was cut off, not. Marks
 * further on are left, because a text can be about them. White space before the answer goes too.
 */
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

/** Does the same while the text comes; only a closing mark without an opening one cannot be foreseen. */
export class ThinkingFilter {
  #state: 'before' | 'thinking' | 'speaking' = 'before';
  #held = '';
  #closing = '';
  #hasChannels = false;
  /** The possible beginning of a channel's sign. */
  #sign = '';

  /** The visible text that is certain by now. */
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

  /** What was held back as the possible beginning of a mark, and was none. */
  end(): string {
    return this.#state === 'before' ? this.#held : this.#sign.replace(CHANNEL_SIGNS, '');
  }

  /** The text without the signs that end a channel, where there are channels. */
  #spoken(text: string): string {
    if (!this.#hasChannels) return text;
    const whole = this.#sign + text;
    const at = whole.lastIndexOf('<');
    const isOpen = at >= 0 && whole.length - at < LONGEST_SIGN && !whole.includes('|>', at);
    this.#sign = isOpen ? whole.slice(at) : '';
    return (isOpen ? whole.slice(0, at) : whole).replace(CHANNEL_SIGNS, '');
  }

  /** One step on; false where more text is needed, or none. */
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
    const mark = MARKS.find(({ opening }) => start.startsWith(opening));
    if (mark) {
      this.#state = 'thinking';
      this.#closing = mark.closing;
      this.#hasChannels ||= mark.opening.startsWith('<|');
      this.#held = this.#held.slice(mark.opening.length);
      return true;
    }
    if (MARKS.some(({ opening }) => opening.startsWith(start)) || this.#held === 'analysis') return false;
    this.#state = 'speaking';
    return false;
  }

  #stopsThinking(): boolean {
    this.#held = this.#held.replace(NAMED_FINAL, FINAL);
    const end = this.#held.toLowerCase().indexOf(this.#closing);
    if (end < 0) {
      // Only the beginning of the closing mark can still matter.
      this.#held = this.#held.slice(-Math.max(this.#closing.length, LONGEST_FINAL));
      return false;
    }
    this.#state = 'before';
    this.#held = this.#held.slice(end + this.#closing.length);
    return true;
  }
}
