import { answerTexts } from '../../texts/answer';
import type { Answer } from '../../contracts/answer/answer';
import { confidenceLine } from '../../answers/confidence-meaning';
import { plainText } from '../terminal/plain-text';
import { COMMAND } from '../package-files';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { citationLines } from './citation-lines';

/** What stands under the text: how it came about, how sure it is, what it cites, and how much was left out. */
export function belowAnswer(answer: Answer): string[] {
  const { citations, claims } = answer;
  const heading = answerTexts.sources;
  return [
    '',
    ...synthesised(answer),
    safeLine(confidenceLine(answer)),
    ...(citations.length === 0 ? [] : ['', heading, ...citationLines(citations, claims)]),
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
  return [answerTexts.synthesised(sourceDocumentCount, cited)];
}

/** Nobody is to pass on, with the answer, what its sources do not bear: it is told where that was asked for. */
function leftOutLines({ setAside }: Answer): string[] {
  if (setAside.length === 0) return [];
  return [answerTexts.claimsLeftOut(setAside.length, `${COMMAND} show … --claims`)];
}

function failureLines({ outcome, diagnostics }: Answer): string[] {
  if (outcome !== 'fallback') return [];
  return [answerTexts.why(safeExcerpt(diagnostics.failure ?? answerTexts.noReason, 500))];
}
