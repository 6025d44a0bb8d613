import type { Warning } from '../contracts/run/run';
import { problemLine } from './invalid-sources-error';
import { placeOf, type SourceReading } from './source-reading';

type ReadSource = SourceReading & { ok: true };

/** So many remarks are told in full; the rest are counted. */
const MAX_REMARKS = 100;
const MAX_KEYS = 20;

/** Takes note of what is odd about sources that are used, and tells of it in a few warnings. */
export interface SourceWarnings {
  note(reading: ReadSource): void;
  warnings(): Warning[];
}

export function createSourceWarnings(): SourceWarnings {
  const remarks: Warning[] = [];
  let more = 0;
  const keys = new Map<string, { nearest: string | null; place: string; records: number }>();
  return {
    note({ file, line, remarks: own, unknown }) {
      for (const message of own) {
        if (remarks.length < MAX_REMARKS)
          remarks.push(changed(problemLine({ file, message, ...(line === undefined ? {} : { line }) })));
        else more += 1;
      }
      for (const { key, nearest } of unknown) {
        const known = keys.get(key);
        if (known === undefined && keys.size >= MAX_KEYS) continue;
        keys.set(key, {
          nearest: known?.nearest ?? nearest,
          place: known?.place ?? placeOf(file, line),
          records: (known?.records ?? 0) + 1,
        });
      }
    },
    warnings: () => [
      ...remarks,
      ...(more === 0 ? [] : [changed(`${more} more remarks of this kind on the metadata of sources`)]),
      ...[...keys].map(([key, { nearest, place, records }]) => ({
        code: 'source-key-unknown',
        message: problemLine({
          file: place,
          message: `the key ${JSON.stringify(key)} says nothing here${nearest === null ? '' : `; is ${JSON.stringify(nearest)} meant?`}${records === 1 ? '' : ` (${records} sources have it)`}`,
        }),
      })),
    ],
  };
}

function changed(message: string): Warning {
  return { code: 'source-metadata', message };
}
