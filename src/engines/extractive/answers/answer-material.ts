import type { AnswerPassage } from '../../../contracts/answer/answer-passage';
import { distinctBy } from '../../../core/values/distinct-by';
import { groupedBy } from '../../../core/values/grouped-by';
import { type Collection, indexSources } from '../../../reading/collection/collection';
import { sentencesOfSource, type SourceSentence } from '../../../reading/collection/read-source';
import { isQuotable } from '../../../reading/quotable';

/** A sentence with its place in its document, `passage` being the place of what it was read in among all passages. */
export interface PassageSentence extends SourceSentence {
  source: AnswerPassage;
}

export interface AnswerMaterial {
  passages: readonly AnswerPassage[];
  collection: Collection;
  /** In the order of the collection. */
  sentences: readonly PassageSentence[];
}

/** Documents stand in the order of their best passages; a sentence of two passages is read once, in the better one. */
export function readPassages(passages: readonly AnswerPassage[]): AnswerMaterial {
  const all = passages.flatMap(sentencesOf);
  const documents = [...groupedBy(all, ({ source }) => source.sourceId)].map(([id, own]) => ({
    id,
    title: own[0]?.source.title ?? '',
    sentences: distinctBy(own, ({ start }) => `${start}`).sort((a, b) => a.start - b.start),
  }));
  return {
    passages,
    collection: indexSources(
      documents.map(({ id, title, sentences }) => ({
        id,
        title,
        sentences: sentences.map(({ text }) => text),
      })),
    ),
    sentences: documents.flatMap(({ sentences }) => sentences),
  };
}

function sentencesOf(source: AnswerPassage, passage: number): PassageSentence[] {
  return sentencesOfSource(source.text).flatMap(({ start, end, text }) =>
    isQuotable(text, source.title)
      ? [{ source, passage, start: source.start + start, end: source.start + end, text }]
      : [],
  );
}
