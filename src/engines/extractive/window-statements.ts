import type { Evidence } from '../../contracts/report/finding';
import type { SourceWindow } from '../../contracts/source/passage';
import { quotableSentences } from '../../reading/quotable';
import { statementMatter } from '../../reading/statements/statement';
import { indexStatements, type StatementIndex } from '../../reading/statements/statement-index';

/** The sentences of sources' windows that may assert something, as quotes, and what they are found by. */
export interface WindowStatements {
  sentences: Evidence[];
  index: StatementIndex;
}

export function windowStatements(windows: readonly SourceWindow[]): WindowStatements {
  const read = quotableSentences(windows);
  const sentences = windows.flatMap(({ sourceId }, at) =>
    (read[at] ?? []).map(({ start, end, text }): Evidence => ({ sourceId, quote: text, start, end })),
  );
  return { sentences, index: indexStatements(sentences.map(({ quote }) => statementMatter(quote))) };
}
