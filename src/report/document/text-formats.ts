import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { publicationKind } from '../../evidence/source-records';
import { groupBy } from '../../lib/iterables';
import { withFullStop } from '../../lib/strings';
import { escapeWithinLine, stripUnsafe } from '../../lib/untrusted-text';
import { parseUrl } from '../../lib/url';
import { type AuthorName, bibliographyNames, yearOf } from '../attribution';
import { fileName } from '../report-markdown';
import { reportTexts } from '../report-texts';
import type {
  DocumentClaim,
  DocumentEvidence,
  DocumentSource,
  DocumentTree,
  StoredDocument,
} from './document';

/** The stored Markdown. An answer's text is bare, so that question, notices and sources are added. */
export function renderMarkdown(tree: DocumentTree, { markdown }: StoredDocument): string {
  if (tree.kind !== 'answer') return markdown;
  const sources = tree.sources.map(sourceLine);
  return [
    `# ${escapeWithinLine(tree.question.replace(/\s+/g, ' '))}`,
    ...tree.notices.map((notice) => `> ${escapeWithinLine(notice.replace(/\s+/g, ' '))}`),
    markdown.trim(),
    ...(sources.length === 0 ? [] : [`## ${reportTexts.headings.sources}`, sources.join('\n')]),
    '',
  ].join('\n\n');
}

function sourceLine({ n, title, file, author, publishedAt, url, bySummaryOnly }: DocumentSource): string {
  const told = [author, title, publishedAt].flatMap((part) =>
    part === null ? [] : [escapeWithinLine(part.replace(/\s+/g, ' '))],
  );
  const parts = told.map((part, at) => (at === told.length - 1 ? part : withFullStop(part)));
  const named = file === null ? '' : `, ${fileName(file)}`;
  return `${n}. ${parts.join(' ')}${named}${url === null ? '' : ` <${url}>`}${bySummaryOnly ? `. ${reportTexts.summaryOnly}` : ''}`;
}

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

/** RFC 4180: a row for each quote, and for each source cited without one. The BOM makes spreadsheets read UTF-8; no cell is a formula. */
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
    // The one character of OWASP's list that the library does not escape.
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

