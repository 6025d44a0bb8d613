import { costUsd, DEFAULT_CONTEXT_TOKENS, estimateTokens, WINDOW_SHARE } from '../../contracts/budget';
import type { Usage } from '../../contracts/run';
import type { ModelPrice } from '../../contracts/run-input';
import type { ModelFailure, ModelFailureKind, ModelRequest, ModelResponse } from './port';

/** Largest share of the window for the answer, so that small windows have room for the question. */
const ANSWER_SHARE = 0.25;
const SHRINKING = 0.9;

/** Shorter prompts cannot distinguish a cut from another way of counting. */
const MIN_MEASURED_TOKENS = 1_500;
/** No model has a smaller window. A server that reports less counts differently, such as without its prompt cache. */
const MIN_WINDOW_TOKENS = 500;
/** A prompt was cut if the server reports less than this share of its fewest possible tokens. */
const CUT_SHARE = 0.75;

/** Prompts whose lengths differ by more than this share do not have equal token counts by chance. */
const MIN_LENGTH_DIFFERENCE = 0.05;

const LETTERS_OR_DIGITS = /\p{L}[\p{L}\p{M}]*|\p{N}+/gu;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const MAX_CHARS_PER_TOKEN = { word: 20, wordWithoutSpaces: 3, number: 3 } as const;
/** Servers without a tokenizer report a quarter of the characters. */
const CHARS_PER_COUNTED_TOKEN = 4;

export interface ModelWindows {
  outputTokens(model: string, wanted: number): number;
  /** True if a first question leaves room for the answer and for a repair turn. */
  fits(request: ModelRequest): boolean;
  fitsRepair(request: ModelRequest): boolean;
  /** 0 if the prompt fits. */
  excessChars(request: ModelRequest): number;
  refused(request: ModelRequest, failure: ModelFailure): void;
  /** The server reports far fewer tokens than the prompt has: it cut the prompt silently. */
  isCut(request: ModelRequest, response: Pick<ModelResponse, 'usage'>): boolean;
  /** Learns the window from the reported tokens of a cut prompt. */
  noteRead(request: ModelRequest, response: Pick<ModelResponse, 'usage'>): void;
  /** Tokens of the first cut prompt: read, and sent (estimated). Null if none was cut. */
  cutOf(model: string): CutPrompt | null;
}

export interface CutPrompt {
  read: number;
  sent: number;
}

export function createModelWindows(contextTokens: Readonly<Record<string, number>>): ModelWindows {
  /** Windows by model, learned from refusals in this process. */
  const learned = new Map<string, number>();
  const cuts = new Map<string, CutPrompt & { window: number }>();
  /** Models whose server reports too few tokens even for prompts that fit. */
  const uncounted = new Set<string>();
  /** By model, the first prompt with a token count that a window may have. */
  const counts = new Map<string, { tokens: number; chars: number }>();
  const windowOf = (model: string): number =>
    Math.min(
      cuts.get(model)?.window ?? Infinity,
      learned.get(model) ??
        (Object.hasOwn(contextTokens, model) ? contextTokens[model] : undefined) ??
        DEFAULT_CONTEXT_TOKENS,
    );
  const fitsWhole = (request: ModelRequest): boolean =>
    inputTokens(request) + request.maxOutputTokens <= windowOf(request.model);
  const isShort = (request: ModelRequest, { usage }: Pick<ModelResponse, 'usage'>): boolean =>
    usage !== null && usage.inputTokens < minTokens(request) * CUT_SHARE;
  const isAtWindow = (request: ModelRequest, { usage }: Pick<ModelResponse, 'usage'>): boolean => {
    const before = counts.get(request.model);
    if (usage === null || before === undefined || before.tokens !== usage.inputTokens) return false;
    return Math.abs(charsOf(request) - before.chars) > before.chars * MIN_LENGTH_DIFFERENCE;
  };
  const isCut = (request: ModelRequest, response: Pick<ModelResponse, 'usage'>): boolean => {
    if (uncounted.has(request.model) || (response.usage?.inputTokens ?? 0) < MIN_WINDOW_TOKENS) return false;
    return (
      (minTokens(request) >= MIN_MEASURED_TOKENS && isShort(request, response)) ||
      isAtWindow(request, response)
    );
  };

  return {
    outputTokens: (model, wanted) =>
      Math.max(1, Math.min(wanted, Math.floor(windowOf(model) * ANSWER_SHARE))),
    fits: (request) => fitsWhole(request) && inputTokens(request) <= windowOf(request.model) * WINDOW_SHARE,
    fitsRepair: fitsWhole,
    excessChars(request) {
      const room = windowOf(request.model);
      const most = Math.min(room * WINDOW_SHARE, room - request.maxOutputTokens);
      const tokens = inputTokens(request);
      return tokens <= most ? 0 : Math.ceil(((tokens - most) / tokens) * charsOf(request));
    },
    refused(request, failure) {
      const size = inputTokens(request) + request.maxOutputTokens;
      // The endpoint's count and this estimate differ, so the window is below both.
      const window = Math.min(failure.contextWindow ?? Infinity, Math.floor(size * SHRINKING));
      learned.set(request.model, Math.max(1, Math.min(windowOf(request.model), window)));
    },
    isCut,
    noteRead(request, response) {
      const { model } = request;
      const known = cuts.get(model);
      const counted = response.usage?.inputTokens ?? 0;
      if (isWindowSize(counted) && counts.get(model)?.tokens !== counted)
        counts.set(model, { tokens: counted, chars: charsOf(request) });
      if (known !== undefined && inputTokens(request) <= known.window && isShort(request, response)) {
        cuts.delete(model);
        uncounted.add(model);
        return;
      }
      if (!isCut(request, response) || response.usage === null) return;
      const { inputTokens: read } = response.usage;
      const window = Math.min(windowOf(model), windowFromCut(read));
      // Each model has one warning, about its first cut.
      cuts.set(model, { ...(known ?? { read, sent: inputTokens(request) }), window });
    },
    cutOf: (model) => cuts.get(model) ?? null,
  };
}

