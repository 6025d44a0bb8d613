import type { Answer } from '../../contracts/answer/answer';
import { confidenceLine } from '../../answers/confidence-meaning';
import { plainText } from '../terminal/plain-text';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { briefCitationLines, citationLines } from './citation-lines';
import { count } from './report-excerpt';

const CLAIM_CHARS = 200;
const REASON_CHARS = 300;

/** What stands under the text: how it came about, how sure it is, what it cites, and what was left out. */
export function belowAnswer(answer: Answer): string[] {
  const { citations, claims, setAside } = answer;
  return [
    '',
    ...synthesised(answer),
    safeLine(confidenceLine(answer)),
    ...(citations.length === 0 ? [] : ['', 'Sources', ...citationLines(citations, claims)]),
    ...(setAside.length === 0 ? [] : ['', 'Left out']),
    ...setAside.map(
      ({ text, reason }) => `  “${safeExcerpt(text, CLAIM_CHARS)}”: ${safeExcerpt(reason, REASON_CHARS)}`,
    ),
    ...failureLines(answer),
  ];
}

/** The same in a few lines, for a conversation. */
export function briefBelowAnswer(answer: Answer): string[] {
  const { citations, setAside } = answer;
  return [
    '',
    ...synthesised(answer),
    safeLine(confidenceLine(answer)),
    ...briefCitationLines(citations),
    ...(setAside.length === 0
      ? []
      : [`  ${count(setAside.length, 'claim')} left out: the sources do not bear them.`]),
    ...failureLines(answer),
  ];
}

export function textLines({ answer }: Answer): string[] {
  return plainText(answer).trim().split('\n');
}

/** Document 003's badge. */
function synthesised({ synthesisMode, sourceDocumentCount, citations }: Answer): string[] {
  if (!synthesisMode) return [];
  const cited = new Set(citations.map(({ sourceId }) => sourceId)).size;
  const share = cited < sourceDocumentCount ? `, ${cited} of which it cites` : '';
  return [`Synthesised from ${count(sourceDocumentCount, 'document')}${share}`];
}

function failureLines({ outcome, diagnostics }: Answer): string[] {
  if (outcome !== 'fallback') return [];
  return [`Why: ${safeExcerpt(diagnostics.failure ?? 'no reason is known', 500)}`];
}
