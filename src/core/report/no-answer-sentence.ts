export function noAnswerSentence(question: string): string {
  return `No sentence of the sources is likely to answer “${question.replace(/\s+/g, ' ').trim()}”.`;
}
