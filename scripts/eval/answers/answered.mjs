import { built } from '../built.mjs';

const TEMPERATURE = 0.7;

/** What the engine that asks no model answers from what was retrieved, and how many tokens it takes. */
export function answered(question, retrieved, maxTokens, history = []) {
  const { runExtractiveStep } = built('engines/extractive/steps.js');
  const { AnswerInput, AnswerOutput } = built('steps/answer/contract.js');
  const { estimateTokens } = built('core/budget/call-estimates.js');
  const documents = new Set(retrieved.passages.map(({ sourceId }) => sourceId));
  const input = AnswerInput.parse({
    ...{ question, history, temperature: TEMPERATURE, maxTokens },
    ...{ passages: retrieved.passages, counts: retrieved.counts, answerable: retrieved.answerable },
    synthesisMode: documents.size > 1,
  });
  const output = AnswerOutput.parse(runExtractiveStep('answer', input));
  return { output, tokens: estimateTokens(output.markdown.length) };
}
