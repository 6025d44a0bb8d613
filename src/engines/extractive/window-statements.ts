import type { Evidence } from '../../core/contracts/finding';
import type { SourceWindow } from '../../core/contracts/passage';
import { sentencesOfPassages } from '../../reading/read-source';

/** The sentences of sources' windows that may assert something, as quotes. */
export function windowStatements(windows: readonly SourceWindow[]): Evidence[] {
  return windows.flatMap(({ sourceId, passages }) =>
    sentencesOfPassages(passages).map(({ start, end, text }): Evidence => ({
      sourceId,
      quote: text,
      start,
      end,
    })),
  );
}
