import { replaceMarks } from '../../core/text/citation-marks';

/** Names that are short enough for a model to repeat without a mistake, and that no text from outside can choose. */
export interface ShortIds {
  /** `S1` for the first id, and so on. Throws for an id that was not given. */
  shortOf(id: string): string;
  /** The id behind what a model wrote: `S1`, `[S1]`, `s1`, `Source S1`, `Source 1`, `1`, `S1: A title`; undefined for anything else. */
  idOf(written: string): string | undefined;
}

/** What the things are called that a prompt gives short ids. */
const NAMES = { S: 'source', F: 'finding', P: '(?:plan|passage)', T: 'sentence' };

export function shortIds(prefix: 'S' | 'F' | 'P' | 'T', ids: readonly string[]): ShortIds {
  const places = new Map<string, number>();
  for (const id of ids) if (!places.has(id)) places.set(id, places.size + 1);
  const byPlace = new Map([...places].map(([id, place]) => [place, id]));
  const name = `(?:${Object.values(NAMES).join('|')})?s?[\\s_:#]*`;
  // A number alone is one of the ids that are asked for; `Finding 1` is no source.
  const label = `${name}${prefix}\\s?(\\d{1,6})(?:\\s*[:,†(|–-]\\s*(?!S?\\d)\\S.*)?|(?:${NAMES[prefix]}s?[\\s_:#]*)?(\\d{1,6})`;
  const pattern = new RegExp(`^["'\\s]*[\\[(［【]*\\s*(?:${label})\\s*[\\])］】]*["'.:\\s]*$`, 'is');
  return {
    shortOf(id) {
      const place = places.get(id);
      if (place === undefined) throw new Error(`"${id}" has no short id.`);
      return `${prefix}${place}`;
    },
    idOf(written) {
      const [, labelled, alone] = pattern.exec(written) ?? [];
      const number = labelled ?? alone;
      return number === undefined ? undefined : byPlace.get(Number(number));
    },
  };
}

/** `S1` and so on, in the order of the sources. */
export function sourceShortIds(sources: readonly { sourceId: string }[]): ShortIds {
  return shortIds(
    'S',
    sources.map(({ sourceId }) => sourceId),
  );
}

/** `F1` and so on, in the order of the findings. */
export function findingShortIds(findings: readonly { id: string }[]): ShortIds {
  return shortIds(
    'F',
    findings.map(({ id }) => id),
  );
}

/** How a prompt cites ids, as `[S1][S3]`; ids that none of these has are left out. */
export function citedAs(
  sources: ShortIds,
  given: readonly { sourceId: string }[],
): (ids: readonly string[]) => string {
  const known = new Set(given.map(({ sourceId }) => sourceId));
  return (ids) =>
    ids
      .filter((id) => known.has(id))
      .map((id) => `[${sources.shortOf(id)}]`)
      .join('');
}

/** A text with `[S1]` for the marks of the given sources, and no mark of others. */
export function withShortIds(
  text: string,
  sources: ShortIds,
  given: readonly { sourceId: string }[],
): string {
  return replaceMarks(text, citedAs(sources, given));
}
