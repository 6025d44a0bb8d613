import { RunWithoutAnswerError } from '../client/client-errors';
import type { AnswerHandle } from '../client/run-requests';
import type { Answer, AnswerCitation, AnswerClaim } from '../contracts/answer';
import { ANSWER_SECTION } from '../contracts/draft';
import { Verdict, type VerdictCounts } from '../contracts/finding';
import type { Report, ReportClaim, ReportSetAside } from '../contracts/report';
import { countVerdicts } from '../evidence/decide-statement';
import { minOf } from '../lib/iterables';
import { formatCount } from '../lib/strings';
import { citationsByDocument, type CitedDocument, pageNumbers } from '../report/answer-citations';
import { confidenceLine } from '../report/answer-confidence';
import { answerTexts } from '../report/answer-texts';
import { titleOfPart } from '../report/report-texts';
import { COMMAND, type CommandContext, ExitCode } from './command-context';
import { plainBlock, plainText, safeExcerpt, safeLine, type Terminal, wrapLine } from './terminal';

// Answers, and claims of any run, as text for a terminal.

const NAME_CHARS = 100;

const QUOTE_CHARS = 160;

const HEADING = /^ {0,3}#{1,6} .*$/gm;

const MARKUP = /^ {0,3}(?:>|[-*+]) +/gm;

const INDENT = '    ';

export function answerFooter(answer: Answer): string[] {
  const { citations, claims } = answer;
  const heading = answerTexts.sources;
  return [
    '',
    ...synthesised(answer),
    safeLine(confidenceLine(answer)),
    ...(citations.length === 0 ? [] : ['', heading, ...citationLines(citations, claims)]),
    ...rejectedClaimsLines(answer),
    ...failureLines(answer),
  ];
}

function textLines({ answer }: Answer): string[] {
  return plainText(answer).trim().split('\n');
}

/** The synthesis badge of document 003. */
function synthesised({ synthesisMode, sourceDocumentCount, citations }: Answer): string[] {
  if (!synthesisMode) return [];
  const cited = new Set(citations.map(({ sourceId }) => sourceId)).size;
  return [answerTexts.synthesised(sourceDocumentCount, cited)];
}

/** Only a count, so that nobody passes on unsupported claims with the answer. `show --claims` lists them. */
function rejectedClaimsLines({ setAside }: Answer): string[] {
  if (setAside.length === 0) return [];
  return [answerTexts.claimsLeftOut(setAside.length, `${COMMAND} show … --claims`)];
}

function failureLines({ outcome, diagnostics }: Answer): string[] {
  if (outcome !== 'fallback') return [];
  return [answerTexts.why(safeExcerpt(diagnostics.failure ?? answerTexts.noReason, 500))];
}

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

