import { senseOfText } from '../language/direction';
import { deniesEffect } from '../language/negation';
import { pValuesIn } from './p-values';

export type Significance = 'effect' | 'none';

/** Words weigh more than one p value, and less than two. */
const WORDS_WEIGH = 1.5;
/** A bare word of more or of less decides only where nothing else does. */
const DIRECTION_WEIGHS = 0.1;

/** Whether texts on one outcome report an effect or a difference, or that there is none; null where they say neither. */
export function significanceOf(texts: readonly string[]): Significance | null {
  const sum = [...new Set(texts)].reduce((total, text) => total + voteOf(text), 0);
  return sum > 0 ? 'effect' : sum < 0 ? 'none' : null;
}

function voteOf(text: string): number {
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const byFigures = pValuesIn(plain).reduce((sum, { isSignificant }) => sum + (isSignificant ? 1 : -1), 0);
  const byWords = deniesEffect(plain) ? -WORDS_WEIGH : /signific/i.test(plain) ? WORDS_WEIGH : 0;
  return byFigures + byWords || (senseOfText(plain) === 0 ? -1 : 1) * DIRECTION_WEIGHS;
}
