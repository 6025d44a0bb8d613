import { storedText } from '../../texts/stored';
import { withinSentence } from '../writing/within-sentence';

/** What is asked where sources contradict each other on a topic and nothing speaks for one of them. */
export function whoIsRight(topic: string): string {
  return storedText('whoIsRight', { topic: withinSentence(topic) });
}
