import type { Warning } from '../contracts/run/run';
import { noteSources } from './noted-sources';
import type { SourceReading } from './source-reading';

/**
 * All sources with their contents, in memory, and nothing stored. Throws `InvalidSourcesError` where a record is bad and may
 * not be skipped, or where no source is left.
 */
export async function readWholeSources(
  readings: AsyncIterable<SourceReading>,
  { skipInvalid }: { skipInvalid: boolean },
): Promise<{ sources: (SourceReading & { ok: true })['record'][]; warnings: Warning[] }> {
  const noted = noteSources({ skipInvalid });
  const sources: (SourceReading & { ok: true })['record'][] = [];
  for await (const reading of readings) {
    const source = noted.note(reading);
    if (source !== null) sources.push(source.record);
  }
  return { sources, warnings: noted.warnings() };
}
