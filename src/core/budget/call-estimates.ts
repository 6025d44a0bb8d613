import { FREE_OF_CHARGE, type WorstCase } from './budget-ledger';
import type { ModelPrice } from '../../contracts/run/prices';
import { traitsOf } from '../../contracts/run/engines';
import type { EngineName } from '../../contracts/run/run';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { costUsd } from './prices';

/** Characters of English text to a token, on average (document 002). */
const CHARS_PER_TOKEN = 4;
/** Head-room for text that has more tokens than average (decision 9). */
const INPUT_MARGIN = 1.1;
/** A prompt takes this much of a model's window at most; the rest is for the answer and the repair turn (document 002). */
export const WINDOW_SHARE = 0.75;
/** What a model takes where nothing else is known of it. */
export const DEFAULT_CONTEXT_TOKENS = 128_000;

/** The longest answer of each step, in tokens; where a step is asked for a number of sources, of one source. */
export const MAX_OUTPUT_TOKENS = {
  summariseSource: 400,
  outline: 8_000,
  mergeOutlines: 4_000,
  scoreSource: 60,
  extractFindings: 8_000,
  crossCheck: 8_000,
  writeSection: 4_000,
  writeSummary: 2_000,
  audit: 4_000,
  rewriteQuestion: 300,
  planSearch: 600,
  planBrief: 8_000,
  writeBrief: 16_000,
  writeBriefPart: 8_000,
  judge: 4_000,
} as const;

/** Document 000: so many tokens to a word of English. */
const TOKENS_A_WORD = 1.3;
/** Citations, and what a model thinks before it writes, take as much room again. */
const ROOM_BESIDE_WORDS = 2;
const LEAST_WRITING_TOKENS = 800;

/** The longest answer to ask for where a text of so many words is wanted. */
export function writingTokens(words: number, most: number): number {
  return Math.min(most, Math.max(LEAST_WRITING_TOKENS, Math.ceil(words * TOKENS_A_WORD * ROOM_BESIDE_WORDS)));
}

/** A critic is asked about so many sentences in a call: a verdict with its quote and reason takes about 90 tokens. */
export const AUDITED_AT_ONCE = 40;

/** What the prompt's own words take, and each source's title and delimiters. */
const TEMPLATE_CHARS = 5_000;
export const CHARS_AROUND_SOURCE = 400;
/** A summary with what stands around it. */
const SUMMARY_CHARS = 1_000 + CHARS_AROUND_SOURCE;
/** A plan's sections with their descriptions and subsections. */
export const PLAN_CHARS = 12_000;
/** The most of a source that its summary is made from. */
const SUMMARISED_CHARS = 12_000;
/** A section's findings with their quotes. */
export const FINDINGS_CHARS = 40_000;

/** The most of a conversation that a prompt has. */
export const MAX_HISTORY_CHARS = 12_000;
/** The most that a prompt has of what an audit said of an answer: its claims, and the quotes that they were held against. */
export const MAX_CRITIQUE_CHARS = 12_000;
/** A passage's label, and the name of its document. */
const CHARS_AROUND_PASSAGE = 200;
/** The most of each of three lists: what was searched for, what was found, and what was missing in it. */
export const MAX_LIST_CHARS = 4_000;
/** The most that a prompt has of what a brief has said already. */
export const MAX_TOLD_CHARS = 40_000;
/** A part of a plan: its title, what is said of it, the names of its statements. */
const CHARS_AROUND_PART = 800;
/** A word with the space or the mark beside it. */
const CHARS_A_WORD = 8;

/** The longest answer that says of so many passages in fewer than so many characters each what they say; figures have more tokens than words. */
export function compressedTokens(passages: number, maxChars: number): number {
  return passages * (Math.ceil(maxChars / 2) + 30);
}

/** What a step gets and gives at most. */
export interface CallSize {
  inputChars: number;
  maxOutputTokens: number;
}

/** What a run has to read in all; nothing of it is read twice in a call. */
export interface Material {
  sources: number;
  /** `Infinity` where it is not known. */
  chars: number;
}

