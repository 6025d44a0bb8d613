import type { AnswerPassage } from '../contracts/answer/answer-passage';
import { groupedBy } from '../core/values/grouped-by';

/** Document 003: so many documents with so many passages each make it worth bringing them together. */
const DOCUMENTS = 2;
const PASSAGES_EACH = 2;

export interface SynthesisMode {
  active: boolean;
  /** How many different documents the passages are of. Those of graphs count neither here nor for the mode. */
  sourceDocumentCount: number;
}

export function synthesisMode(
  passages: readonly Pick<AnswerPassage, 'sourceId' | 'origin'>[],
): SynthesisMode {
  const documents = groupedBy(
    passages.filter(({ origin }) => origin === 'text'),
    ({ sourceId }) => sourceId,
  );
  const withSeveral = [...documents.values()].filter(({ length }) => length >= PASSAGES_EACH);
  return { active: withSeveral.length >= DOCUMENTS, sourceDocumentCount: documents.size };
}
