import type { Answer } from '../contracts/answer/answer';
import { count } from '../core/writing/count';
import type { ConfidenceGrounds } from './answer-confidence';

/** Document 001's sentence for a confidence below `disclaimerBelow`. */
export const DISCLAIMER =
  'Note: This answer is based on limited evidence. Please verify with additional sources.';

/** What a confidence rests on, and what lowers it: `single source; 1 of 4 claims did not stand`. */
export function confidenceMeaning(grounds: ConfidenceGrounds): string {
  const { documents, pieces, claims, supported, disputed, setAside } = grounds;
  const { overCompression, isPartial, answerable, answeredFrom } = grounds;
  const written = claims + setAside;
  const open = claims - supported;
  const lowered = [
    setAside === 0
      ? []
      : [`${setAside} of ${count(written, 'claim')} did not stand and ${was(setAside)} left out`],
    open === 0 ? [] : [`${open} of ${count(claims, 'claim')} ${open === 1 ? 'is' : 'are'} not confirmed`],
    disputed === 0 ? [] : [`sources contradict each other on ${disputed} of ${count(claims, 'claim')}`],
    overCompression ? ['much of the context was shortened'] : [],
    isPartial ? ['a part of the question is not answered'] : [],
    answerable < answeredFrom && claims > 0 ? ['what was searched hardly bears on the question'] : [],
  ];
  return [sourcesInWords(documents === 0 ? 0 : Math.max(pieces, documents)), ...lowered.flat()].join('; ');
}

/** By document 001's own examples: `no sources`, `single source`, `multiple sources`. */
function sourcesInWords(pieces: number): string {
  return ['no sources', 'single source'][pieces] ?? 'multiple sources';
}

function was(amount: number): string {
  return amount === 1 ? 'was' : 'were';
}

/**
 * As a reader is shown it, in document 001's form: `Confidence: 0.6 (single source)`. A reply is shown to be no surer than what it
 * was made from lets it be, nor than it is likely to answer.
 */
export function confidenceLine({
  confidence,
  evidenceConfidence,
  confidenceMeaning: meaning,
}: Pick<Answer, 'confidence' | 'evidenceConfidence' | 'confidenceMeaning'>): string {
  return `Confidence: ${confidenceFigure(Math.min(confidence, evidenceConfidence))} (${meaning})`;
}

/** `0.6`, `0.0`, `0.53`, `0.95`. */
function confidenceFigure(confidence: number): string {
  const hundredths = confidence.toFixed(2);
  return hundredths.endsWith('0') ? hundredths.slice(0, -1) : hundredths;
}
