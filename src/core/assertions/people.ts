import { STOP_WORDS, stemOf, words } from '../../language/words';
import type { AgeGroup, Population } from './assertion';

const PEOPLE =
  'patients?|women|woman|men|males?|females?|boys?|girls?|children|child|infants?|newborns?|neonates?|toddlers?|preschoolers?|schoolchildren|adolescents?|teenagers?|youths?|adults?|elderly|seniors?|people|persons?|individuals?|participants?|subjects?|volunteers?|students?|athletes?|cyclists?|runners?|players?|soldiers?|workers?|employees?|nurses?|teachers?|survivors?|recipients?|smokers?|users?|mothers?|veterans?|residents?|families|households|mice|rats?|pigs?|piglets?|hamsters?|dogs?|cows?|goats?|kids|horses?|chickens?|broilers?|monkeys?|animals?';

/** A group of people, with the words before it and what they have or are (`with type 2 diabetes`, `at risk of …`). */
const GROUP = new RegExp(
  `\\b(?:in|among|of|for|by|to|with|on|from|between|if)\\s+((?:(?!(?:in|among|of|for|by|to|with|on|from|the effects?|group)\\b)[\\p{L}\\d/-]+,?\\s+(?:and\\s+|or\\s+)?){0,7}(?:${PEOPLE})\\b(?:\\s+(?:with|without|who|undergoing|suffering from|at (?:high |increased )?risk (?:of|for)|aged)\\s+(?:(?!(?:was|were|is|are|had|in|on|after|compared|than|at|from|to|over|during|for|by|did|show|showed|has|have|treated)\\b)[\\p{L}\\d/-]+\\s?){1,9})?)`,
  'giu',
);
/** A title may begin with its people: `Older adults' …` is rare, `… (women with …)` is not; the last resort. */
const LEADING = new RegExp(
  `^((?:(?!(?:in|for|of|with|on|to|and|among)\\b)[\\p{L}-]+\\s+){0,4}(?:${PEOPLE}))\\s+(?:with|who|in|had|showed|receiving|given|taking)\\b`,
  'iu',
);

const AGES: readonly [AgeGroup, RegExp][] = [
  ['infant', /\b(?:infants?|newborns?|neonat\w+|bab(?:y|ies)|toddlers?|preterm)\b/i],
  [
    'child',
    /\b(?:child(?:ren)?|preschool\w*|school-?children|schoolchildren|pa?ediatric|boys?|girls?|pupils?)\b/i,
  ],
  ['adolescent', /\b(?:adolescents?|teen\w*|youths?|adolescence)\b/i],
  [
    'older',
    /\b(?:older|elderly|aged people|seniors?|geriatric|postmenopausal|post-menopausal|frail|nursing[- ]home|long-term care)\b/i,
  ],
  ['young', /\b(?:young|college|university|premenopausal|pre-menopausal|students)\b/i],
  ['adult', /\b(?:middle-aged|adults?)\b/i],
];
const FEMALE = /\b(?:wom[ae]n|females?|girls?|mothers?|pregnan\w+|postmenopausal|premenopausal|lactating)\b/i;
const MALE = /\b(?:m[ae]n|males?|boys?|fathers?)\b/i;
const GROWN_UP =
  /\b(?:wom[ae]n|m[ae]n|mothers|veterans|workers|employees|soldiers|smokers|nurses|teachers)\b/i;
const ANIMAL =
  /\b(?:mice|mouse|rats?|pigs?|piglets?|hamsters?|dogs?|cows?|goats?|goat kids|horses?|chickens?|broilers?|monkeys?|retrievers|animals?)\b/i;

const stems = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).map(stemOf));
/** They name people without telling which. */
const ANYBODY = stems(
  `patient patients women woman men man male female males females boys girls child children infant infants newborn adolescent adolescents
  adult adults elderly older young younger people person persons individual individuals participant participants subject subjects volunteer
  volunteers group groups resident residents living aged age treatment intervention control placebo study trial randomized randomised
  receiving received taking given assigned supplemented treated human humans community dwelling community-dwelling free-living self
  preschool school schoolchildren youth teenagers senior seniors rat rats mice pigs years year old month months week weeks suffering undergoing risk high all
  two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety hundred both most many mean total large small significant severe moderate mild chronic very acute stable improved first second third last same similar number proportion percentage`,
);

/** The people a text speaks of; null where it names none in particular. */
export function populationIn(text: string): Population | null {
  const groups = [...text.matchAll(GROUP)].map((match) => match[1] ?? '');
  const leading = LEADING.exec(text)?.[1];
  if (leading !== undefined) groups.unshift(leading);
  const informative = groups.map(populationOf).filter((population) => population !== null);
  return informative.reduce<Population | null>((all, one) => mergePeople(all, one), null);
}

