import { stringify } from 'csv-stringify/sync';
import { yearOf } from '../../core/writing/attribution';
import type { DocumentClaim, DocumentEvidence, DocumentTree } from '../document';

const COLUMNS = [
  'part',
  'claim',
  'verdict',
  'confidence',
  'quote',
  'disputed',
  'source_number',
  'title',
  'author',
  'year',
  'url',
  'page',
  'claim_id',
  'quote_of',
  'run',
  'colligate',
];

/**
 * The evidence table (RFC 4180): a row for each quote of each claim, and one for each source that a claim cites without a quote.
 * `quote_of` tells where it stands: in the source, or in what a given summary says of it. The byte order mark has spreadsheets read it as UTF-8; no cell is a formula to them.
 */
export function renderCsv(tree: DocumentTree): string {
  const titles = new Map(tree.parts.map(({ id, title }) => [id, title]));
  const sources = new Map(tree.sources.map((source) => [source.n, source]));
  const rows = tree.claims.flatMap((claim) =>
    placesOf(claim).map(({ source: n, quote, page, place, ofSummary, isDisputed }) => {
      const source = sources.get(n ?? 0);
      return [
        titles.get(claim.partId) ?? claim.partId,
        claim.text,
        claim.verdict,
        claim.confidence,
        quote,
        isDisputed === true ? 'yes' : '',
        n,
        source?.title,
        source?.author,
        yearOf(source?.publishedAt ?? undefined),
        source?.url,
        place ?? page,
        claim.id,
        quote === '' ? '' : ofSummary === true ? 'summary' : 'source',
        tree.id,
        tree.version,
      ];
    }),
  );
  return stringify(rows, {
    header: true,
    columns: COLUMNS,
    bom: true,
    record_delimiter: '\r\n',
    escape_formulas: true,
    // The one character of OWASP's list that the library leaves.
    cast: { string: (text) => (text.startsWith('\n') ? `'${text}` : text) },
  });
}

type Place = Pick<DocumentEvidence, 'quote' | 'page' | 'place' | 'ofSummary' | 'isDisputed'> & {
  source: number | null;
};

function placesOf({ sources, evidence }: DocumentClaim): Place[] {
  const quoted = new Set(evidence.map(({ source }) => source));
  const unquoted = sources.filter((n) => !quoted.has(n));
  const places = [...evidence, ...unquoted.map((source) => ({ source, quote: '', page: null }))];
  return places.length === 0 ? [{ source: null, quote: '', page: null }] : places;
}
