/** Characters of English text to a token, on average (document 002). */
const CHARS_PER_TOKEN = 4;
/** Head-room for text that has more tokens than average (decision 9). */
const INPUT_MARGIN = 1.1;
/** A prompt takes this much of a model's window at most; the rest is for the answer and the repair turn (document 002). */
export const WINDOW_SHARE = 0.75;
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
  rewriteQuestion: 300,
  planSearch: 600,
  writeText: 16_000,
  auditText: 16_000,
  mendText: 6_000,
  judge: 6_000,
} as const;

/** Document 000: so many tokens to a word of English. */
const TOKENS_A_WORD = 1.3;
/** Citations, and what a model thinks before it writes, take as much room again. */
const ROOM_BESIDE_WORDS = 2;
const LEAST_WRITING_TOKENS = 800;

export function writingTokens(words: number, most: number): number {
  return Math.min(most, Math.max(LEAST_WRITING_TOKENS, Math.ceil(words * TOKENS_A_WORD * ROOM_BESIDE_WORDS)));
}

/** A text with citations and tables has more tokens than its words. */
const WORDS_BESIDE = 1.6;

/** The longest answer that is a text of so many words. */
export function textTokens(words: number): number {
  return writingTokens(words * WORDS_BESIDE, MAX_OUTPUT_TOKENS.writeText);
}

/** The longest answer with a verdict on each of so many statements. */
export function auditTokens(statements: number): number {
  return Math.min(MAX_OUTPUT_TOKENS.auditText, 1_000 + 130 * statements);
}

/** What the prompt's own words take, and each source's title and delimiters. */
const TEMPLATE_CHARS = 5_000;
export const CHARS_AROUND_SOURCE = 400;
const SUMMARY_CHARS = 1_000 + CHARS_AROUND_SOURCE;
export const PLAN_CHARS = 12_000;
export const FINDINGS_CHARS = 40_000;

export const MAX_HISTORY_CHARS = 12_000;
export const MAX_CRITIQUE_CHARS = 12_000;
/** The most of each of three lists: what was searched for, what was found, and what was missing in it. */
export const MAX_LIST_CHARS = 4_000;

/** The longest answer that says of so many passages in fewer than so many characters each what they say; figures have more tokens than words. */
export function compressedTokens(passages: number, maxChars: number): number {
  return passages * (Math.ceil(maxChars / 2) + 30);
}

/** How many characters a prompt may have besides its template, so that it takes `share` of the window at most. */
export function charsInWindow(contextTokens: number, share = WINDOW_SHARE): number {
  const tokens = contextTokens * share - estimateTokens(TEMPLATE_CHARS);
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
