import { stemOf, STOP_WORDS } from '../language/words';

/** Texts of one source in which a phrase may stand. */
export interface PhraseSource {
  id: string;
  title: string;
  /** What was chosen of it. */
  sentences: readonly string[];
}

/** A phrase that sources share, with those that have it. */
export interface SharedPhrase {
  text: string;
  stems: readonly string[];
  sourceIds: ReadonlySet<string>;
}

const LONGEST = 4;
/** A title's words behind a colon mostly say how it was done, not what it is about. */
const SUBTITLE = /:\s.*$/su;
const RUN_END = /[^\p{L}\p{M}\p{N}\s'’-]+/u;
/** A phrase names a topic where so much of its use is in what was chosen, not in titles alone. */
const SAID_SHARE = 0.34;
/** Of several ways in which a phrase is written the one that most sources have is told. */
interface Found {
  stems: string[];
  inTitles: Set<string>;
  inSentences: Set<string>;
  spellings: Map<string, number>;
}

/**
 * The phrases of two to four words, and the long single words, that stand in the titles of several sources and in their
 * sentences, without function words and numbers. Words of the question alone name no part of it.
 */
export function sharedPhrases(
  sources: readonly PhraseSource[],
  asked: ReadonlySet<string>,
  least: number,
): SharedPhrase[] {
  const found = new Map<string, Found>();
  for (const { id, title } of sources) {
    for (const words of phrasesIn(title.replace(SUBTITLE, ''))) {
      const stems = words.map((word) => stemOf(word.toLowerCase()));
      const key = stems.join(' ');
      const phrase = found.get(key) ?? {
        stems,
        inTitles: new Set(),
        inSentences: new Set(),
        spellings: new Map<string, number>(),
      };
      phrase.inTitles.add(id);
      found.set(key, phrase);
    }
  }
  for (const { id, sentences } of sources) {
    for (const words of sentences.flatMap(phrasesIn)) {
      const phrase = found.get(words.map((word) => stemOf(word.toLowerCase())).join(' '));
      if (phrase === undefined) continue;
      phrase.inSentences.add(id);
      const spelling = words.join(' ');
      phrase.spellings.set(spelling, (phrase.spellings.get(spelling) ?? 0) + 1);
    }
  }
  return [...found.values()].flatMap(({ stems, inTitles, inSentences, spellings }) => {
    const sourceIds = new Set([...inTitles, ...inSentences]);
    const isSaid = inSentences.size >= SAID_SHARE * sourceIds.size && spellings.size > 0;
    const isNew = stems.some((stem) => !asked.has(stem));
    if (sourceIds.size < least || inTitles.size < 2 || !isSaid || !isNew) return [];
    return [{ text: mostCommon(spellings), stems, sourceIds }];
  });
}

/** Runs of one to four words that no mark and no function word parts; a single word is long, and no number is one. */
function phrasesIn(text: string): string[][] {
  const runs = text.split(RUN_END).flatMap((part) => {
    const words = part.split(/\s+/).filter((word) => word !== '');
    const parted: string[][] = [[]];
    for (const word of words) {
      if (STOP_WORDS.has(word.toLowerCase()) || !/^\p{L}/u.test(word)) parted.push([]);
      else parted.at(-1)?.push(word);
    }
    return parted;
  });
  return runs.flatMap((run) =>
    run.flatMap((_word, from) =>
      Array.from({ length: Math.min(LONGEST, run.length - from) }, (_, more) =>
        run.slice(from, from + more + 1),
      ),
    ),
  );
}

function mostCommon(spellings: ReadonlyMap<string, number>): string {
  const [best] = [...spellings].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return best?.[0] ?? '';
}
