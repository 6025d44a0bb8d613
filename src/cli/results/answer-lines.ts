import { answerTexts } from '../../texts/answer';
import type { Answer, AnswerCitation, AnswerClaim } from '../../contracts/answer/answer';
import { confidenceLine } from '../../answers/confidence-meaning';
import { plainText } from '../terminal/plain-text';
import { COMMAND } from '../package-files';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { least } from '../../core/values/extremes';
import { citationsByDocument, type CitedDocument } from '../../answers/citations-by-document';
import { pageNumbers } from '../../answers/passage-label';

const NAME_CHARS = 100;

const QUOTE_CHARS = 160;

/** A heading says nothing where it stands amid a line. */
const HEADING = /^ {0,3}#{1,6} .*$/gm;

const MARKUP = /^ {0,3}(?:>|[-*+]) +/gm;

const INDENT = '    ';

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

/** What an answer cites, document by document: each passage with its page, from where it bears what the answer says. */
export function citationLines(
  citations: readonly AnswerCitation[],
  claims: readonly Pick<AnswerClaim, 'evidence'>[],
): string[] {
  const evidence = claims.flatMap((claim) => claim.evidence);
  return citationsByDocument(citations).flatMap((document) => [
    `  ${nameOf(document)}`,
    ...document.citations.map(
      (citation) =>
        `${INDENT}[${citation.n}] ${placeOf(citation)}“${excerptOf(citation, evidence)}”${multiSource(citation)}`,
    ),
  ]);
}

function nameOf({ document, title, url }: CitedDocument): string {
  const name = safeExcerpt(document, NAME_CHARS);
  const called = title === '' || title === document ? '' : ` · ${safeExcerpt(title, NAME_CHARS)}`;
  return url === null || url === document ? `${name}${called}` : `${name}${called} · ${safeLine(url)}`;
}

/** The passage from the first quote in it that bears a claim; headings and emphasis are not its words. */
function excerptOf({ n, text, start, end }: AnswerCitation, evidence: AnswerClaim['evidence']): string {
  const places = evidence.filter((place) => place.n === n && place.start >= start && place.end <= end);
  const from = places.length === 0 ? 0 : least(places.map((place) => place.start - start));
  const words = plainText(text.slice(from).replace(HEADING, '…').replace(MARKUP, ''));
  return safeExcerpt(`${from > 0 ? '…' : ''}${words}`, QUOTE_CHARS);
}

function placeOf(citation: AnswerCitation): string {
  const pages = pagesOf(citation);
  return pages === '' ? '' : `${pages} `;
}

function pagesOf({ pages }: AnswerCitation): string {
  if (pages === null) return '';
  if (pages.name !== undefined) return safeExcerpt(pages.name, NAME_CHARS);
  return answerTexts.pagesShort(pageNumbers(pages), pages.from === pages.to);
}

function multiSource(citation: AnswerCitation): string {
  return citation.multiSource ? ` · ${answerTexts.multiSource}` : '';
}
