import { effectsTold } from '../../language/direction';
import { deniesEffect } from '../../language/negation';
import { intervalsIn } from './intervals';
import { pValuesIn } from './p-values';

/** Words weigh more than one p value or interval, and less than two. */
const WORDS_WEIGH = 1.5;
/** A bare word of more or of less decides only where nothing else does. */
const BARE_WORD_WEIGHS = 0.1;

/** Above 0 for an effect, below it for none, by how much speaks for it. */
export function significanceVotes(texts: readonly string[]): number {
  return [...new Set(texts)].reduce((total, text) => total + voteOf(text), 0);
}

function voteOf(text: string): number {
  const figures = [...pValuesIn(text), ...intervalsIn(text)];
  const byFigures = figures.reduce((sum, { isSignificant }) => sum + (isSignificant ? 1 : -1), 0);
  const byWords = deniesEffect(text) ? -WORDS_WEIGH : /signific/i.test(text) ? WORDS_WEIGH : 0;
  return (
    byFigures + byWords || (effectsTold(text).some((effect) => effect !== 'none') ? 1 : -1) * BARE_WORD_WEIGHS
  );
}
