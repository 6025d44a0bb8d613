import type { WordClass } from './word-classes';

/** Whom sources speak of; a term that ends so is a setting, not a thing that acts or is acted on. */
const PEOPLE =
  /\b(?:adults|women|men|children|schoolchildren|people|infants|adolescents|boys|girls|students|workers|employees|patients|players|athletes|survivors|users|developers|mothers|parents|families|individuals|volunteers|youth|elderly|recipients|residents|smokers|veterans|soldiers|nurses|teachers|pilots|runners|swimmers|cyclists|rowers)$/i;

/**
 * Whether a topic names people by nothing that tells what ails or moves them: `older women`, but not `pregnant women` or
 * `cancer survivors`. Summaries and titles often leave such people out.
 */
export function namesPeopleAtLarge(topic: {
  text: string;
  words: readonly { wordClass: WordClass }[];
}): boolean {
  return namesPeople(topic.text) && topic.words.slice(0, -1).every(({ wordClass }) => wordClass !== 'heavy');
}

export function namesPeople(text: string): boolean {
  return PEOPLE.test(text);
}
