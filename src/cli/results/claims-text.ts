import { Verdict } from '../../contracts/verification/claim-verdict';
import { plainBlock, wrapped } from '../terminal/plain-markdown';
import { safeLine } from '../terminal/safe-text';
import type { ClaimsListing, ListedClaim } from './claims-listing';
import { count } from '../../core/values/grouped-digits';

export function claimsText(
  { audit, claims }: ClaimsListing,
  { width, emphasise }: { width: number; emphasise: (text: string) => string },
): string[] {
  const verdicts = Verdict.options
    .filter((verdict) => audit[verdict] > 0)
    .map((verdict) => `${audit[verdict]} of ${audit.claims} ${verdict}`);
  return [
    [count(audit.claims, 'claim'), ...verdicts].join(' · '),
    ...claims.flatMap((claim) => [
      '',
      emphasise(headline(claim)),
      ...details(claim).flatMap((line) => wrapped(line, width - 2).map((part) => `  ${part}`)),
    ]),
  ];
}

function headline({ id, verdict, section, setAside }: ListedClaim): string {
  const place = safeLine(section.title);
  const fate = setAside === null ? '' : ' · set aside, left out';
  return `${verdict} · ${safeLine(id)} · ${place}${fate}`;
}

function details({ text, reason, citations, evidence, better, setAside }: ListedClaim): string[] {
  // What stands is Markdown of the report, with its citations; what does not is kept as a reader says it.
  const said = setAside === null ? plainBlock(text, (sourceId) => sourceId).lines.join(' ') : safeLine(text);
  return [
    said,
    `Why: ${safeLine(reason)}`,
    citations.length === 0
      ? 'Cites: nothing that the report lists'
      : `Cites: ${citations.map(mark).join('')}`,
    ...evidence.map(passage),
    ...(better === undefined ? [] : [`What bears it better: ${named(better)}`]),
  ];
}

function passage({ n, sourceId, quote, start, end, page, place }: ListedClaim['evidence'][number]): string {
  const source = named({ n, sourceId });
  const within = place ?? (page === undefined ? null : `page ${page}`);
  const where = `characters ${start}–${end}${within === null ? '' : `, ${safeLine(within)}`}`;
  return `Passage: “${safeLine(quote)}” ${source}, ${where}`;
}

function named({ n, sourceId }: { n: number | null; sourceId: string }): string {
  return n === null ? safeLine(sourceId) : mark(n);
}

function mark(n: number): string {
  return `[${n}]`;
}
