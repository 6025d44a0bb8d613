import { extname } from 'node:path';
import { readErrorText } from '../lib/files';
import { append } from '../lib/iterables';
import { isRecord } from '../lib/json';
import type { ParseClient } from './formats/document-parser';
import { joinParts } from './formats/parse-format';
import type { DocumentPart } from './formats/parsed-document';
import { createSourceFormats, type SourceFormats } from './formats/source-formats';
import type { PageReader } from './pages';
import { readAbstract, type SaidMetadata, withListMetadata } from './read-sources';
import { entryAddress, formatAuthors, parseRecord } from './record';
import type { RecordReading, SourceReading } from './source-problems';
import { createIdentifier } from './source-readings';
import {
  childrenOf,
  field,
  findCollection,
  type Item,
  itemsOf,
  locateFile,
  ZoteroError,
  type ZoteroSource,
} from './zotero-api';

// Collections of Zotero on this machine.

interface ReadOptions {
  pages?: Pick<PageReader, 'keepOriginal'> | undefined;
  asker?: ParseClient | null | undefined;
}

/**
 * An item's file is a source with Zotero's metadata; without a file its abstract is. Notes and highlights are sources of their
 * own. Problems of single items are marked as found. A collection that cannot be read is one problem.
 */
export async function* readZotero(source: ZoteroSource, options: ReadOptions): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  const formats = createSourceFormats(options.pages?.keepOriginal, options.asker);
  const file = `Zotero, ${source.collection}`;
  try {
    const items = await itemsOf(source.url, await findCollection(source));
    if (items.length === 0) yield { ok: false, problem: { file, message: 'the collection has no items' } };
    for (const item of items)
      for await (const { file: own, reading } of readItem(item, { api: source.url, formats })) {
        const identified = identify({ name: own ?? `Zotero, ${titleOf(item)}`, file: own }, reading);
        yield identified.ok ? identified : { ...identified, isFound: true };
      }
  } catch (error) {
    if (!(error instanceof ZoteroError)) throw error;
    yield { ok: false, problem: { file, message: error.message } };
  }
}

const TITLE_FIELDS = ['title', 'caseName', 'nameOfAct', 'subject'];

/** Zotero calls most files `PDF` or `Snapshot`. */
function titleOf(item: Item): string {
  const names = item.data.itemType === 'attachment' ? ['filename', 'title'] : TITLE_FIELDS;
  return field(item, ...names) ?? item.key;
}

interface Reader {
  api: string;
  formats: SourceFormats;
}

interface ReadPart {
  /** Null for what has no file. */
  file: string | null;
  reading: RecordReading;
}

async function* readItem(item: Item, reader: Reader): AsyncGenerator<ReadPart> {
  const { itemType } = item.data;
  if (itemType === 'note') {
    const text = await noteTextOf(item, reader);
    yield { file: null, reading: text.ok ? parseRecord({ content: text.text }) : text };
    return;
  }
  const isFile = itemType === 'attachment';
  const children = isFile ? [item] : await childrenOf(reader.api, item);
  const files = children.filter(isReadableFile).sort((a, b) => rankOf(a) - rankOf(b));
  const annotations = new Map<string, Item>();
  for (const child of [
    ...children,
    ...(await Promise.all(files.map((file) => childrenOf(reader.api, file)))).flat(),
  ])
    if (child.data.itemType === 'annotation') annotations.set(child.key, child);
  const marked = [...annotations.values()].sort(bySortIndex);
  const said = isFile ? {} : metadataOf(item);
  const main = await readFiles(files, said, reader);
  const highlights = highlightsIn(marked, item, said);
  const notes = await notesOn(
    item,
    [...children.filter((child) => child.data.itemType === 'note'), ...marked],
    reader,
  );
  if ('parts' in main) yield* main.parts;
  else
    yield* readWithoutFile(item, said, { why: main.why, hasMore: highlights !== null || notes.length > 0 });
  if (highlights !== null) yield { file: null, reading: highlights };
  yield* notes;
}

/** The abstract, else a problem if there is nothing else. */
function* readWithoutFile(
  item: Item,
  said: SaidMetadata,
  { why, hasMore }: { why: string | null; hasMore: boolean },
): Generator<ReadPart> {
  const abstract = field(item, 'abstractNote') ?? null;
  const given = { ok: true as const, address: null, files: [], abstract, said, line: 1 };
  const missing = 'the item has no file, no abstract and no notes; attach its file in Zotero';
  if (abstract === null && hasMore) return;
  const { line: _line, ...reading } = readAbstract(
    given,
    why ?? (abstract === null ? missing : 'the item has no file'),
  );
  yield { file: null, reading };
}

const OTHER_LINKS = ['linked_url', 'embedded_image'];
/** Files that are read first. A snapshot of a page is often that of an abstract. */
const FILE_TYPES = ['application/pdf', 'application/epub+zip', 'other', 'application/xhtml+xml', 'text/html'];

function isReadableFile(item: Item): boolean {
  const { itemType, linkMode } = item.data;
  const isMedia = /^(?:image|audio|video)\//.test(field(item, 'contentType') ?? '');
  return itemType === 'attachment' && !OTHER_LINKS.some((mode) => mode === linkMode) && !isMedia;
}

function rankOf(item: Item): number {
  const at = FILE_TYPES.indexOf(field(item, 'contentType') ?? '');
  return at < 0 ? FILE_TYPES.indexOf('other') : at;
}

