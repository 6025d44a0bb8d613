/** What a run says, as its warning and at the top of its report, where no source has anything on the question. */
export function noAnswerSentence(question: string): string {
  return `No sentence of the sources is likely to answer “${question.replace(/\s+/g, ' ').trim()}”.`;
}