/** BibTeX libraries bring a parser, a network client and character tables; in UTF-8, only 11 characters need an escape. */
export function renderBibtex(tree: DocumentTree): string {
  const references = referencesOf(tree);
  const keys = keysOf(references.map(({ sourceId }) => sourceId));
  // A comment ends at its closing brace, in older programs at the next `@`.
  const comment = provenanceOf(tree).replace(/[{}@\\]/g, ' ');
  const entries = references.map((reference, at) => entryOf(keys[at] ?? '', reference));
  return [`@comment{Sources of ${comment}}\n`, ...entries].join('\n');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function entryOf(key: string, reference: Reference): string {
  const { kind, url } = reference;
  const fields: (readonly [name: string, value: string | null])[] = [
    // Double braces keep the capitals in every style.
    ['title', `{${braced(reference.title)}}`],
    ['author', authorsIn(reference)],
    [kind === 'article' ? 'journal' : 'organization', reference.site && braced(reference.site)],
    ['year', reference.year && braced(reference.year)],
    ['month', reference.month && (MONTHS[Number(reference.month) - 1] ?? null)],
    ['doi', reference.doi && bracedAddress(reference.doi)],
    ['url', url && bracedAddress(url)],
    ['urldate', url && reference.accessed && braced(reference.accessed)],
    ['note', braced(reference.note)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === null ? [] : [`  ${name} = ${value},\n`]));
  return `@${kind === 'article' ? 'article' : 'misc'}{${key},\n${lines.join('')}}\n`;
}

/** Braces keep particles, organisation names, commas and “and” from being parsed. */
function authorsIn({ authors, hasOthers }: Reference): string | null {
  if (authors.length === 0) return null;
  const names = authors.map(({ family, given }) =>
    given === '' ? braced(family) : `${braced(family)}, ${braced(given)}`,
  );
  return `{${[...names, ...(hasOthers ? ['others'] : [])].join(' and ')}}`;
}

/** BibTeX counts braces behind a backslash too, so they are written by name. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};

function escapeLatex(text: string): string {
  return text.replace(/[\\{}^~$&#_%]/g, (sign) => ESCAPES[sign] ?? `\\${sign}`);
}

function braced(text: string): string {
  return `{${escapeLatex(text)}}`;
}

/** Addresses stay as they are, except for characters that would end the field. */
function bracedAddress(address: string): string {
  return `{${address.replace(/[\\{}]/g, (sign) => encodeURIComponent(sign))}}`;
}

const HASH_CHARS = 8;

/** Source ids reduced to the characters of keys. Ids that become equal, regardless of case, get a hash. */
function keysOf(ids: readonly string[]): string[] {
  const plain = ids.map((id) => id.replace(/[^A-Za-z0-9:._/+-]+/g, '-'));
  const count = new Map<string, number>();
  for (const key of plain) count.set(key.toLowerCase(), (count.get(key.toLowerCase()) ?? 0) + 1);
  return plain.map((key, at) => {
    if (count.get(key.toLowerCase()) === 1) return key;
    const hash = createHash('sha256')
      .update(ids[at] ?? '')
      .digest('hex');
    return `${key}-${hash.slice(0, HASH_CHARS)}`;
  });
}

const TYPES = { article: 'JOUR', preprint: 'UNPB', web: 'ELEC', file: 'GEN' } as const;

/** Sources for reference managers. RIS has no escapes: a value ends with its line. */
export function renderRis(tree: DocumentTree): string {
  return referencesOf(tree)
    .map((reference) => [...fieldsOf(reference), ['ER', ''] as const].map(lineOf).join('') + '\r\n')
    .join('');
}

type Field = readonly [tag: string, value: string | null];

function fieldsOf({ authors, year, month, day, accessed, ...reference }: Reference): Field[] {
  return [
    ['TY', TYPES[reference.kind]],
    ['ID', reference.sourceId],
    ['TI', reference.title],
    ...authors.map(({ family, given }): Field => ['AU', given === '' ? family : `${family}, ${given}`]),
    ['T2', reference.site],
    ['PY', year],
    ['DA', month === null ? null : [year, month, day ?? '', ''].join('/')],
    ['DO', reference.doi],
    ['UR', reference.url],
    ['Y2', accessed?.replaceAll('-', '/') ?? null],
    ['N1', reference.note],
  ];
}

function lineOf([tag, value]: Field): string {
  return value === null ? '' : `${tag}  - ${value}\r\n`;
}

interface Reference {
  sourceId: string;
  title: string;
  authors: AuthorName[];
  hasOthers: boolean;
  site: string | null;
  year: string | null;
  /** `03` and `01` of `2021-03-01`. */
  month: string | null;
  day: string | null;
  /** `2021-03-01`. */
  accessed: string | null;
  url: string | null;
  doi: string | null;
  kind: SourceKind;
  note: string;
}

/** One for each source: an answer's numbers are passages, of which a source may have several. */
function referencesOf(tree: DocumentTree): Reference[] {
  const sources = groupBy(tree.sources, ({ sourceId }) => sourceId).values();
  return [...sources].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          referenceOf(
            first,
            [first, ...others].map(({ n }) => n),
            tree,
          ),
        ],
  );
}

/** `report “changes”, Colligate 0.6.0`. */
export function provenanceOf({ kind, id, version }: DocumentTree): string {
  return `${kind} “${oneLine(id)}”, Colligate ${oneLine(version)}`;
}

function referenceOf(source: DocumentSource, numbers: readonly number[], tree: DocumentTree): Reference {
  const { sourceId, url, accessedAt } = source;
  const author = textOf(source.author);
  const site = textOf(source.site);
  const published = textOf(source.publishedAt);
  const [, month, day] = /^\d{4}-(0[1-9]|1[0-2])(?:-([0-3]\d))?(?!\d)/.exec(published ?? '') ?? [];
  return {
    sourceId,
    title: textOf(source.title) ?? sourceId,
    authors: bibliographyNames(author ?? undefined),
    hasOthers: /\bet al\b/i.test(author ?? ''),
    site,
    year: yearOf(published ?? undefined) ?? null,
    month: month ?? null,
    day: day ?? null,
    accessed: /^\d{4}-\d{2}-\d{2}/.exec(accessedAt ?? '')?.[0] ?? null,
    url,
    doi: doiOf(url),
    kind: sourceKind(source),
    note: `[${numbers.join(', ')}] of ${provenanceOf(tree)}`,
  };
}

function doiOf(url: string | null): string | null {
  const parsed = url === null ? null : parseUrl(url);
  if (parsed === null || !/^(?:dx\.)?doi\.org$/.test(parsed.hostname)) return null;
  return /^\/(10\.\d{4,9}\/.+)$/.exec(parsed.pathname)?.[1] ?? null;
}

function textOf(given: string | null): string | null {
  const text = oneLine(given ?? '');
  return text === '' ? null : text;
}

function oneLine(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, ' ').trim();
}

type SourceKind = 'article' | 'preprint' | 'web' | 'file';

function sourceKind({ url }: Pick<DocumentSource, 'url'>): SourceKind {
  return url === null ? 'file' : (publicationKind(url) ?? 'web');
}
