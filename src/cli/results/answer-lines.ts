import type { Answer } from '../../contracts/answer/answer';
import { confidenceLine } from '../../answers/confidence-meaning';
import { plainText } from '../terminal/plain-text';
import { COMMAND } from '../package-files';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { briefCitationLines, citationLines } from './citation-lines';
import { count } from './report-excerpt';

/** What stands under the text: how it came about, how sure it is, what it cites, and how much was left out. */
export function belowAnswer(answer: Answer): string[] {
  const { citations, claims } = answer;
  return [
    '',
    ...synthesised(answer),
    safeLine(confidenceLine(answer)),
    ...(citations.length === 0 ? [] : ['', 'Sources', ...citationLines(citations, claims)]),
    ...leftOutLines(answer),
    ...failureLines(answer),
  ];
}

/** The same in a few lines, for a conversation. */
export function briefBelowAnswer(answer: Answer): string[] {
  const { citations } = answer;
  return [
    '',
    ...synthesised(answer),
    safeLine(confidenceLine(answer)),
    ...briefCitationLines(citations),
    ...leftOutLines(answer),
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

/** Nobody is to pass on, with the answer, what its sources do not bear: it is told where that was asked for. */
function leftOutLines({ setAside }: Answer): string[] {
  if (setAside.length === 0) return [];
  const [was, them] = setAside.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return [
    `${count(setAside.length, 'claim')} ${was} left out; “${COMMAND} show … --claims” lists ${them} with the reasons.`,
  ];
}

function failureLines({ outcome, diagnostics }: Answer): string[] {
  if (outcome !== 'fallback') return [];
  return [`Why: ${safeExcerpt(diagnostics.failure ?? 'no reason is known', 500)}`];
}
