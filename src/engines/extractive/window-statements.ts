import type { Evidence } from '../../core/contracts/finding';
import type { SourceWindow } from '../../core/contracts/passage';
import { splitSentences } from '../../language/sentences';
import { type Zone, zoneOf } from '../../language/zones';

/** What stands there tells of how a source came about, and not what it asserts. */
const NOT_ASSERTING: ReadonlySet<Zone> = new Set([
  'methods',
  'participants',
  'references',
  'back-matter',
  'instructions',
]);
const LEAST_LETTERS = 12;
/** What is longer is a table or a list that was taken for a sentence. */
const MOST_CHARACTERS = 600;

/** The sentences of sources' windows that may assert something, as quotes. */
export function windowStatements(windows: readonly SourceWindow[]): Evidence[] {
  return windows.flatMap(({ sourceId, passages }) =>
    passages
      .filter(({ headings }) => !NOT_ASSERTING.has(zoneOf(headings)))
      .flatMap((passage) =>
        splitSentences(passage.text).flatMap(({ start, end, text }): Evidence[] =>
          text.length > MOST_CHARACTERS || (text.match(/\p{L}/gu) ?? []).length < LEAST_LETTERS
            ? []
            : [{ sourceId, quote: text, start: passage.start + start, end: passage.start + end }],
        ),
      ),
  );
}
