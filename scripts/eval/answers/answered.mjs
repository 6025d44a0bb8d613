import { built } from '../built.mjs';
import { extractiveStep } from '../extractive-step.mjs';

const TEMPERATURE = 0.7;
/** Document 003: several documents are brought together where two have two passages each. */
const SEVERAL = 2;
/** As the settings of an answer have it: so many passages, and so many tokens more where documents are brought together. */
const TOKENS = { alone: 400, together: 600 };

/** What the engine that asks no model answers from what was retrieved, and how many tokens it takes. */
export async function answered(question, retrieved, maxTokens) {
  const { AnswerInput, AnswerOutput } = built('steps/answer/contract.js');
  const { estimateTokens } = built('core/budget/call-estimates.js');
  const synthesisMode = bringsTogether(retrieved.passages);
  const input = AnswerInput.parse({
    question,
    history: [],
    temperature: TEMPERATURE,
    synthesisMode,
    passages: retrieved.passages,
    counts: retrieved.counts,
    answerable: retrieved.answerable,
    maxTokens: maxTokens ?? (synthesisMode ? TOKENS.together : TOKENS.alone),
  });
  const output = AnswerOutput.parse(await extractiveStep('answer', input));
  return { ...output, tokens: estimateTokens(output.markdown.length) };
}

function bringsTogether(passages) {
  const perDocument = new Map();
  for (const { sourceId } of passages) perDocument.set(sourceId, (perDocument.get(sourceId) ?? 0) + 1);
  return [...perDocument.values()].filter((count) => count >= SEVERAL).length >= SEVERAL;
}
