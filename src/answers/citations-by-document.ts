import type { AnswerCitation } from '../contracts/answer/answer';
import { groupedBy } from '../core/values/grouped-by';

export interface CitedDocument {
  document: string;
  title: string;
  url: string | null;
  citations: AnswerCitation[];
}

/** Documents in the order in which the answer first cites them. */
export function citationsByDocument(citations: readonly AnswerCitation[]): CitedDocument[] {
  const groups = groupedBy(citations, ({ sourceId }) => sourceId);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [{ document: first.document, title: first.title, url: first.url, citations: group }];
  });
}
