import type { SourceEntry, SourceRecord } from '../contracts/source/source';
import { groupedBy } from '../core/values/grouped-by';
import { DOCUMENT_FORMATS } from './formats/document-formats';
import { openFormats, type SourceFormats } from './formats/source-formats';
import { createIdentifier } from './identify';
import type { RecordReading, SourceReading } from './source-reading';

export interface KeptTexts {
  /** The bytes that a source was read from, by their hash; null where they are not kept. */
  originalOf: (sha256: string) => Promise<Buffer | null>;
  textOf: (ref: string) => Promise<string | null>;
}

/**
 * The sources of a stored list, parsed again from their originals: their texts and the places in them are new, and who they are stays. Of
 * text and JSON, whose original is the text, and where no original is kept, the text stands as it is stored.
 */
export async function* readAgain(
  entries: readonly SourceEntry[],
  kept: KeptTexts,
): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  const formats = openFormats(undefined);
  for (const group of groupedBy(entries, ({ sha256, id }) => sha256 ?? id).values()) {
    const parsed = await parsedAgain(group, kept, formats);
    for (const [at, entry] of group.entries())
      yield identify({ name: entry.title, file: null }, await withText(entry, parsed?.[at] ?? null, kept));
  }
}

/** What the original of some sources holds now, for each of them; null where there is none, or where it cannot be told which is which. */
async function parsedAgain(
  entries: readonly SourceEntry[],
  { originalOf }: KeptTexts,
  formats: SourceFormats,
): Promise<RecordReading[] | null> {
  const [{ sha256, mediaType } = {}] = entries;
  const format = Object.values(DOCUMENT_FORMATS).find((one) => one.mediaType === mediaType);
  if (sha256 === undefined || format === undefined) return null;
  const bytes = await originalOf(sha256);
  if (bytes === null) return null;
  const readings: RecordReading[] = [];
  const given = { bytes, ending: format.endings[0] ?? '', file: null, explicit: true };
  for await (const reading of formats.readBytes(given)) if (reading !== 'not-sources') readings.push(reading);
  // One document may have been given from several places.
  const [only] = readings;
  if (only !== undefined && readings.length === 1) return entries.map(() => only);
  return readings.length === entries.length ? readings : null;
}

async function withText(
  entry: SourceEntry,
  parsed: RecordReading | null,
  { textOf }: KeptTexts,
): Promise<RecordReading> {
  const {
    contentRef,
    contentChars: _chars,
    summaryRef,
    url,
    pages,
    work: _work,
    summaryOnly: _only,
    ...described
  } = entry;
  const summary = summaryRef === null ? null : await textOf(summaryRef);
  const known: Omit<SourceRecord, 'content'> = {
    ...described,
    ...(url === null ? {} : { url }),
    ...(summary === null ? {} : { summary }),
  };
  if (parsed?.ok === false) return parsed;
  if (parsed !== null) {
    const { content, pages: places } = parsed.record;
    return { ...parsed, record: { ...known, content, ...(places === undefined ? {} : { pages: places }) } };
  }
  const content = await textOf(contentRef);
  if (content === null)
    return { ok: false, message: 'its text is not in this store any more; import the source again' };
  const record = { ...known, content, ...(pages === undefined ? {} : { pages }) };
  return { ok: true, record, remarks: [], unknown: [] };
}
