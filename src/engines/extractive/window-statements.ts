import type { Evidence } from '../../contracts/report/finding';
import type { SourceWindow } from '../../contracts/source/passage';
import { isQuotable } from '../../reading/quotable';
import { statementMatter } from '../../reading/statements/statement';
import { indexStatements, type StatementIndex } from '../../reading/statements/statement-index';
import { sentencesOfPassages } from '../../reading/collection/read-source';

/** The sentences of sources' windows that may assert something, as quotes, and what they are found by. */
export interface WindowStatements {
  sentences: Evidence[];
  index: StatementIndex;
}

export function windowStatements(windows: readonly SourceWindow[]): WindowStatements {
  const sentences = windows.flatMap(({ sourceId, title, passages }) =>
    sentencesOfPassages(passages).flatMap(({ start, end, text }): Evidence[] =>
      isQuotable(text, title) ? [{ sourceId, quote: text, start, end }] : [],
    ),
  );
  return { sentences, index: indexStatements(sentences.map(({ quote }) => statementMatter(quote))) };
}
