import { looksAdjectival } from './adjectives';
import { type Collection, type SourceWords, spellingAt } from './collection';

/** A word or a run of words that may be a topic; `stems` are numbers into the collection's stems. */
export interface Phrase {
  key: string;
  stems: number[];
  /** Indices of the sources that it occurs in, ascending, each with its weight 0–1: in the title, often, once. */
  sources: Int32Array;
  weights: Float64Array;
  titleCount: number;
  count: number;
  /** How often something else than `and` follows, which says nothing of where the noun phrase ends. */
  plainCount: number;
  /** How often of these no further content word follows: a noun phrase's last word ends it, an adjective does not. */
  finalCount: number;
  /** How often of these it stands alone, without content words on either side. */
  freeCount: number;
  /** How often `a` or `an` stands before it: `an exercise program` is one of several. */
  countableCount: number;
}

const MAX_LENGTH = 4;
const MAX_COUNTED = 400_000;

/** Every word and phrase that occurs in enough sources to be a topic, commonest first, at most `limit`. */
export function findPhrases(collection: Collection, limit: number): Phrase[] {
  const minSources = Math.max(
    collection.sources.length < 5 ? 1 : 2,
    Math.floor(collection.sources.length / 2_500),
  );
  const wordSources = countWords(collection);
  const frequent = (stem: number): boolean => (wordSources.get(stem) ?? 0) >= minSources;
  const keys = countPhrases(collection, frequent, minSources, limit);
  return locate(collection, keys);
}

function countWords(collection: Collection): Map<number, number> {
  const counts = new Map<number, number>();
  for (const source of collection.sources) {
    const seen = new Set<number>();
    for (let run = 0; run < source.runs.length; run += 2) {
      for (let at = source.runs[run] ?? 0; at < (source.runs[run + 1] ?? 0); at++)
        seen.add(source.stems[at] ?? -1);
    }
    for (const stem of seen) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

function countPhrases(
  collection: Collection,
  frequent: (stem: number) => boolean,
  minSources: number,
  limit: number,
): string[] {
  let counts = new Map<string, number>();
  for (const source of collection.sources) {
    const seen = new Set<string>();
    eachPhrase(source, frequent, (key) => seen.add(key));
    for (const key of seen) counts.set(key, (counts.get(key) ?? 0) + 1);
    if (counts.size > MAX_COUNTED) counts = new Map([...counts].filter(([, count]) => count > 1));
  }
  return [...counts]
    .filter(([, count]) => count >= minSources)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([key]) => key);
}

/** Calls `visit` for each row of up to four words within a run; a row ends before a word that is not `wanted`. */
export function eachPhrase(
  source: SourceWords,
  wanted: (stem: number) => boolean,
  visit: (key: string, start: number, end: number, run: { start: number; end: number }) => void,
): void {
  for (let at = 0; at < source.runs.length; at += 2) {
    const run = { start: source.runs[at] ?? 0, end: source.runs[at + 1] ?? 0 };
    for (let start = run.start; start < run.end; start++) {
      let key = '';
      for (let end = start + 1; end <= Math.min(run.end, start + MAX_LENGTH); end++) {
        const stem = source.stems[end - 1] ?? -1;
        if (!wanted(stem)) break;
        key = key === '' ? String(stem) : `${key} ${stem}`;
        visit(key, start, end, run);
      }
    }
  }
}

const WHOM =
  /^(?:patients?|participants?|subjects?|volunteers?|individuals|persons?|respondents|groups?|arms?|cohorts?|samples?)$/;

/** A noun phrase that goes on to whom it is about is not at its end: `type 2 diabetic patients`, `control group`. */
export function closesPhrase(collection: Collection, source: SourceWords, end: number): boolean {
  if (end === source.titleLength || source.breaks[end] !== 0) return true;
  const next = spellingAt(collection, source, end);
  if (next?.wordClass !== 'empty') return true;
  return !WHOM.test(next.lower) && !looksAdjectival(spellingAt(collection, source, end - 1)?.lower ?? '');
}

function isJoint(collection: Collection, source: SourceWords, at: number): boolean {
  return source.breaks[at] === 0 && /^(?:and|or)$/.test(spellingAt(collection, source, at)?.lower ?? '');
}

function countable(collection: Collection, source: SourceWords, start: number, end: number): boolean {
  if (/s$/.test(spellingAt(collection, source, end - 1)?.lower ?? '')) return false;
  for (let at = start - 1; at >= Math.max(0, start - 3); at--) {
    if (/^(?:a|an|each|every|one)$/.test(spellingAt(collection, source, at)?.lower ?? '')) return true;
  }
  return false;
}

function locate(collection: Collection, keys: readonly string[]): Phrase[] {
  const stems = new Set(keys.flatMap((key) => key.split(' ').map(Number)));
  const known = (stem: number): boolean => stems.has(stem);
  const found = new Map(
    keys.map((key) => [
      key,
      {
        key,
        inSource: new Map<number, number>(),
        titleCount: 0,
        count: 0,
        plainCount: 0,
        finalCount: 0,
        freeCount: 0,
        countableCount: 0,
      },
    ]),
  );
  collection.sources.forEach((source, index) => {
    eachPhrase(source, known, (key, start, end, run) => {
      const phrase = found.get(key);
      if (phrase === undefined) return;
      const inTitle = start < source.titleLength;
      phrase.count++;
      if (inTitle) phrase.titleCount++;
      const last = end === run.end && closesPhrase(collection, source, end);
      if (end < run.end || !isJoint(collection, source, end)) {
        phrase.plainCount++;
        if (last) phrase.finalCount++;
        if (last && start === run.start) phrase.freeCount++;
      }
      if (countable(collection, source, start, end)) phrase.countableCount++;
      phrase.inSource.set(index, (phrase.inSource.get(index) ?? 0) + (inTitle ? 3 : 1));
    });
  });
  return [...found.values()].map(({ inSource, ...phrase }) => ({
    ...phrase,
    stems: phrase.key.split(' ').map(Number),
    sources: Int32Array.from(inSource.keys()),
    // Mentioned once 0.4, in the title or often towards 1.
    weights: Float64Array.from([...inSource.values()].map((mentions) => mentions / (mentions + 1.5))),
  }));
}
