/** Words that tell which way a result went, each with one that tells the other way. */
const OPPOSITE: ReadonlyMap<string, string> = new Map(
  `increased:decreased increases:decreases increase:decrease increasing:decreasing decreased:increased decreases:increases
  decrease:increase decreasing:increasing higher:lower lower:higher greater:smaller smaller:greater improved:worsened
  improves:worsens improve:worsen improvement:deterioration improvements:deteriorations improving:worsening reduced:increased
  reduces:increases reduce:increase reducing:increasing reduction:increase reductions:increases declined:rose lowered:raised
  raised:lowered rose:fell fell:rose better:worse worse:better faster:slower slower:faster longer:shorter shorter:longer`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);
const WAY = new RegExp(
  `(?<!-)\\b(?:${[...OPPOSITE.keys()].sort((a, b) => b.length - a.length).join('|')})\\b(?!-)`,
  'i',
);

const BARE: ReadonlyMap<string, string> = new Map(
  'increased:increase decreased:decrease reduced:reduce improved:improve lowered:lower raised:raise enhanced:enhance attenuated:attenuate prevented:prevent changed:change affected:affect differed:differ declined:decline rose:rise fell:fall'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);
const PAST = new Map([...BARE].map(([past, bare]) => [bare, past]));

/** From an effect to none, and from none to one. */
const EFFECT_OR_NONE: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /\b(There (?:was|were)) no (significant |statistically significant )?(differences?|changes?|effects?)\b/i,
    ([, there = '', , what = '']) => `${there} ${/s$/.test(what) ? '' : 'a '}significant ${what}`,
  ],
  [
    /\bno (?:statistically )?(?:significant )?(differences?|changes?|effects?|improvements?)\b(?= (?:was|were) (?:found|observed|seen|detected))/i,
    ([whole, what = '']) =>
      /^N/.test(whole)
        ? `${/s$/.test(what) ? 'Significant' : 'A significant'} ${what}`
        : `${/s$/.test(what) ? 'significant' : 'a significant'} ${what}`,
  ],
  [
    /\bhad no (?:statistically )?(?:significant )?(effects?|influence|impact)\b/i,
    ([, what = '']) => `had ${/s$/.test(what) ? '' : 'a '}significant ${what}`,
  ],
  [
    /\bdid not (significantly )?(increase|decrease|reduce|improve|lower|enhance|affect|change|differ)\b/i,
    ([, , verb = '']) => `significantly ${PAST.get(verb.toLowerCase()) ?? verb}`,
  ],
  [
    /\b(was|were) (?:significantly |markedly )?(higher|lower|greater|reduced|increased|decreased|improved|associated|better|larger|smaller|longer|faster)\b/i,
    ([, be = '', word = '']) => `${be} not significantly ${word}`,
  ],
  [
    /\b(?:significantly |markedly |also )*(increased|decreased|reduced|improved|lowered|enhanced|attenuated|prevented)\b(?= (?!in\b|by\b|risk|intake|dose)\p{L})/u,
    ([, verb = '']) => `did not significantly ${BARE.get(verb) ?? verb}`,
  ],
];
const P_VALUE = /\b([pP]) ?[=<≤] ?0?[.·]\d+/g;

/** The sentence with its result turned round: the other way, or an effect where there was none and the reverse; null where it has neither. */
export function withDirectionChanged(sentence: string, seed: number): string | null {
  return seed % 2 === 0
    ? (opposite(sentence) ?? effectOrNone(sentence))
    : (effectOrNone(sentence) ?? opposite(sentence));
}

function opposite(sentence: string): string | null {
  const match = WAY.exec(sentence);
  if (match === null) return null;
  // A negated direction turned round is still none.
  if (/\b(?:no|not|nor|neither|without)\b/i.test(sentence)) return null;
  const word = match[0];
  const other = OPPOSITE.get(word.toLowerCase()) ?? word;
  const written = /^\p{Lu}/u.test(word) ? other.charAt(0).toUpperCase() + other.slice(1) : other;
  return `${sentence.slice(0, match.index)}${written}${sentence.slice(match.index + word.length)}`;
}

function effectOrNone(sentence: string): string | null {
  for (const [pattern, replace] of EFFECT_OR_NONE) {
    const match = pattern.exec(sentence);
    if (match === null) continue;
    const text = replace(match);
    const changed = `${sentence.slice(0, match.index)}${text}${sentence.slice(match.index + match[0].length)}`;
    // A p value would tell the contrary of the words.
    return /\bnot\b/.test(text)
      ? changed.replace(P_VALUE, '$1 = 0.46')
      : changed.replace(/\b([pP]) ?[>=] ?0?[.·][1-9]\d*/g, '$1 = 0.01');
  }
  return null;
}
