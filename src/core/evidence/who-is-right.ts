import { withinSentence } from '../writing/within-sentence';

export function whoIsRight(topic: string): string {
  return `Which of the sources are right about ${withinSentence(topic)}?`;
}
