import data from './data/joints.json';

const JOINT = new RegExp(`[;:]\\s+|,\\s+(?=(?:${data.joints.join('|')})\\s)`, 'gi');
const FEWEST_WORDS = 3;

/** The statements that a sentence joins: `A rose, while B fell; C did not change`. One for a sentence that joins none. */
export function clausesOf(sentence: string): string[] {
  const parts = sentence.split(JOINT).map((part) => part.trim());
  return parts.some((part) => part.split(/\s+/).length < FEWEST_WORDS) ? [sentence] : parts;
}
