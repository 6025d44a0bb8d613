import { z } from 'zod';
import { parsedJson } from '../../core/values/parsed-json';
import { malformed } from './answer/answer-parts';

const EmbeddingsAnswer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) })),
});

/** The vectors of a response, in the order of the texts. Throws where it has not one for each, or of several lengths. */
export async function vectorsIn(response: Response, texts: number): Promise<number[][]> {
  const answer = EmbeddingsAnswer.safeParse(parsedJson(await response.text()));
  if (!answer.success) throw malformed('what it sent is no list of embeddings');
  const vectors: number[][] = [];
  answer.data.data.forEach(({ index, embedding }, at) => (vectors[index ?? at] = embedding));
  const lengths = new Set(Array.from({ length: texts }, (_, at) => vectors[at]?.length));
  if (vectors.length !== texts || lengths.size > 1 || lengths.has(undefined))
    throw malformed('it sent other embeddings than one of a length for each text');
  return vectors;
}
