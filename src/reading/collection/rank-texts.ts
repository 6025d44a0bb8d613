import type { Encoder } from '../../encoder/encoder';
import { readIndexed } from '../features/features';
import { readQuestion } from '../question/question';
import { rankByMeaning } from '../rank-by-meaning';
import { sourceCoverage } from '../rank-sentences';
import { indexSources } from './collection';
import { sentencesOfSource } from './read-source';

const LOOKED_AT = 400;

export interface TextsToRank {
  question: string;
  texts: readonly { title: string; text: string }[];
}

/**
 * The places of short texts, those first that answer a question best, by the best sentence of each, its title being one; then, by how
 * much of the question they hold, those of which no sentence was looked at. Ties keep the order given.
 */
export async function rankTexts(
  { question, texts }: TextsToRank,
  encoder: Encoder | null = null,
): Promise<number[]> {
  const collection = indexSources(
    texts.map(({ title, text }, at) => ({
      id: `${at}`,
      title,
      sentences: [title, ...sentencesOfSource(text).map((sentence) => sentence.text)],
    })),
  );
  const reading = readIndexed(readQuestion(question), collection, undefined);
  const ranked = await rankByMeaning(encoder, reading, { most: LOOKED_AT });
  const first = new Set(ranked.map(({ source }) => source));
  const rest = texts
    .map((_text, at) => at)
    .filter((at) => !first.has(at))
    .sort((a, b) => sourceCoverage(reading, b) - sourceCoverage(reading, a) || a - b);
  return [...first, ...rest];
}
