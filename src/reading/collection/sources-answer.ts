import type { Encoder } from '../../encoder/encoder';
import type { SourceWindow } from '../../contracts/source/passage';
import type { WordCounts } from '../../contracts/report/word-counts';
import { answerableProbability, answeredFrom } from './answerable';
import { indexSources } from './collection';
import { quotableSentences } from '../quotable';
import { readQuestion } from '../question/question';
import { rankByMeaning } from '../rank-by-meaning';
import { readIndexed } from '../features/features';

const LOOKED_AT = 400;

export interface ReadSources {
  question: string;
  sources: readonly SourceWindow[];
  /** How rare the question's words are in the whole texts of all sources. */
  counts?: WordCounts | undefined;
}

export async function sourcesAnswer(
  { question, sources, counts }: ReadSources,
  encoder: Encoder | null = null,
): Promise<boolean> {
  const read = quotableSentences(sources);
  const collection = indexSources(
    sources.map(({ sourceId, title }, at) => ({
      id: sourceId,
      title,
      sentences: (read[at] ?? []).map(({ text }) => text),
    })),
  );
  const reading = readIndexed(readQuestion(question), collection, counts);
  const ranked = await rankByMeaning(encoder, reading, { most: LOOKED_AT });
  return answerableProbability(reading, ranked) >= answeredFrom(reading.question, ranked[0]);
}
