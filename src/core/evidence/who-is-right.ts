import { withinSentence } from '../writing/within-sentence';

/** What is asked where sources contradict each other on a topic and nothing speaks for one of them. */
export function whoIsRight(topic: string): string {
  return `Which of the sources are right about ${withinSentence(topic)}?`;
}
