import type { AnswerPassage } from '../contracts/answer/answer-passage';
import type { SourceWindow } from '../contracts/source/passage';
import { groupedBy } from '../core/values/grouped-by';
import { documentOf } from './answer-confidence';

/** A passage as a source that is cited by the passage's id, with offsets into the passage. */
export function windowOfPassage({ id, text, ...passage }: AnswerPassage): SourceWindow {
  const { title, author, site, publishedAt, work, summaryOnly = false } = passage;
  return {
    sourceId: id,
    title,
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(work === undefined ? {} : { work }),
    quality: { level: 'general', reason: '' },
    summaryOnly,
    passages: [{ text, start: 0, end: text.length, headings: [] }],
  };
}

/** Ids of passages of one document, a list a document that has several. */
export function worksOfPassages(passages: readonly AnswerPassage[]): string[][] {
  return [...groupedBy(passages, documentOf).values()]
    .filter(({ length }) => length > 1)
    .map((of) => of.map(({ id }) => id));
}
