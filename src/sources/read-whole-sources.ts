import type { Warning } from '../contracts/run/run';
import type { Asker } from './formats/parsing/document-parser';
import { InvalidSourcesError } from './invalid-sources-error';
import { noteSources } from './noted-sources';
import type { SourceReading } from './source-reading';

/** Of the contents and addresses of all sources together that are read for somebody else, such as a client over HTTP: about 20,000 pages. */
const MOST_CHARS_FOR_OTHERS = 50_000_000;
const TOO_MUCH = `with it the sources have more than ${MOST_CHARS_FOR_OTHERS.toLocaleString('en')} characters together`;

/**
 * All sources with their contents, in memory, and nothing stored. Throws `InvalidSourcesError` where a record is bad and may
 * not be skipped, where no source is left, or where those of an asker have more than 50,000,000 characters.
 */
export async function readWholeSources(
  readings: AsyncIterable<SourceReading>,
  { skipInvalid, asker = null }: { skipInvalid: boolean; asker?: Asker | null | undefined },
): Promise<{ sources: (SourceReading & { ok: true })['record'][]; warnings: Warning[] }> {
  const noted = noteSources({ skipInvalid });
  const sources: (SourceReading & { ok: true })['record'][] = [];
  let left = asker === null ? Infinity : MOST_CHARS_FOR_OTHERS;
  for await (const reading of readings) {
    const source = noted.note(reading);
    if (source === null) continue;
    const { content, url = '' } = source.record;
    left -= content.length + url.length;
    if (left < 0)
      throw new InvalidSourcesError([{ file: source.file, message: TOO_MUCH }], 1, 'Give fewer of them.');
    sources.push(source.record);
  }
  return { sources, warnings: noted.warnings() };
}
