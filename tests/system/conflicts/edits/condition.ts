type Replacement = readonly [pattern: RegExp, replace: (match: RegExpExecArray) => string];

const NOUN = '(?:(?!\\bnot\\b)[^,;()])+?';
const END = '(?=[,;(.]|$)';
const PLACED = 'in|at|after|during|within|under|before|following';

/** Each turns the condition under which a result holds into one under which it cannot hold as well; the result stays as it is. */
const CONDITIONS: readonly Replacement[] = [
  [/\bindependently (?:of|from)\b/, () => 'depending on'],
  [/\bindependent (?:of|from)\b/, () => 'dependent on'],
  [/\b(?:regardless|irrespective) of\b/, () => 'depending on'],
  [/\b(?:did not depend|was not dependent|were not dependent) on\b/, () => 'depended on'],
  [/(?<!not )\bdependent (?:up)?on\b/, () => 'independent of'],
  [
    /(?<!\bnot (?:\w+ )?)\b(?:(?:even|also) )?(after|when) (adjust(?:ing|ment)|controlling|correct(?:ing|ion)|accounting) for\b/i,
    ([whole, , act = '']) => `${/^\p{Lu}/u.test(whole) ? 'Before' : 'before'}, but not after, ${act} for`,
  ],
  // "in normoxia but not in hypoxia"
  [
    new RegExp(`\\b(${PLACED}) (the )?(${NOUN}),? but not (?:\\1) (the )?(${NOUN})${END}`),
    ([, at = '', the = '', first = '', alsoThe = '', second = '']) =>
      `${at} ${alsoThe}${second} but not ${at} ${the}${first}`,
  ],
  // "both at rest and during exercise", "at 3 months and at 6 months"
  [
    new RegExp(`\\b(?:both )?\\b(${PLACED}) (${NOUN}),? and (?:also )?(\\1) (${NOUN})${END}`),
    ([, at = '', first = '', , second = '']) => `${at} ${first} but not ${at} ${second}`,
  ],
  [
    new RegExp(`\\bboth (${PLACED}) (${NOUN}) and (${PLACED}) (${NOUN})${END}`),
    ([, at = '', first = '', too = '', second = '']) => `${at} ${first} but not ${too} ${second}`,
  ],
  // "at 3 and 6 months"
  [
    /\b(at|after) (\d+|two|three|four|six|eight) and (\d+|three|four|six|eight|ten|twelve) (hours|h|days|weeks|months|years)\b/,
    ([, at = '', first = '', second = '', unit = '']) => `${at} ${first} but not ${at} ${second} ${unit}`,
  ],
  [
    /\bonly (?=(?:in|at|after|during|with|when|within|if|before|on|under|for|following)\b)/,
    () => 'not only ',
  ],
  [/\bwith (?:or|and) without\b/, () => 'with but not without'],
  [/\bin the absence of\b/, () => 'in the presence of'],
  [/\bin the presence of\b/, () => 'in the absence of'],
  [
    /\b(before|after) (?=(?:the |each |main )?(?:meals?|breakfast|lunch|dinner|exercise|bedtime|sleep|surgery|menopause|discharge|birth)\b)/i,
    ([, when = '']) => (/b/i.test(when) ? 'after ' : 'before '),
  ],
];

/** What holds for other people than those who were studied is another population, and no other condition. */
const PEOPLE =
  /\b(?:men|women|boys|girls|children|adults|patients|participants|subjects|infants|individuals|adolescents|mothers|males?|females?|people|those|users|students|mice|rats)\b/i;

/** The sentence with its condition changed; null where it tells none that can be turned round. */
export function withConditionChanged(sentence: string): string | null {
  for (const [pattern, replace] of CONDITIONS) {
    const match = pattern.exec(sentence);
    if (match === null || (/not|only|without|and/.test(match[0]) && PEOPLE.test(match[0]))) continue;
    return `${sentence.slice(0, match.index)}${replace(match)}${sentence.slice(match.index + match[0].length)}`;
  }
  return null;
}
