import { placedWords } from '../../language/word-positions';
import { STOP_WORDS } from '../../language/words';

/**
 * Which one of what two texts share a text gives its figure of: the words of its matter right before the shared words nearest
 * before the figure, or behind their “of”: `northern` crater, bond energy of `hydrogen`. Empty where it says no more than the other.
 */
export function ownWordsOf(
  text: string,
  figure: number,
  { shared, matter }: { shared: ReadonlySet<string>; matter: ReadonlySet<string> },
): string[] {
  const words = placedWords(text);
  const last = words.findLastIndex(({ stem, start }) => start < figure && shared.has(stem));
  if (last < 0) return [];
  let first = last;
  while (shared.has(words[first - 1]?.stem ?? '')) first -= 1;
  const behind = words[last + 1]?.word === 'of' ? [words[last + 2]] : [];
  return [words[first - 1], ...behind].flatMap((word) =>
    word !== undefined && matter.has(word.stem) && !shared.has(word.stem) ? [word.stem] : [],
  );
}

/** What a text gives its figure of: the words of its matter in a row right before it, but for function words: `neutron lifetime of 878 s`. */
export function namedBefore(text: string, figure: number, matter: ReadonlySet<string>): string[] {
  const words = placedWords(text.slice(0, figure));
  const before = words.slice(0, 1 + words.findLastIndex(({ word }) => !STOP_WORDS.has(word)));
  const from = before.findLastIndex(({ stem }) => !matter.has(stem));
  return before.slice(from + 1).map(({ stem }) => stem);
}
