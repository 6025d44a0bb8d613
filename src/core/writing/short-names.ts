import { groupedBy } from '../values/grouped-by';
import { type Attributable, authorNames, clip, yearOf } from './attribution';

const MAX_TITLE_CHARS = 40;

/**
 * A name a source, as short as it can be told from the others by: `Doe 2010`, of several such sources `Doe 2010a` and
 * `Doe 2010b` in the order given; without an author the beginning of its title.
 */
export function shortNames(sources: readonly (Attributable & { id: string })[]): Map<string, string> {
  return new Map(
    [...groupedBy(sources, nameOf)].flatMap(([name, own]) =>
      own.map(({ id }, at) => [id, own.length === 1 ? name : `${name}${distinction(name, at)}`] as const),
    ),
  );
}

function nameOf(source: Attributable): string {
  const [author] = authorNames(source.author);
  const year = yearOf(source.publishedAt);
  return [author ?? `“${clip(source.title, MAX_TITLE_CHARS)}”`, ...(year === undefined ? [] : [year])].join(
    ' ',
  );
}

/** `a`, `b`, … behind a year, ` (2)` behind a name alone or where the letters are used up. */
function distinction(name: string, index: number): string {
  const letter = 'abcdefghijklmnopqrstuvwxyz'.charAt(index);
  return /\d$/.test(name) && letter !== '' ? letter : ` (${index + 1})`;
}