/** Ollama since 0.32 keeps half of its window and 2 tokens of a longer prompt (ollama#17427, ollama#17889). */
function windowFromCut(read: number): number {
  const half = read - 2;
  return half % 512 === 0 ? half * 2 : read;
}

/** True for token counts at which servers cut: 2,048 and the like, and half of a window and 2. */
function isWindowSize(tokens: number): boolean {
  return tokens >= MIN_WINDOW_TOKENS && (tokens % 128 === 0 || (tokens - 2) % 128 === 0);
}

/**
 * The fewest tokens that the messages can have: tokenizers join no words and put at most 3 digits into a token.
 * Measured on 46 languages, code, tables and JSON with the tokenizers of GPT-4o, Gemma 3, Qwen 3, Llama 2 and 3 and
 * DeepSeek 3: texts have 1.2 to 36 times as many (English 1.2 to 1.5, Chinese 1.9 to 4), lists of short words or hashes
 * as many.
 */
export function minTokens({ messages }: Pick<ModelRequest, 'messages'>): number {
  let tokens = 0;
  for (const { content } of messages)
    for (const [run] of content.matchAll(LETTERS_OR_DIGITS)) tokens += minTokensOfRun(run);
  return Math.min(tokens, Math.ceil(charsOf({ messages }) / CHARS_PER_COUNTED_TOKEN));
}

function minTokensOfRun(run: string): number {
  const { word, wordWithoutSpaces, number } = MAX_CHARS_PER_TOKEN;
  if (/^\p{N}/u.test(run)) return Math.ceil(run.length / number);
  return Math.ceil(run.length / (WITHOUT_SPACES.test(run) ? wordWithoutSpaces : word));
}

function charsOf({ messages }: Pick<ModelRequest, 'messages'>): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}

export interface CallMeter {
  /** Also for a response that an earlier attempt of the same run paid for. */
  paid(request: ModelRequest, response: ModelResponse, price: ModelPrice | null): void;
  /** A cached response. `paid` counts its tokens if an earlier attempt of the run paid for it. */
  cached(): void;
  sent(): void;
  failed(request: ModelRequest, failure: ModelFailure, price: ModelPrice | null): void;
  abandoned(request: ModelRequest, price: ModelPrice | null): void;
  usage(): Usage;
}

/** The server has read the prompt and charges for it. */
const CHARGED_FAILURES: readonly ModelFailureKind[] = ['timeout', 'malformed-response', 'content-filter'];

export function createCallMeter(): CallMeter {
  const used: Usage = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const count = (tokens: { inputTokens: number; outputTokens: number }, price: ModelPrice | null): void => {
    used.inputTokens += tokens.inputTokens;
    used.outputTokens += tokens.outputTokens;
    used.costUsd += costUsd(price, tokens);
  };
  return {
    sent() {
      used.calls += 1;
    },
    paid(request, response, price) {
      count(response.usage ?? estimatedUsage(request, response.text), price);
    },
    cached() {
      used.cachedCalls += 1;
    },
    failed(request, failure, price) {
      const { interrupted } = failure;
      if (interrupted !== null || CHARGED_FAILURES.includes(failure.kind))
        count(estimatedUsage(request, interrupted?.text ?? ''), price);
    },
    abandoned(request, price) {
      count(estimatedUsage(request, ''), price);
    },
    usage: () => ({ ...used }),
  };
}

/** For servers that report no usage. */
function estimatedUsage(
  request: ModelRequest,
  answer: string,
): { inputTokens: number; outputTokens: number } {
  return { inputTokens: inputTokens(request), outputTokens: estimateTokens(answer.length) };
}

function inputTokens({ messages, schema }: ModelRequest): number {
  const chars = messages.reduce((sum, message) => sum + message.content.length, 0);
  return estimateTokens(chars + (schema === undefined ? 0 : JSON.stringify(schema.schema).length));
}