/** The largest call of each step; where a step is asked for a number of sources or findings, `items` of them. */
export const CALL_SIZES = {
  summarise: (items: number, { chars }: Material): CallSize => ({
    inputChars: TEMPLATE_CHARS + Math.min(chars, items * SUMMARISED_CHARS) + items * CHARS_AROUND_SOURCE,
    maxOutputTokens: items * MAX_OUTPUT_TOKENS.summariseSource,
  }),
  outline: (items: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + items * SUMMARY_CHARS,
    maxOutputTokens: MAX_OUTPUT_TOKENS.outline,
  }),
  mergeOutlines: (plans: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + plans * PLAN_CHARS,
    maxOutputTokens: MAX_OUTPUT_TOKENS.mergeOutlines,
  }),
  scoreRelevance: (items: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + PLAN_CHARS + items * SUMMARY_CHARS,
    maxOutputTokens: items * MAX_OUTPUT_TOKENS.scoreSource,
  }),
  extractFindings: (settings: SynthesisSettings, material: Material): CallSize => ({
    inputChars: TEMPLATE_CHARS + windowChars(settings, material),
    maxOutputTokens: MAX_OUTPUT_TOKENS.extractFindings,
  }),
  crossCheck: (settings: SynthesisSettings, material: Material): CallSize => ({
    inputChars: TEMPLATE_CHARS + windowChars(settings, material) + FINDINGS_CHARS,
    maxOutputTokens: MAX_OUTPUT_TOKENS.crossCheck,
  }),
  /** A call of pass 2 that reads `chars` characters of sources, or one of pass 3, which has findings besides. */
  extractGroup: (chars: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + chars,
    maxOutputTokens: MAX_OUTPUT_TOKENS.extractFindings,
  }),
  checkGroup: (chars: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + chars + FINDINGS_CHARS,
    maxOutputTokens: MAX_OUTPUT_TOKENS.crossCheck,
  }),
  writeSection: (): CallSize => ({
    inputChars: TEMPLATE_CHARS + FINDINGS_CHARS + 15_000,
    maxOutputTokens: MAX_OUTPUT_TOKENS.writeSection,
  }),
  /** All batches of a text's sentences. */
  audit: (sentences: number): CallSize => {
    const batches = Math.max(1, Math.ceil(sentences / AUDITED_AT_ONCE));
    return {
      inputChars: batches * (TEMPLATE_CHARS + FINDINGS_CHARS + 15_000),
      maxOutputTokens: batches * MAX_OUTPUT_TOKENS.audit,
    };
  },
  /** One call on sentences that, with what they rest on, have so many characters. */
  auditOf: (chars: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + chars,
    maxOutputTokens: MAX_OUTPUT_TOKENS.audit,
  }),
  writeSummary: (): CallSize => ({ inputChars: 200_000, maxOutputTokens: MAX_OUTPUT_TOKENS.writeSummary }),
  /** An answer of at most `maxTokens` from passages of so many characters together; the tokens of synthesis mode are among them. */
  answer: (passages: number, chars: number, maxTokens: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + passagesChars(passages, chars) + MAX_HISTORY_CHARS + MAX_CRITIQUE_CHARS,
    maxOutputTokens: maxTokens,
  }),
  /** All passages that are to be shortened to fewer than `maxChars` characters each. */
  compress: (passages: number, chars: number, maxChars: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + passagesChars(passages, chars),
    maxOutputTokens: compressedTokens(passages, maxChars),
  }),
  /** A text with what it is judged by, of so many characters together. */
  judge: (chars: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + chars,
    maxOutputTokens: MAX_OUTPUT_TOKENS.judge,
  }),
  /** A plan of so many parts from `chars` characters of statements. */
  planBrief: (parts: number, chars: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + chars + parts * CHARS_AROUND_PART,
    maxOutputTokens: MAX_OUTPUT_TOKENS.planBrief,
  }),
  /** A whole brief of so many words from `chars` characters of statements and sources. */
  writeBrief: (words: number, parts: number, chars: number): CallSize => ({
    inputChars: TEMPLATE_CHARS + chars + parts * CHARS_AROUND_PART,
    maxOutputTokens: writingTokens(words, MAX_OUTPUT_TOKENS.writeBrief),
  }),
  /** A part of so many words from `chars` characters of statements and sources, with the plan, what was told and what is revised. */
  writeBriefPart: (words: number, parts: number, chars: number): CallSize => ({
    inputChars:
      TEMPLATE_CHARS +
      Math.min(chars, FINDINGS_CHARS) +
      parts * CHARS_AROUND_PART +
      MAX_TOLD_CHARS +
      MAX_CRITIQUE_CHARS +
      words * CHARS_A_WORD,
    maxOutputTokens: writingTokens(words, MAX_OUTPUT_TOKENS.writeBriefPart),
  }),
  rewriteQuestion: (): CallSize => ({
    inputChars: TEMPLATE_CHARS + MAX_HISTORY_CHARS + 3 * MAX_LIST_CHARS,
    maxOutputTokens: MAX_OUTPUT_TOKENS.rewriteQuestion,
  }),
  planSearch: (): CallSize => ({
    inputChars: TEMPLATE_CHARS + 3 * MAX_LIST_CHARS,
    maxOutputTokens: MAX_OUTPUT_TOKENS.planSearch,
  }),
};

