import questionWords from '../../language/data/question-words.json';

/** Where a question says that something changes: what has the effect stands before it, what it is on behind it. */
interface Change {
  start: number;
  end: number;
  /** The other way around: `health effects of coffee`. */
  isOfWhatFollows: boolean;
}

const { whether, effect } = questionWords;
const { towards, asked } = effect;
const WHETHER_OPENING = new RegExp(`^\\s*(?:${whether.join('|')})\\b`, 'i');
const COMPARED = /\b(?:compared (?:with|to)|versus|vs\.?)\b/i;
const GOALS = oneOf(towards.goals);
const ASKED_OF = `${oneOf(asked.nouns)} of`;
/** `What effect does …`, `How effective is …` */
const ASKED_FIRST = `(?:(?:what|which) ${oneOf(asked.nouns)}|how ${oneOf(asked.qualities)}) ${oneOf(whether)}`;
const ASKED_OPENING = new RegExp(
  `^\\s*(?:${ASKED_FIRST}|(?:what|which) ${oneOf(whether)}(?: [\\w-]+){0,2}? ${ASKED_OF}|how d(?:o|oes|id) .*\\b${oneOf(asked.verbs)})\\b`,
  'i',
);
const OPENER = new RegExp(`^(?:${ASKED_OF}|${ASKED_FIRST})$`, 'i');
const EFFECT = words([ASKED_OF, ASKED_FIRST, ...effect.verbs]);
const TOWARDS = oneOf([...towards.goals, ...towards.settings]);
/** Nouns as well: verbs where a yes or a no is wanted, as in `Can it limit noise?` */
const AFTER_WHETHER = [
  ASKED_OF,
  ASKED_FIRST,
  ...effect.verbs,
  `${oneOf(towards.predicates)}(?: [\\w-]+){0,2}? ${TOWARDS}`,
  // `Does walking help?` names nothing else.
  `${oneOf(effect.withObject)}(?= [\\w-])`,
  ...effect.afterWhether,
];
const EFFECT_WHETHER = words(AFTER_WHETHER);
const FURTHER = words([...AFTER_WHETHER, ...[...effect.verbs, ...effect.afterWhether].map(gerundOf)]);

/** By what a text may ask for an effect: `social support` asks for none where another verb does. */
export function effectsIn(text: string): RegExp {
  return WHETHER_OPENING.test(text) && text.search(EFFECT) < 0 ? EFFECT_WHETHER : EFFECT;
}

/**
 * Whether yes or no is wanted, or what effect one thing has on another, which asks for the same of what answers: it speaks of all that
 * is asked about.
 */
export function asksWhether(text: string): boolean {
  return WHETHER_OPENING.test(text) || (ASKED_OPENING.test(text) && !changeIn(text).isOfWhatFollows);
}

/** In “Does A, compared with B, change C?” behind the comparison; in “What effect does A have on B?” between both. */
export function changeIn(text: string): Change {
  const found = [...text.matchAll(effectsIn(text))];
  const change = found.filter(({ index, 0: word }) => !/^\s+of\b/.test(text.slice(index + word.length)));
  // `Do changes of habits reduce noise?`
  const changes = change.length > 0 ? change : found;
  const compared = COMPARED.exec(text);
  const behind = compared === null ? changes : changes.filter(({ index }) => index > compared.index);
  const afterComma = behind.filter(({ index }) => /,\s*$/.test(text.slice(0, index)));
  const verb = (compared === null ? undefined : afterComma.at(-1)) ?? behind[0] ?? changes[0];
  if (verb === undefined) return { start: text.length, end: text.length, isOfWhatFollows: false };
  const end = verb.index + verb[0].length;
  if (OPENER.test(verb[0]))
    return behindCause(text, verb[0], end) ?? { start: verb.index, end, isOfWhatFollows: true };
  // `Does it help to reduce noise?` asks of noise.
  const further = [...text.matchAll(FURTHER)].find(
    ({ index }) => index > end && /^\s+(?:(?:to|an?|any)\s+)?$/.test(text.slice(end, index)),
  );
  return {
    start: verb.index,
    end: further === undefined ? end : further.index + further[0].length,
    isOfWhatFollows: false,
  };
}

/** What leads from a cause to the goal: `… work against influenza`. An effect is on something. */
function behindCause(text: string, opener: string, from: number): Change | null {
  const goals = /^how/i.test(opener) ? [GOALS, oneOf(towards.settings)] : ['on'];
  const verb = /^how well/i.test(opener) ? '(?: works?)?' : '';
  for (const those of goals) {
    const link = new RegExp(`${verb} ${those}\\b`, 'i').exec(text.slice(from));
    if (link === null) continue;
    const start = from + link.index;
    return { start, end: start + link[0].length, isOfWhatFollows: false };
  }
  return null;
}

function gerundOf(verb: string): string {
  return `${verb.replace(/e$/, '')}ing`;
}

function oneOf(those: readonly string[]): string {
  return `(?:${those.join('|')})`;
}

function words(those: readonly string[]): RegExp {
  return new RegExp(`\\b${oneOf(those)}\\b`.replaceAll(' ', '\\s+'), 'gi');
}
