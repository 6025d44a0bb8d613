import stem from 'wink-porter2-stemmer';

/** English function words, and words that every text on any subject uses; they tell nothing about what a text is about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above across after again against all almost alone along already also although always am among an and another any
  anyone anything are around as at away be became because become becomes been before behind being below between both but by
  came can cannot could did do does doing done down during each either else enough especially even ever every few first for from
  further furthermore get gets give given go goes had has have having he hence her here hers herself him himself his how however
  i if in indeed instead into is it its itself just keep kept last least less let like likely made mainly make makes many may me
  might mine more moreover most mostly much must my myself near neither never nevertheless next no nobody none nor not nothing now
  nowhere of off often on once one only onto or other others otherwise our ours ourselves out over own per perhaps put quite rather
  really same second see seem seemed seems several shall she should since so some somehow something sometimes somewhat still such
  take than that the their theirs them themselves then there thereby therefore these they third this those though through
  throughout thus to together too toward towards two under until up upon us use used uses using very via was we well were what
  whatever when whenever where whereas whether which while who whole whom whose why will with within without would yet you your
  yours yourself yourselves`.split(/\s+/),
);

const WORD = /[\p{L}\p{N}]+(?:[-'’.][\p{L}\p{N}]+)*/gu;

/** The words of a text in lower case, in order; hyphens, apostrophes and points inside a word stay. */
export function words(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

const stems = new Map<string, string>();

/** The Porter2 stem of a lower-case word; numbers and words with digits stay as they are. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const plain = word.replace(/['’]s$/, '');
  const result = /\d/.test(plain) ? plain : stem(plain);
  if (stems.size > 200_000) stems.clear();
  stems.set(word, result);
  return result;
}

/** The stems of a text's content words, in order, with repeats. */
export function terms(text: string): string[] {
  return words(text)
    .filter((word) => !STOP_WORDS.has(word) && word.length > 1)
    .map(stemOf);
}
