import type { GivenRecord } from '../contracts/source/source';
import { createIdentifier } from './identify';
import { parseRecord } from './parse-record';
import type { SourceReading } from './source-reading';

export type GivenRecords = Iterable<GivenRecord> | AsyncIterable<GivenRecord>;

/** What problems are told of: `records:3`, counted from 1. */
const RECORDS = { name: 'records', file: null };

/** As `readSources`, for records that are in no file. Where there is none at all, that is a problem. */
export async function* readRecords(records: GivenRecords): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  let line = 0;
  for await (const record of records) {
    line += 1;
    yield identify(RECORDS, { ...parseRecord(record), line });
  }
  if (line === 0) yield identify(RECORDS, { ok: false, message: 'there is none' });
}