/** What comes after it is what people have, or have not, whatever else they are. */
const HAVING = /\b(with|without|suffering from|at (?:high |increased )?risk (?:of|for)|undergoing)\s+(.+)$/i;

function populationOf(text: string): Population | null {
  const having = HAVING.exec(text);
  const lacks = having?.[1]?.toLowerCase() === 'without';
  const has = termsOf(having?.[2] ?? '').map((term) => (lacks ? `no-${term}` : term));
  const terms = [...termsOf(having === null ? text : text.slice(0, having.index)), ...has];
  const ages = AGES.filter(([, pattern]) => pattern.test(text)).map(([age]) => age);
  // "young women" are not women of any age; "adults" adds nothing to "older adults".
  const sharp = ages.filter((age) => age !== 'adult' || ages.length === 1);
  if (sharp.length === 0 && GROWN_UP.test(text)) sharp.push('adult');
  const sexes = [
    ...(FEMALE.test(text) ? ['female' as const] : []),
    ...(MALE.test(text) ? ['male' as const] : []),
  ];
  const animals = ANIMAL.test(text);
  if (terms.length === 0 && sharp.length === 0 && sexes.length === 0 && !animals) return null;
  return { ages: sharp, sexes, animals, terms: [...new Set(terms)].sort(), having: has, text: text.trim() };
}

/** `type 1` and `type 2` are one term each: the number tells them apart. */
const NUMBERED_TYPE = /^type-/;

function termsOf(text: string): string[] {
  return words(text.replace(/\btype (\d|I{1,2})\b/gi, 'type-$1'))
    .flatMap((word) => (/^\p{L}{3,}(?:-\p{L}{3,})+$/u.test(word) ? word.split('-') : [word]))
    .filter((word) => !STOP_WORDS.has(word) && !/^[\d.]+$/.test(word) && word.length > 1)
    .map(stemOf)
    .filter((term) => !ANYBODY.has(term));
}

const TITLE_END = /\bin ((?:(?!in\b)[\p{L}\d-]+ ){0,4}[\p{L}\d-]+)(?:\s*[:;,.]|$)/u;

/** A title often ends in what the people have, without the people: "… in schizophrenia". */
export function conditionIn(title: string): Population | null {
  const text = TITLE_END.exec(title)?.[1];
  return text === undefined ||
    /\b(?:trial|study|pilot|design|review|analysis|programme?|setting|schools?|care|practice|vivo|vitro)\b/i.test(
      text,
    )
    ? null
    : populationOf(text);
}

/** What the first tells, and the second where the first is silent. */
export function mergePeople(first: Population | null, second: Population | null): Population | null {
  if (first === null) return second;
  if (second === null) return first;
  return {
    ages: first.ages.length > 0 ? first.ages : second.ages,
    sexes: first.sexes.length > 0 ? first.sexes : second.sexes,
    animals: first.animals || second.animals,
    terms: [...new Set([...first.terms, ...second.terms])].sort(),
    having: [...new Set([...first.having, ...second.having])],
    text: first.text === second.text ? first.text : `${first.text}; ${second.text}`,
  };
}

/** In whom two populations clearly differ, in plain words; null where nothing that both tell differs. */
export function peopleDiffer(a: Population | null, b: Population | null): string | null {
  if (a === null || b === null) return null;
  const told = `the people differ (${a.text} and ${b.text})`;
  if (a.animals !== b.animals) return told;
  if (
    a.ages.length > 0 &&
    b.ages.length > 0 &&
    !a.ages.some((age) => b.ages.some((other) => agesMeet(age, other)))
  )
    return told;
  if (a.sexes.length > 0 && b.sexes.length > 0 && !a.sexes.some((sex) => b.sexes.includes(sex))) return told;
  if (disjoint(a.terms, b.terms)) return told;
  return haveOther(a, b) || haveOther(b, a) ? told : null;
}

/** What the first have is not said of the others, of whom something else is said: "with asthma" beside "with anaemia". */
function haveOther(a: Population, b: Population): boolean {
  const type = (people: Population): string | undefined =>
    people.terms.find((term) => NUMBERED_TYPE.test(term));
  if (type(a) !== undefined && type(b) !== undefined && type(a) !== type(b)) return true;
  return (
    a.having.length > 0 && disjoint(a.having, b.terms) && b.terms.some((term) => !a.terms.includes(term))
  );
}

/** Both say something, and nothing of it is the same. */
function disjoint(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && other.length > 0 && !one.some((term) => other.includes(term));
}

function agesMeet(a: AgeGroup, b: AgeGroup): boolean {
  if (a === b) return true;
  const pair = `${a} ${b}`;
  return pair === 'adult older' || pair === 'older adult' || pair === 'adult young' || pair === 'young adult';
}
