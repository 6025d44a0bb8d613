import type { Evidence } from '../../contracts/report/finding';
import type { SourceWindow } from '../../contracts/source/passage';
import { isQuotable } from '../../reading/quotable';
import { sentencesOfPassages } from '../../reading/collection/read-source';

/** The sentences of sources' windows that may assert something, as quotes. */
export function windowStatements(windows: readonly SourceWindow[]): Evidence[] {
  return windows.flatMap(({ sourceId, title, passages }) =>
    sentencesOfPassages(passages).flatMap(({ start, end, text }): Evidence[] =>
      isQuotable(text, title) ? [{ sourceId, quote: text, start, end }] : [],
    ),
  );
}
