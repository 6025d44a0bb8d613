import { type Collection, spellingAt } from './collection';
import { closesPhrase, type Phrase } from './phrases';

/** Finds how phrases are written: the commonest form, with capitals only where running text has them too. */
export function phraseWriter(collection: Collection): (phrase: Phrase) => string {
  const running = new Int32Array(collection.spellings.length);
  for (const source of collection.sources) {
    const trustTitle = titleIsSentenceCase(collection, source);
    source.spellings.forEach((spelling, at) => {
      const inTitle = at < source.titleLength;
      if (source.breaks[at] !== 2 && (!inTitle || trustTitle))
        running[spelling] = (running[spelling] ?? 0) + 1;
    });
  }
  const best = new Map<string, { text: string; count: number }>();
  const lowered = new Map<string, number>();
  collection.spellings.forEach((spelling, at) => {
    const count = running[at] ?? 0;
    if (spelling.text === spelling.lower) lowered.set(spelling.lower, count);
    const known = best.get(spelling.lower);
    if (known === undefined || count > known.count) best.set(spelling.lower, { text: spelling.text, count });
  });
  const cased = (lower: string): string => {
    if (/^\p{L}$/u.test(lower)) return lower.toUpperCase();
    const known = best.get(lower);
    if (known === undefined || known.text === lower) return lower;
    const plain = lowered.get(lower) ?? 0;
    if (plain >= 0.25 * known.count && plain > 0) return lower;
    // Seen only at the start of sentences or in titles: capitals within the word are its own, a first one is not.
    return known.count === 0 && !/[\p{Lu}\d]/u.test(known.text.slice(1)) ? lower : known.text;
  };
  const forms = new Map<string, string>();
  return (phrase) => {
    const known = forms.get(phrase.key);
    if (known !== undefined) return known;
    const written = commonestForm(collection, phrase).split(' ').map(cased).join(' ');
    forms.set(phrase.key, written);
    return written;
  };
}

function titleIsSentenceCase(collection: Collection, source: Collection['sources'][number]): boolean {
  let capitals = 0;
  for (let at = 0; at < source.titleLength; at++)
    if (/^\p{Lu}\p{Ll}/u.test(spellingAt(collection, source, at)?.text ?? '')) capitals++;
  return source.titleLength >= 6 && capitals < 0.35 * source.titleLength;
}

/** Things that are counted stand in the plural where the sources have one: `exercise programs`, but `weight loss`. */
const COUNTED = 0.2;

function commonestForm(collection: Collection, phrase: Phrase): string {
  const counts = new Map<string, number>();
  const length = phrase.stems.length;
  for (const index of phrase.sources) {
    const source = collection.sources[index];
    if (source === undefined) continue;
    for (
      let start = source.stems.indexOf(phrase.stems[0] ?? -1);
      start >= 0;
      start = source.stems.indexOf(phrase.stems[0] ?? -1, start + 1)
    ) {
      if (!phrase.stems.every((stem, at) => source.stems[start + at] === stem)) continue;
      const words = phrase.stems.map((_stem, at) => spellingAt(collection, source, start + at)?.lower ?? '');
      const form = words.slice(0, length).join(' ');
      // Where more words follow it may be an adjective: `type 2 diabetic patients`.
      const ends =
        endsRun(source.runs, start + length) && closesPhrase(collection, source, start + length) ? 10 : 1;
      counts.set(form, (counts.get(form) ?? 0) + ends * (start < source.titleLength ? 2 : 1));
    }
  }
  const ordered = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([form]) => form);
  const commonest = ordered[0] ?? '';
  const plural = ordered.find((form) => form === `${commonest}s` || form === `${commonest}es`);
  if (plural === undefined) return commonest;
  const isCounted = phrase.countableCount >= 2 && phrase.countableCount >= COUNTED * phrase.count;
  return isCounted || (counts.get(plural) ?? 0) >= 0.5 * (counts.get(commonest) ?? 0) ? plural : commonest;
}

function endsRun(runs: Int32Array, end: number): boolean {
  for (let at = 1; at < runs.length; at += 2) if (runs[at] === end) return true;
  return false;
}
