import type { Answer } from '../contracts/answer/answer';
import { count } from '../core/writing/count';
import type { ConfidenceGrounds } from './answer-confidence';

/** Document 001's sentence for a confidence below `disclaimerBelow`. */
export const DISCLAIMER =
  'Note: This answer is based on limited evidence. Please verify with additional sources.';

/** What a confidence rests on, and what lowers it: `a single source; 1 of 4 claims did not stand`. */
export function confidenceMeaning(grounds: ConfidenceGrounds): string {
  const { documents, claims, supported, setAside, overCompression, isPartial } = grounds;
  const { answerable, answeredFrom } = grounds;
  const written = claims + setAside;
  const open = claims - supported;
  const lowered = [
    setAside === 0
      ? []
      : [`${setAside} of ${count(written, 'claim')} did not stand and ${was(setAside)} left out`],
    open === 0 ? [] : [`${open} of ${count(claims, 'claim')} ${open === 1 ? 'is' : 'are'} not confirmed`],
    overCompression ? ['much of the context was shortened'] : [],
    isPartial ? ['a part of the question is not answered'] : [],
    answerable < answeredFrom && claims > 0 ? ['what was searched hardly bears on the question'] : [],
  ];
  return [sourcesInWords(documents), ...lowered.flat()].join('; ');
}

/** By document 001's own examples: `no sources`, `a single source`, `two sources`, `multiple sources`. */
function sourcesInWords(documents: number): string {
  return ['no sources', 'a single source', 'two sources'][documents] ?? 'multiple sources';
}

function was(amount: number): string {
  return amount === 1 ? 'was' : 'were';
}

/** As a reader is shown it: `Confidence 0.6: a single source`. */
export function confidenceLine({
  confidence,
  confidenceMeaning: meaning,
}: Pick<Answer, 'confidence' | 'confidenceMeaning'>): string {
  return `Confidence ${confidenceFigure(confidence)}: ${meaning}`;
}

/** `0.6`, `0.0`, `0.53`, `0.95`. */
function confidenceFigure(confidence: number): string {
  const hundredths = confidence.toFixed(2);
  return hundredths.endsWith('0') ? hundredths.slice(0, -1) : hundredths;
}
