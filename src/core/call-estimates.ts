import { FREE_OF_CHARGE, type WorstCase } from './budget-ledger';
import type { EngineName } from './contracts/run';

/** Characters of English text to a token, on average (document 002). */
const CHARS_PER_TOKEN = 4;
/** Head-room for text that has more tokens than average (decision 9). */
const INPUT_MARGIN = 1.1;

/**
 * What one step can cost at most: the question and the repair turn, each with its input and the longest output. The
 * extractive engine asks nobody, so its calls cost nothing.
 */
export function worstCaseOf(engine: EngineName, call: { inputChars: number; maxOutputTokens: number }): WorstCase {
  if (engine === 'extractive') return FREE_OF_CHARGE;
  const input = Math.ceil((call.inputChars / CHARS_PER_TOKEN) * INPUT_MARGIN);
  const ask = input + call.maxOutputTokens;
  const repair = input + 2 * call.maxOutputTokens;
  return { tokens: ask + repair, costUsd: 0 };
}
