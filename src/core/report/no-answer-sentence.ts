/** The warning of a run, and the first sentence of its report, if no source answers the question. */
export function noAnswerSentence(question: string): string {
  return `No sentence of the sources is likely to answer “${question.replace(/\s+/g, ' ').trim()}”.`;
}