/** Begins at the first quote that supports a claim. */
function excerptOf({ n, text, start, end }: AnswerCitation, evidence: AnswerClaim['evidence']): string {
  const places = evidence.filter((place) => place.n === n && place.start >= start && place.end <= end);
  const from = places.length === 0 ? 0 : minOf(places.map((place) => place.start - start));
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

/** Prints the lines below an answer, and the part of its text that was not streamed. */
export function printAnswer(
  { print, colours }: Terminal,
  answer: Answer,
  { shown, below }: { shown: string; below: readonly string[] },
): void {
  const text = textLines(answer).join('\n');
  const isShown = shown.trim() !== '';
  const rest = isShown ? unshownText(shown, text) : text;
  if (isShown) print('');
  if (rest === null) print(`\n${colours.bold(answerTexts.asChecked)}\n`);
  if (rest !== '') (rest ?? text).split('\n').forEach(print);
  below.forEach(print);
}

/** The text after the streamed part; null if the streamed text differs. Ignores whitespace. */
function unshownText(shown: string, text: string): string | null {
  let end = 0;
  const words = text.matchAll(/\S+/g);
  for (const word of shown.split(/\s+/).filter(Boolean)) {
    const { value: next } = words.next();
    if (next?.[0] !== word) return null;
    end = next.index + word.length;
  }
  return text.slice(end).trim();
}

/**
 * Each reply is a success, also one about missing material or with the caller's final output. Only the
 * failure message is not.
 */
export function exitCodeOfAnswer({ outcome, answer }: Answer): ExitCode {
  return outcome === 'fallback' && answer === answerTexts.failed ? ExitCode.failed : ExitCode.ok;
}

export async function showAnswer(
  { terminal }: CommandContext,
  request: AnswerHandle,
  { json, claims, shown = '' }: { json: boolean; claims: boolean; shown?: string },
): Promise<ExitCode> {
  const answer = await request.reply();
  if (answer === null) {
    const { status } = await request.progress({ fromRecords: true });
    throw new RunWithoutAnswerError(request.runId, status, undefined);
  }
  if (claims) {
    const listing = listAnswerClaims(answer);
    if (json) terminal.printJson(listing);
    else
      claimsText(listing, { width: terminal.width, emphasise: terminal.colours.bold }).forEach(
        terminal.print,
      );
  } else if (json) terminal.printJson(answer);
  else printAnswer(terminal, answer, { shown, below: answerFooter(answer) });
  return ExitCode.ok;
}

/** The worst verdict first; within a verdict, rejected claims last. */
function listAnswerClaims({ requestId, claims, setAside, citations }: Answer): ClaimsListing {
  const section = { id: ANSWER_SECTION, title: answerTexts.title };
  const numberOf = new Map(citations.map(({ n, sourceId }) => [sourceId, n]));
  const sourceOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const better = (sourceId: string | undefined): Pick<ListedClaim, 'better'> =>
    sourceId === undefined ? {} : { better: { n: numberOf.get(sourceId) ?? null, sourceId } };
  const standing = claims.map((claim) =>
    toListedClaim(claim, {
      section,
      evidence: claim.evidence.map((place) => ({
        ...place,
        sourceId: sourceOf.get(place.n) ?? place.sourceId,
      })),
      ...better(claim.betterSourceId),
      setAside: null,
    }),
  );
  const aside = setAside.map((claim, at) => {
    const { evidence } = claim;
    return toListedClaim(
      { ...claim, id: `A${at + 1}`, citations: [] },
      {
        section,
        evidence: evidence === null ? [] : [{ n: numberOf.get(evidence.sourceId) ?? null, ...evidence }],
        ...better(claim.betterSourceId),
        setAside: claim.action,
      },
    );
  });
  const all = [...standing, ...aside];
  return {
    kind: 'claims',
    id: requestId,
    audit: countVerdicts(all),
    claims: VERDICTS_WORST_FIRST.flatMap((verdict) => all.filter((claim) => claim.verdict === verdict)),
  };
}

export interface ListedClaim extends Pick<ReportClaim, 'id' | 'verdict' | 'code' | 'reason' | 'probability'> {
  text: string;
  section: { id: string; title: string };
  citations: number[];
  /** The passage that decides the verdict comes first. `n` is null if the report does not list the source. */
  evidence: {
    n: number | null;
    sourceId: string;
    quote: string;
    start: number;
    end: number;
    page?: number;
    place?: string;
  }[];
  /** The source that supports a misattributed claim. `n` is null if the report does not list it. */
  better?: { n: number | null; sourceId: string };
  setAside: ReportSetAside['action'] | null;
}

export interface ClaimsListing {
  kind: 'claims';
  id: string;
  audit: VerdictCounts;
  claims: ListedClaim[];
}

type OfTheClaim = 'id' | 'verdict' | 'code' | 'reason' | 'probability' | 'text' | 'citations';

export function toListedClaim(
  { id, verdict, code, reason, probability, text, citations }: Pick<ListedClaim, OfTheClaim>,
  added: Omit<ListedClaim, OfTheClaim>,
): ListedClaim {
  return { id, verdict, code, reason, probability, text, citations, ...added };
}

/** The worst verdict first; within a verdict in the order of the text, rejected claims last. */
export function listClaims(report: Report): ClaimsListing {
  const titleOf = titleOfPart(report.sections);
  const sectionOf = (id: string): ListedClaim['section'] => ({ id, title: titleOf(id) });
  const sourceIds = new Map(report.citations.map(({ n, sourceId }) => [n, sourceId]));
  const numbers = new Map(report.citations.map(({ n, sourceId }) => [sourceId, n]));
  const standing = report.claims.map((claim) =>
    toListedClaim(claim, {
      section: sectionOf(claim.sectionId),
      evidence: claim.evidence.map((place) => ({ ...place, sourceId: sourceIds.get(place.n) ?? '' })),
      setAside: null,
    }),
  );
  const aside = report.setAside.map((claim) => {
    const { evidence, betterSourceId: sourceId } = claim;
    return toListedClaim(claim, {
      section: sectionOf(claim.sectionId),
      evidence: evidence === null ? [] : [{ n: numbers.get(evidence.sourceId) ?? null, ...evidence }],
      ...(sourceId === undefined ? {} : { better: { n: numbers.get(sourceId) ?? null, sourceId } }),
      setAside: claim.action,
    });
  });
  const all = [...standing, ...aside];
  return {
    kind: 'claims',
    id: report.id,
    audit: report.audit,
    claims: VERDICTS_WORST_FIRST.flatMap((verdict) => all.filter((claim) => claim.verdict === verdict)),
  };
}

export function claimsText(
  { audit, claims }: ClaimsListing,
  { width, emphasise }: { width: number; emphasise: (text: string) => string },
): string[] {
  const verdicts = Verdict.options
    .filter((verdict) => audit[verdict] > 0)
    .map((verdict) => `${audit[verdict]} of ${audit.claims} ${verdict}`);
  return [
    [formatCount(audit.claims, 'claim'), ...verdicts].join(' · '),
    ...claims.flatMap((claim) => [
      '',
      emphasise(headline(claim)),
      ...details(claim).flatMap((line) => wrapLine(line, width - 2).map((part) => `  ${part}`)),
    ]),
  ];
}

function headline({ id, verdict, section, setAside }: ListedClaim): string {
  const place = safeLine(section.title);
  const fate = setAside === null ? '' : ' · set aside, left out';
  return `${verdict} · ${safeLine(id)} · ${place}${fate}`;
}

function details({ text, reason, citations, evidence, better, setAside }: ListedClaim): string[] {
  // A claim in the text is Markdown with citations. A rejected claim is plain text.
  const said = setAside === null ? plainBlock(text, (sourceId) => sourceId).lines.join(' ') : safeLine(text);
  return [
    said,
    `Why: ${safeLine(reason)}`,
    citations.length === 0
      ? 'Cites: nothing that the report lists'
      : `Cites: ${citations.map(mark).join('')}`,
    ...evidence.map(passage),
    ...(better === undefined ? [] : [`What bears it better: ${sourceLabel(better)}`]),
  ];
}

function passage({ n, sourceId, quote, start, end, page, place }: ListedClaim['evidence'][number]): string {
  const source = sourceLabel({ n, sourceId });
  const within = place ?? (page === undefined ? null : `page ${page}`);
  const where = `characters ${start}–${end}${within === null ? '' : `, ${safeLine(within)}`}`;
  return `Passage: “${safeLine(quote)}” ${source}, ${where}`;
}

function sourceLabel({ n, sourceId }: { n: number | null; sourceId: string }): string {
  return n === null ? safeLine(sourceId) : mark(n);
}

function mark(n: number): string {
  return `[${n}]`;
}

export const VERDICTS_WORST_FIRST: readonly Verdict[] = [
  'contradicted',
  'unsupported',
  'partial',
  'unchecked',
  'inference',
  'supported',
];
