import { z } from 'zod';
import type { Warning } from '../../../contracts/run/run';
import type { Evidence } from '../../../contracts/report/finding';
import type { ShortIds } from '../../../steps/material/short-ids';
import { assertsNothing } from '../grounding/asserts-nothing';
import type { QuoteFinder } from '../quotes/locate-quote';
import type { AnswerProblem } from './reading';

export const QuotedSource = z.object({ source: z.string(), quote: z.string() });
export type QuotedSource = z.infer<typeof QuotedSource>;

/** The quotes that stand in the sources, each once, as the sources have them; what does not becomes a problem. */
export function locateEvidence(
  quoted: readonly QuotedSource[],
  context: {
    finder: QuoteFinder;
    ids: ShortIds;
    path: string;
    problems: AnswerProblem[];
    warnings: Warning[];
  },
): Evidence[] {
  const { finder, ids, problems, warnings } = context;
  const evidence: Evidence[] = [];
  for (const [index, { source, quote }] of quoted.entries()) {
    const path = `${context.path}.${index}`;
    const named = ids.idOf(source);
    const located = finder.locate(quote, named);
    if (located === null) {
      problems.push(
        named === undefined
          ? {
              path,
              message: `"${source}" is not one of the sources`,
              code: 'unknown-source',
              warning: 'A citation of a source that was not given was dropped.',
            }
          : {
              path,
              message: `the quote is not in ${source}, nor in another source; copy a sentence of ${source} character by character: "${quote}"`,
              code: 'quote-not-found',
              warning: 'A quote that is not in its source was dropped.',
            },
      );
      continue;
    }
    if (assertsNothing(located.evidence.quote.trim())) {
      problems.push({
        path,
        message: 'the quote asserts nothing: it is a question, or speaks to a reader',
        code: 'quote-asserts-nothing',
        warning: 'A quote that asserts nothing was dropped.',
      });
      continue;
    }
    if (located.misattributed) {
      warnings.push({
        code: 'quote-misattributed',
        message:
          'A quote was attributed to a source that does not have it, and is cited to the one that has.',
      });
    }
    const { sourceId, start } = located.evidence;
    const known = evidence.some((item) => item.sourceId === sourceId && item.start === start);
    if (!known) evidence.push(located.evidence);
  }
  return evidence;
}
