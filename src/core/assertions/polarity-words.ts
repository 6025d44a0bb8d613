/** `change`: a difference of unsaid direction; `equal`: the same as before or as the other; `effective`: better. */
export type CueMeaning = 'up' | 'down' | 'better' | 'worse' | 'change' | 'equal' | 'effective';
export type CuePart = 'verb' | 'noun' | 'comparative' | 'link';

export interface CueWord {
  meaning: CueMeaning;
  parts: ReadonlySet<CuePart>;
  /** A past or participle form: `was reduced` is passive. */
  participle: boolean;
}

const cues = new Map<string, { meaning: CueMeaning; parts: Set<CuePart>; participle: boolean }>();

function add(word: string, meaning: CueMeaning, part: CuePart, participle = false): void {
  const known = cues.get(word);
  if (known) known.parts.add(part);
  else cues.set(word, { meaning, parts: new Set([part]), participle });
}

function verbs(meaning: CueMeaning, list: string): void {
  for (const verb of list.split(/\s+/)) {
    const root = verb.endsWith('e') ? verb.slice(0, -1) : verb === 'drop' ? 'dropp' : verb;
    add(verb, meaning, 'verb');
    add(
      /(?:s|sh|ch|x)$/.test(verb)
        ? `${verb}es`
        : /[^aeiou]y$/.test(verb)
          ? `${verb.slice(0, -1)}ies`
          : `${verb}s`,
      meaning,
      'verb',
    );
    add(/[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${root}ed`, meaning, 'verb', true);
    add(`${root}ing`, meaning, 'verb');
  }
}

function nouns(meaning: CueMeaning, list: string): void {
  for (const noun of list.split(/\s+/)) {
    add(noun, meaning, 'noun');
    add(`${noun}s`, meaning, 'noun');
  }
}

function forms(meaning: CueMeaning, part: CuePart, list: string, participle = false): void {
  for (const word of list.split(/\s+/)) add(word, meaning, part, participle);
}

verbs(
  'up',
  'increase raise elevate augment boost heighten prolong accelerate stimulate lengthen double triple',
);
forms('up', 'verb', 'rise rises rising grow grows growing gain gains gaining');
forms('up', 'verb', 'rose risen grew grown gained', true);
verbs(
  'down',
  'decrease reduce lower decline diminish drop lessen attenuate suppress inhibit shorten slow blunt shrink minimise minimize depress weaken prevent curb halve',
);
forms('down', 'verb', 'fall falls falling lose loses losing cut cuts cutting');
forms('down', 'verb', 'fell fallen lost', true);
verbs(
  'better',
  'improve enhance ameliorate benefit restore alleviate relieve mitigate optimise optimize ease',
);
verbs('worse', 'worsen impair deteriorate exacerbate harm aggravate compromise');
verbs('change', 'change alter affect influence differ impact modify modulate');
nouns('up', 'increase rise elevation gain growth increment');
nouns(
  'down',
  'reduction decrease decline drop fall decrement loss attenuation inhibition suppression lowering',
);
nouns('better', 'improvement enhancement benefit amelioration relief superiority');
nouns('worse', 'deterioration worsening impairment aggravation');
nouns(
  'change',
  'difference change effect impact influence association correlation relationship alteration interaction advantage',
);
forms('up', 'comparative', 'higher greater larger longer faster stronger more increased elevated raised');
forms('down', 'comparative', 'lower less fewer smaller shorter slower weaker decreased reduced lowered');
forms('better', 'comparative', 'better superior improved enhanced');
forms('worse', 'comparative', 'worse inferior poorer impaired');
forms('equal', 'comparative', 'similar comparable unchanged unaffected unaltered equivalent equal identical');
forms('effective', 'comparative', 'effective efficacious beneficial');
forms('change', 'comparative', 'different');
forms('change', 'link', 'associated correlated linked related predictive correlate correlates');
cues.set('ineffective', { meaning: 'equal', parts: new Set(['comparative']), participle: false });

/** The polarity words of English reports by word form, in lower case. */
export const CUES: ReadonlyMap<string, CueWord> = cues;

export const NEGATIONS: ReadonlySet<string> = new Set([
  'not',
  'no',
  'neither',
  'nor',
  'never',
  'without',
  'cannot',
  "didn't",
  "doesn't",
  "don't",
  "wasn't",
  "weren't",
  "isn't",
  "hasn't",
  'failed',
  'fails',
  'fail',
  'failing',
  'unable',
  'lack',
  'lacked',
  'absence',
  'none',
  'non-significant',
  'nonsignificant',
  'non-significantly',
  'little',
  'unlikely',
  'hardly',
  'negligible',
  'insignificant',
]);
