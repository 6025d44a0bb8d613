import { answerTexts } from '../texts/answer';
import type { Answer } from '../contracts/answer/answer';
import type { ConfidenceGrounds } from './answer-confidence';

/** What a confidence rests on, and what lowers it: `single source; 1 of 4 claims did not stand`. */
export function confidenceMeaning(grounds: ConfidenceGrounds): string {
  const { documents, claims, supported, disputed, setAside } = grounds;
  const { overCompression, answerable, answeredFrom } = grounds;
  const open = claims - supported;
  const lowered = [
    setAside === 0 ? [] : [answerTexts.notStood(setAside, claims + setAside)],
    open === 0 ? [] : [answerTexts.notConfirmed(open, claims)],
    disputed === 0 ? [] : [answerTexts.contradicted(disputed, claims)],
    overCompression ? [answerTexts.shortened] : [],
    answerable < answeredFrom && claims > 0 ? [answerTexts.hardlyBears] : [],
  ];
  const [none, single, several] = answerTexts.pieces;
  const sources = documents === 0 ? none : documents === 1 ? single : several;
  return [sources, ...lowered.flat()].join('; ');
}

/** As a reader is shown it, in document 001's form: `Confidence: 0.6 (single source)`. */
export function confidenceLine({
  confidence,
  confidenceMeaning: meaning,
}: Pick<Answer, 'confidence' | 'confidenceMeaning'>): string {
  return answerTexts.confidence(confidence, meaning);
}
