import data from './data/intent-words.json';

const anyOf = (phrases: readonly string[]): string =>
  `(?:${phrases.map((phrase) => phrase.replaceAll('*', String.raw`\p{L}*`)).join('|')})`;
const among = (phrases: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<!\p{L})${anyOf(phrases)}(?!\p{L})`, 'iu');

const INTENT = among(data.intent);
const OPENING = new RegExp(String.raw`^\P{L}*${anyOf(data.opening)}(?!\p{L})`, 'iu');
const CAME_OF_IT = among(data.cameOfIt);
const CONCLUDING = among(data.concluding);
const HEDGED = among(data.hedged);

/** What is expected to come of it has not: `… would have a significant reduction`. */
const EXPECTED = /\bwould\b[^.;]*/giu;

/** Whether a text tells what is meant, expected or called for, and nothing of what came of it: `Our hypothesis was that …`, `… is warranted`. */
export function tellsIntent(text: string): boolean {
  return (INTENT.test(text) || OPENING.test(text)) && !CAME_OF_IT.test(text.replace(EXPECTED, ''));
}

/** Whether a text is what its authors conclude from what they found, without leaving it open: `These results suggest that …`. */
export function isConclusion(text: string): boolean {
  return CONCLUDING.test(text) && !HEDGED.test(text) && !INTENT.test(text);
}