/** The first file that can be read, with remarks on the others; else why none can, or null without any. */
async function readFiles(
  files: readonly Item[],
  said: SaidMetadata,
  reader: Reader,
): Promise<{ parts: ReadPart[] } | { why: string | null }> {
  const problems: string[] = [];
  for (const [at, item] of files.entries()) {
    const located = await locateFile(item, reader.api);
    const readings = located.ok ? await readingsOf(located.file, reader) : [located];
    const problem = readings.find((reading) => !reading.ok);
    if (!located.ok || readings.every((reading) => !reading.ok)) {
      problems.push(
        `its file ${JSON.stringify(titleOf(item))} is not read (${problem?.ok === false ? problem.message : 'it has no text'})`,
      );
      continue;
    }
    const others = files.slice(at + 1).map((other) => JSON.stringify(titleOf(other)));
    const remarks = [
      ...problems,
      ...(others.length === 0
        ? []
        : [`of its files only the first is read; give the others with --sources: ${others.join(', ')}`]),
    ];
    return {
      parts: readings.map((reading, part) => ({
        file: located.file,
        reading: part === 0 ? withListMetadata(reading, said, remarks) : reading,
      })),
    };
  }
  return { why: problems[0] ?? null };
}

async function readingsOf(file: string, { formats }: Reader): Promise<RecordReading[]> {
  const readings: RecordReading[] = [];
  try {
    const given = { file, extension: extname(file).toLowerCase(), explicit: true };
    for await (const reading of formats.readFile(given))
      if (reading !== 'not-sources') readings.push(reading);
  } catch (error) {
    readings.push({ ok: false, message: readErrorText(error) });
  }
  return readings;
}

const SITE_FIELDS = [
  ...['publicationTitle', 'bookTitle', 'proceedingsTitle', 'encyclopediaTitle', 'dictionaryTitle'],
  ...['websiteTitle', 'blogTitle', 'forumTitle', 'publisher', 'institution', 'university'],
];

function metadataOf(item: Item): SaidMetadata {
  const parsed = item.meta?.['parsedDate'];
  const accessed = field(item, 'accessDate');
  return {
    title: field(item, ...TITLE_FIELDS),
    author: authorsOf(item),
    site: field(item, ...SITE_FIELDS),
    publishedAt: typeof parsed === 'string' ? parsed : field(item, 'date', 'dateEnacted', 'dateDecided'),
    url: entryAddress([field(item, 'url')], field(item, 'DOI')) ?? undefined,
    accessedAt: /^\d{4}-/.test(accessed ?? '') ? accessed : undefined,
    license: field(item, 'rights'),
    language: field(item, 'language'),
  };
}

/** Authors, else those of the first kind named, such as editors. */
function authorsOf({ data }: Item): string | undefined {
  const creators = Array.isArray(data['creators']) ? data['creators'].filter(isRecord) : [];
  const kind = creators.some(({ creatorType }) => creatorType === 'author')
    ? 'author'
    : creators[0]?.creatorType;
  const named = creators.filter(({ creatorType }) => creatorType === kind);
  return formatAuthors(
    named.map(({ name, lastName, firstName }) =>
      (typeof name === 'string' && name !== '' ? [name] : [lastName, firstName]).filter(
        (part) => typeof part === 'string',
      ),
    ),
  );
}

function bySortIndex(one: Item, other: Item): number {
  const [a, b] = [one, other].map((item) => field(item, 'annotationSortIndex') ?? '') as [string, string]; // of two items
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Words of the document, so its author's. With the same address they count once beside the document. */
function highlightsIn(annotations: readonly Item[], item: Item, said: SaidMetadata): RecordReading | null {
  const parts = annotations.flatMap((annotation) => markedPart(annotation, 'annotationText'));
  if (parts.length === 0) return null;
  const url = said.url === undefined || said.url.includes('#') ? said.url : `${said.url}#highlights`;
  const title = `Highlights in ${titleOf(item)}`;
  return withListMetadata(parseRecord(joinParts({ fields: {}, parts })), { ...said, url, title });
}

/** Notes and comments on highlights: the user's own words, so neither the document's address nor its author. */
async function notesOn(item: Item, notes: readonly Item[], reader: Reader): Promise<ReadPart[]> {
  const parts: DocumentPart[] = [];
  const problems: ReadPart[] = [];
  for (const note of notes) {
    if (note.data.itemType !== 'note') append(parts, markedPart(note, 'annotationComment'));
    else {
      const text = await noteTextOf(note, reader);
      if (text.ok) parts.push({ text: text.text });
      else if (field(note, 'note') !== undefined) problems.push({ file: null, reading: text });
    }
  }
  if (parts.length === 0) return problems;
  const reading = parseRecord({ ...joinParts({ fields: {}, parts }), title: `Notes on ${titleOf(item)}` });
  return [{ file: null, reading }, ...problems];
}

function markedPart(annotation: Item, name: 'annotationText' | 'annotationComment'): DocumentPart[] {
  const text = field(annotation, name);
  const label = field(annotation, 'annotationPageLabel');
  return text === undefined ? [] : [{ text, ...(label === undefined ? {} : { name: `page ${label}` }) }];
}

/** Notes are HTML. */
async function noteTextOf(
  note: Item,
  { formats }: Reader,
): Promise<{ ok: true; text: string } | { ok: false; message: string }> {
  const html = field(note, 'note');
  if (html === undefined) return { ok: false, message: 'the note is empty' };
  const bytes = Buffer.from(`<!doctype html><html><body><main>${html}</main></body></html>`);
  for await (const reading of formats.readBytes({ bytes, extension: '.html', file: null, explicit: true })) {
    if (reading === 'not-sources') continue;
    return reading.ok ? { ok: true, text: reading.record.content } : { ok: false, message: reading.message };
  }
  return { ok: false, message: 'the note is empty' };
}
