import { plainText } from './plain-text';
import { topicStem } from './topic-stem';
import { type WordClass, wordClass } from './word-classes';

/** What planning needs of a source. */
export interface PlannedSource {
  sourceId: string;
  title: string;
  summary: string;
  /** What `mentionsOf` counts in the whole text; absent where that was not read. */
  mentions?: readonly number[] | undefined;
}

/** A word as it is spelt; its stem and class are found once for all its occurrences. */
export interface Spelling {
  text: string;
  lower: string;
  stem: number;
  wordClass: WordClass;
}

/** The words of one source, title first, as numbers into `Collection.spellings`. */
export interface SourceWords {
  sourceId: string;
  spellings: Int32Array;
  /** 1 where something else than a space stands before the word, 2 where a sentence starts. */
  breaks: Uint8Array;
  mentions: readonly number[];
  /** How many of the words are the title's. */
  titleLength: number;
  /** The words' stems, as numbers into `Collection.stems`. */
  stems: Int32Array;
  /** Where phrases may run: start and end (exclusive) of each row of content words with no boundary between them. */
  runs: Int32Array;
}

/** All titles and summaries, in order of source id, as numbers. */
export interface Collection {
  sources: SourceWords[];
  spellings: Spelling[];
  stems: string[];
}

const WORD = /[\p{L}\p{N}]+(?:[-'’.‐‑][\p{L}\p{N}]+)*/gu;
const MAX_TITLE_CHARS = 300;
const MAX_SUMMARY_CHARS = 1_200;

export function readCollection(sources: readonly PlannedSource[]): Collection {
  const spellingIds = new Map<string, number>();
  const stemIds = new Map<string, number>();
  const spellings: Spelling[] = [];
  const stems: string[] = [];
  const spellingOf = (text: string): number => {
    const known = spellingIds.get(text);
    if (known !== undefined) return known;
    const lower = text.toLowerCase().replace(/[‐‑]/g, '-');
    const stemText = topicStem(lower);
    let stem = stemIds.get(stemText);
    if (stem === undefined) {
      stem = stems.length;
      stems.push(stemText);
      stemIds.set(stemText, stem);
    }
    spellings.push({ text, lower, stem, wordClass: wordClass(lower, stemText) });
    spellingIds.set(text, spellings.length - 1);
    return spellings.length - 1;
  };
  const ordered = [...sources].sort((a, b) =>
    a.sourceId < b.sourceId ? -1 : a.sourceId > b.sourceId ? 1 : 0,
  );
  const collection: Collection = {
    spellings,
    stems,
    sources: ordered.map((source) => {
      const ids: number[] = [];
      const breaks: number[] = [];
      const add = (text: string): void => {
        let end = 0;
        for (const match of text.matchAll(WORD)) {
          const between = text.slice(end, match.index);
          const sentence = end === 0 || /[.!?:\n]/.test(between);
          ids.push(spellingOf(match[0]));
          breaks.push(sentence ? 2 : /^\s$/.test(between) ? 0 : 1);
          end = match.index + match[0].length;
        }
      };
      add(quietCapitals(plainText(source.title.slice(0, 2 * MAX_TITLE_CHARS)).slice(0, MAX_TITLE_CHARS)));
      const titleLength = ids.length;
      add(plainText(source.summary.slice(0, MAX_SUMMARY_CHARS)));
      return {
        sourceId: source.sourceId,
        mentions: source.mentions ?? [],
        spellings: Int32Array.from(ids),
        breaks: Uint8Array.from(breaks),
        titleLength,
        stems: new Int32Array(0),
        runs: new Int32Array(0),
      };
    }),
  };
  splitHyphens(collection, spellingOf);
  for (const source of collection.sources) {
    source.stems = source.spellings.map((id) => spellings[id]?.stem ?? -1);
    source.runs = findRuns(collection, source);
  }
  return collection;
}

function findRuns(collection: Collection, source: SourceWords): Int32Array {
  const runs: number[] = [];
  let start = -1;
  for (let at = 0; at <= source.spellings.length; at++) {
    const inside = at < source.spellings.length && isContent(collection, source, at);
    const breaks = at === source.titleLength || (source.breaks[at] ?? 2) > 0;
    if (start >= 0 && (!inside || breaks)) {
      runs.push(start, at);
      start = -1;
    }
    if (inside && start < 0) start = at;
  }
  return Int32Array.from(runs);
}

export function spellingAt(collection: Collection, source: SourceWords, at: number): Spelling | undefined {
  const id = source.spellings[at];
  return id === undefined ? undefined : collection.spellings[id];
}

function isContent(collection: Collection, source: SourceWords, at: number): boolean {
  const spelling = spellingAt(collection, source, at);
  if (spelling === undefined) return false;
  if (spelling.wordClass === 'heavy' || spelling.wordClass === 'light') return true;
  // `vitamin A`, `type 2 diabetes`: a capital letter or a number after a content word belongs to it.
  const before = at > 0 && source.breaks[at] === 0 ? spellingAt(collection, source, at - 1) : undefined;
  if (before === undefined || (before.wordClass !== 'heavy' && before.lower !== 'type')) {
    return spelling.lower === 'type' && /^[12I]+$/.test(spellingAt(collection, source, at + 1)?.text ?? '');
  }
  return /^[A-Z]$/.test(spelling.text) || (/^\d{1,2}$/.test(spelling.text) && before.lower === 'type');
}

/** Where a collection writes both `weight-loss` and `weight loss`, the first is read as the second. */
function splitHyphens(collection: Collection, spellingOf: (text: string) => number): void {
  const split = new Map<number, [number, number]>();
  const apart = new Map<string, [number, number]>();
  collection.spellings.slice().forEach((spelling, id) => {
    const parts = /^(\p{L}{3,})[-‐‑](\p{L}{3,})$/u.exec(spelling.text);
    if (parts?.[1] === undefined || parts[2] === undefined || spelling.wordClass === 'empty') return;
    const both: [number, number] = [spellingOf(parts[1]), spellingOf(parts[2])];
    split.set(id, both);
    apart.set(`${collection.spellings[both[0]]?.stem} ${collection.spellings[both[1]]?.stem}`, both);
  });
  const seen = new Set<string>();
  for (const { spellings, breaks } of collection.sources) {
    for (let at = 1; at < spellings.length; at++) {
      if (breaks[at] !== 0) continue;
      const key = `${collection.spellings[spellings[at - 1] ?? 0]?.stem} ${collection.spellings[spellings[at] ?? 0]?.stem}`;
      if (apart.has(key)) seen.add(key);
    }
  }
  for (const [id, both] of split) {
    if (!seen.has(`${collection.spellings[both[0]]?.stem} ${collection.spellings[both[1]]?.stem}`))
      split.delete(id);
  }
  for (const source of collection.sources) {
    if (!source.spellings.some((id) => split.has(id))) continue;
    const ids: number[] = [];
    const breaks: number[] = [];
    let titleLength = 0;
    source.spellings.forEach((id, at) => {
      const both = split.get(id);
      ids.push(...(both ?? [id]));
      breaks.push(source.breaks[at] ?? 2, ...(both ? [0] : []));
      if (at === source.titleLength - 1) titleLength = ids.length;
    });
    Object.assign(source, { spellings: Int32Array.from(ids), breaks: Uint8Array.from(breaks), titleLength });
  }
}

/** A title set in capitals tells nothing about which of its words are names. */
function quietCapitals(title: string): string {
  const letters = title.match(/\p{L}/gu)?.length ?? 0;
  const capitals = title.match(/\p{Lu}/gu)?.length ?? 0;
  return letters > 12 && capitals > 0.7 * letters ? title.toLowerCase() : title;
}
