import type { Finding } from '../../contracts/report/finding';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import type { Encoder } from '../../encoder/encoder';
import { bearingByMeaning, bears } from '../question/bearing';
import { saysOnWhat } from '../question/names-cause';
import { readQuestion } from '../question/question';
import { likelyTold } from '../statements/effect-told';

/**
 * How many sources have a quote that is likelier than not a result, of what is asked to have an effect, on what it is asked on. Undefined
 * where a question asks for none or does not say on what, or where there is no encoder: shared words know too few of them.
 */
export async function sourcesTelling(
  encoder: Encoder | null,
  question: string,
  findings: readonly Finding[],
  sources: SourcesById,
): Promise<number | undefined> {
  const asked = readQuestion(question);
  if (encoder === null || !asked.asksForEffect || !asked.asksWhether || !saysOnWhat(asked)) return undefined;
  const quotes = findings
    .flatMap(({ evidence }) => evidence)
    .filter(({ quote }) => bears(likelyTold(quote)))
    .map(({ quote: text, sourceId }) => ({ text, sourceId, title: sources.get(sourceId)?.title ?? '' }));
  const bearing = await bearingByMeaning(encoder, quotes, asked);
  const isOnIt = (_quote: unknown, at: number): boolean =>
    bears(bearing[at]?.ofCause ?? 0) && bears(bearing[at]?.onOutcome ?? 0);
  return new Set(quotes.filter(isOnIt).map(({ sourceId }) => sourceId)).size;
}
