import { reportTexts } from '../../texts/report';
import type { Brief } from '../../contracts/brief/brief';
import type { Report, ReportSetAside } from '../../contracts/report/report';
import { citationMark } from '../text/citation-marks';
import { groupedBy } from '../values/grouped-by';
import { bullets, joinBlocks } from '../writing/markdown-blocks';
import { inert, quotation } from '../writing/quotation';
import { shorten } from '../writing/shorten';
import { capitalised } from '../writing/within-sentence';
import { citationUrl } from './citation-url';
import { type CitationLabels, labelCitations, renderCitations, reportLabels } from './citation-numbers';
import { sourcesNamedBy } from './set-aside';
import { titleOfPart } from './summary-part';

const QUOTE_WORDS = 60;

export const SET_ASIDE_FILE = 'set-aside.md';

/** What was set aside of a report, for the file beside it; null where nothing was. */
export function setAsideOfReport(report: Report): string | null {
  const titleOf = titleOfPart(report.sections);
  return setAsideMarkdown({
    title: report.title,
    claims: report.setAside.map((claim) => ({ ...claim, part: titleOf(claim.sectionId) })),
    citations: report.citations,
    labels: reportLabels(report),
  });
}

/** The same of a brief: of its text, and of the summaries that it was written from. */
export function setAsideOfBrief({ title, parts, setAside, citations }: Brief): string | null {
  const titles = new Map(parts.map((part) => [part.id, part.title]));
  const numbers = new Map(citations.map(({ sourceId, n }) => [sourceId, n]));
  return setAsideMarkdown({
    title,
    claims: setAside.map(({ partId, from, ...claim }) => {
      const part = titles.get(partId) ?? partId;
      return { ...claim, part: from === 'summary' ? reportTexts.setAside.ofSummary(part) : part };
    }),
    citations,
    labels: labelCitations(numbers, new Map(), 'numbered'),
  });
}

interface Listed {
  title: string;
  claims: readonly (Omit<ReportSetAside, 'sectionId' | 'citations'> & { part: string })[];
  citations: readonly { n: number; sourceId: string; title: string; url: string | null }[];
  labels: CitationLabels;
}

function setAsideMarkdown({ title, claims, citations, labels }: Listed): string | null {
  const { setAside, headings } = reportTexts;
  if (claims.length === 0) return null;
  const named = sourcesNamedBy(claims);
  // A source that nothing else cites has no number: it is told by its id.
  const all: CitationLabels = new Map([...named.map((id) => [id, inert(id)] as const), ...labels]);
  const sources = citations.filter(({ sourceId }) => named.includes(sourceId));
  const parts = [...groupedBy(claims, ({ part }) => part)].flatMap(([part, own]) => [
    `## ${inert(part)}`,
    bullets(own.map((claim) => renderCitations(lineOf(claim, setAside), all))),
  ]);
  return joinBlocks([
    `# ${setAside.title(inert(title))}`,
    `> ${setAside.notice}`,
    ...parts,
    ...(sources.length === 0 ? [] : [`## ${headings.sources}`, bullets(sources.map(sourceLine))]),
  ]);
}

function lineOf(
  { id, text, sourceIds, verdict, reason, evidence, betterSourceId }: Listed['claims'][number],
  { verdicts, lookedAt, better, leftOut }: (typeof reportTexts)['setAside'],
): string {
  const cites = sourceIds.length === 0 ? '' : ` ${citationMark(sourceIds)}`;
  const parts = [
    `**${id}**, ${verdicts[verdict]}: ${quotation(text)}${cites}.`,
    capitalised(inert(reason)).replace(/\.?$/, '.'),
    evidence === null
      ? ''
      : lookedAt(`${quotation(shorten(evidence.quote, QUOTE_WORDS))} ${citationMark([evidence.sourceId])}`),
    betterSourceId === undefined ? '' : better(citationMark([betterSourceId])),
    leftOut,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function sourceLine({ n, title, url }: Listed['citations'][number]): string {
  const address = citationUrl(url);
  return `[${n}] ${quotation(title)}${address === null ? '' : ` <${address}>`}`;
}
