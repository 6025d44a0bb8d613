import type { SourceWindow } from '../../../contracts/source/passage';
import { splitSentences } from '../../../language/sentences';

/**
 * Sources with a share of their text: the longest are shortened first, each to its first passages, and every source keeps some.
 * Null where nothing can be left out. With `passagesAreWhole` no passage is shortened.
 */
export function shortenedSources(
  sources: readonly SourceWindow[],
  share: number,
  { passagesAreWhole = false } = {},
): SourceWindow[] | null {
  const lengths = sources.map(lengthOf);
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const most = evenCap(lengths, whole * share);
  const shortened = sources.map((source) => ({
    ...source,
    passages: passagesAreWhole ? firstWhole(source.passages, most) : firstPassages(source.passages, most),
  }));
  return shortened.reduce((sum, source) => sum + lengthOf(source), 0) < whole ? shortened : null;
}

/** Parts of a text under "## " headings, each with its first sentences; null where nothing can be left out. */
export function shortenedText(markdown: string, share: number): string | null {
  const parts = markdown.split(/^(?=## )/m);
  const most = evenCap(
    parts.map(({ length }) => length),
    markdown.length * share,
  );
  const shortened = parts
    .map((part) => (part.length <= most ? part : `${firstSentences(part, most)}\n\n`))
    .join('');
  return shortened.length < markdown.length ? shortened : null;
}

function lengthOf({ passages }: SourceWindow): number {
  return passages.reduce((sum, { text }) => sum + text.length, 0);
}

/** The length that all lengths are cut to so that they have `total` together. */
function evenCap(lengths: readonly number[], total: number): number {
  let left = total;
  let count = lengths.length;
  for (const length of [...lengths].sort((a, b) => a - b)) {
    if (length * count > left) return left / count;
    left -= length;
    count -= 1;
  }
  return Infinity;
}

type Passages = SourceWindow['passages'];

function firstWhole(passages: Passages, most: number): Passages {
  let chars = 0;
  return passages.filter(({ text }, at) => (chars += text.length) <= most || at === 0);
}

function firstPassages(passages: Passages, most: number): Passages {
  const kept: Passages = [];
  let left = most;
  for (const passage of passages) {
    if (left <= 0) break;
    const text = passage.text.length <= left ? passage.text : firstSentences(passage.text, left);
    left -= passage.text.length;
    if (text === '') break;
    kept.push(
      text.length === passage.text.length ? passage : { ...passage, end: passage.start + text.length, text },
    );
  }
  return kept;
}

/** As many whole sentences as fit; of a sentence that is longer, its words. */
function firstSentences(text: string, most: number): string {
  const end = splitSentences(text).reduce(
    (last, sentence) => (sentence.end <= most ? sentence.end : last),
    0,
  );
  if (end > 0) return text.slice(0, end);
  const space = text.lastIndexOf(' ', most);
  return text.slice(0, space > 0 ? space : Math.floor(most));
}
