import { FREE_OF_CHARGE, type WorstCase } from './budget-ledger';
import type { EngineName, SynthesisSettings } from './contracts/run';

/** Characters of English text to a token, on average (document 002). */
const CHARS_PER_TOKEN = 4;
/** Head-room for text that has more tokens than average (decision 9). */
const INPUT_MARGIN = 1.1;

/** What a step gets and gives at most. */
export interface CallSize {
  inputChars: number;
  maxOutputTokens: number;
}

/** The largest call of each step; where a step is asked for a number of sources or findings, `items` of them. */
export const CALL_SIZES = {
  summarise: (settings: SynthesisSettings, items: number): CallSize => ({
    inputChars: items * settings.maxCharsPerSource,
    maxOutputTokens: items * 300,
  }),
  outline: (_settings: SynthesisSettings, items: number): CallSize => ({
    inputChars: items * 1_200,
    maxOutputTokens: 8_000,
  }),
  extractFindings: (settings: SynthesisSettings): CallSize => ({
    inputChars: settings.maxTotalChars,
    maxOutputTokens: 8_000,
  }),
  crossCheck: (settings: SynthesisSettings): CallSize => ({
    inputChars: settings.maxTotalChars + 40_000,
    maxOutputTokens: 8_000,
  }),
  writeSection: (): CallSize => ({ inputChars: 60_000, maxOutputTokens: 4_000 }),
  writeSummary: (): CallSize => ({ inputChars: 200_000, maxOutputTokens: 2_000 }),
};

/**
 * What a call can cost at most: the question and the repair turn, each with its input and the longest output. The
 * extractive engine asks nobody, so its calls cost nothing.
 */
export function worstCaseOf(engine: EngineName, { inputChars, maxOutputTokens }: CallSize): WorstCase {
  if (engine === 'extractive') return FREE_OF_CHARGE;
  const input = Math.ceil((inputChars / CHARS_PER_TOKEN) * INPUT_MARGIN);
  const ask = input + maxOutputTokens;
  const repair = input + 2 * maxOutputTokens;
  return { tokens: ask + repair, costUsd: 0 };
}