function passagesChars(passages: number, chars: number): number {
  return chars + passages * CHARS_AROUND_PASSAGE;
}

/** The windows of a section's sources; what is left of the count is read by its summary, within the same limit. */
function windowChars(settings: SynthesisSettings, { sources, chars }: Material): number {
  return (
    Math.min(settings.maxTotalChars, chars) +
    Math.min(settings.pass2FullContentCount, sources) * CHARS_AROUND_SOURCE
  );
}

/** What is known of the model that a call goes to. */
export interface ModelLimits {
  contextTokens?: number;
  /** Null or absent where it is not known; a call then counts as costing nothing. */
  price?: ModelPrice | null;
}

/** How many characters a prompt may have besides its template, so that it takes three quarters of the window. */
export function charsInWindow(contextTokens: number): number {
  const tokens = contextTokens * WINDOW_SHARE - estimateTokens(TEMPLATE_CHARS);
  return Math.max(0, Math.floor((tokens * CHARS_PER_TOKEN) / INPUT_MARGIN));
}

/** How many summaries a call takes at most, beside `besides` characters; one at least. */
export function summariesPerCall(contextTokens: number, besides = 0): number {
  return Math.max(1, Math.floor((charsInWindow(contextTokens) - besides) / SUMMARY_CHARS));
}

/** How many tokens a text has, about; never less than it has in English. */
export function estimateTokens(chars: number): number {
  return Math.ceil((chars / CHARS_PER_TOKEN) * INPUT_MARGIN);
}

/**
 * What a call can cost at most: the question and the repair turn, each with its input and the longest output. Input that
 * is larger than the model's window goes in several calls. An engine that asks nobody has calls that cost nothing.
 */
export function worstCaseOf(
  engine: EngineName,
  { inputChars, maxOutputTokens }: CallSize,
  { contextTokens = DEFAULT_CONTEXT_TOKENS, price = null }: ModelLimits = {},
): WorstCase {
  if (!traitsOf(engine).asksModels) return FREE_OF_CHARGE;
  const input = estimateTokens(inputChars);
  const room = Math.max(1, contextTokens * WINDOW_SHARE - estimateTokens(TEMPLATE_CHARS));
  const calls = 2 ** Math.max(0, Math.ceil(Math.log2(input / room)));
  const inputTokens = 2 * (input + (calls - 1) * estimateTokens(TEMPLATE_CHARS)) + calls * maxOutputTokens;
  const outputTokens = 2 * calls * maxOutputTokens;
  return { tokens: inputTokens + outputTokens, costUsd: costUsd(price, { inputTokens, outputTokens }) };
}
