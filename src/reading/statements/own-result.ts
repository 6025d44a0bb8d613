import { effectsTold } from '../../language/direction';
import { MONTH } from '../../language/months';
import comparisonWords from './data/comparison-words.json';

const MONTH_NAMES = MONTH.split('|')
  .map((month) => `${month.charAt(0).toUpperCase()}${month.slice(1)}`)
  .join('|');
/** What others found is theirs: it is cited by numbers, or by names with a year, which a month before a year is not. */
const OF_OTHERS = new RegExp(
  String.raw`\[\d[\d,\s–-]*\]|\bet al\b|\bthe (?:investigators|researchers)\b|\((?:[^()]{0,60}[\s;,])?(?!(?:${MONTH_NAMES})\b)\p{Lu}[\p{L}'’-]+,?\s(?:19|20)\d\d[a-z]?\)`,
  'u',
);
/** How groups differ before anything was done tells of no effect. */
const OF_THE_START = /\b(?:at baseline|baseline (?:characteristics|data|demographics|measure\w*|values))\b/i;
const BEFORE_IT_BEGAN = new RegExp(
  String.raw`\b(?:before (?:the )?(?:\w+ of (?:the )?)?|at (?:study )?)(?:${comparisonWords.beginnings.join('|')})\b`,
  'i',
);
/** `The boys were taller at baseline (p < 0.05).` */
const ENDS_AT_START =
  /(?<!\b(?:levels|than|those|to|values|versus|with) )\bat baseline\W*(?:\([^()]*\)\W*)*$/i;
/** What is compared with the start tells of what became of it. */
const FROM_THE_START = /\b(?:from|than|with|versus)\b[^.;]*\b(?:baseline|before)\b/i;
const OF_LATER = /\b(?:after|post|follow-up|end)\b/i;
/** What holds for all sides tells of none: `Strength increased independent of the nutrient intake`. */
const OF_ALL_SIDES = new RegExp(
  String.raw`\b(?:${comparisonWords.apart.join('|')}) (?:[\w-]+ ){0,4}(?:${[...comparisonWords.beginnings, ...comparisonWords.nameless, 'allocation'].join('|')})s?\b`,
  'i',
);
/** Whether a text tells what others found: it cites them, or names them. */
export function isOfOthers(text: string): boolean {
  return OF_OTHERS.test(text);
}

/** Whether a text tells of how things were before anything was done, and not of what became of them. */
export function isOfStart(text: string): boolean {
  if (ENDS_AT_START.test(text)) return true;
  const isBefore = BEFORE_IT_BEGAN.test(text);
  if ((!isBefore && !OF_THE_START.test(text)) || OF_LATER.test(text) || FROM_THE_START.test(text))
    return false;
  return isBefore || effectsTold(text).every((effect) => effect === 'none');
}

/** Whether a text tells what held whatever was done. */
export function isOfAllSides(text: string): boolean {
  return OF_ALL_SIDES.test(text);
}
