import type { Warning } from '../contracts/run/run';
import { NAME_SOME_SOURCES } from './formats/source-formats';
import { InvalidSourcesError, PROBLEMS_IN_FULL, problemLine } from './invalid-sources-error';
import { type SourceProblem, type SourceReading, placeOf } from './source-reading';

const MAX_SKIP_WARNINGS = 1_000;

const CORRECT_OR_SKIP = 'Correct them, or go on without them by --skip-invalid.';
const NOTHING_LEFT = 'No usable source is left.';

type UsableSource = SourceReading & { ok: true };

export interface NotedSources {
  /** The reading where it is a source that was not there yet, else null. */
  note(reading: SourceReading): UsableSource | null;
  isRefused(): boolean;
  /** Throws `InvalidSourcesError` where a record is bad and may not be skipped, or where no source is left. */
  warnings(): Warning[];
}

export function noteSources({ skipInvalid }: { skipInvalid: boolean }): NotedSources {
  const ids = new Set<string>();
  const kept: SourceProblem[] = [];
  const odd = createSourceWarnings();
  let problems = 0;
  let repeats = 0;
  const isRefused = (): boolean => problems > 0 && !skipInvalid;
  return {
    isRefused,
    note(reading) {
      if (!reading.ok) {
        problems += 1;
        if (kept.length < (skipInvalid ? MAX_SKIP_WARNINGS : PROBLEMS_IN_FULL)) kept.push(reading.problem);
        return null;
      }
      if (ids.has(reading.record.id)) {
        repeats += 1;
        return null;
      }
      ids.add(reading.record.id);
      odd.note(reading);
      return reading;
    },
    warnings() {
      if (ids.size === 0)
        throw new InvalidSourcesError(kept, problems, problems === 0 ? NAME_SOME_SOURCES : NOTHING_LEFT);
      if (isRefused()) throw new InvalidSourcesError(kept, problems, CORRECT_OR_SKIP);
      return [...skipWarnings(kept, problems), ...repeatWarnings(repeats), ...odd.warnings()];
    },
  };
}

function skipWarnings(kept: readonly SourceProblem[], problems: number): Warning[] {
  const more = problems - kept.length;
  return [
    ...kept.map((problem) => ({ code: 'source-skipped', message: problemLine(problem) })),
    ...(more > 0 ? [{ code: 'source-skipped', message: `${more} more records were skipped` }] : []),
  ];
}

function repeatWarnings(repeats: number): Warning[] {
  if (repeats === 0) return [];
  const records = repeats === 1 ? 'record repeats' : 'records repeat';
  const message = `${repeats} ${records} the id and content of another and counts once`;
  return [{ code: 'source-repeated', message }];
}

type ReadSource = SourceReading & { ok: true };

const MAX_REMARKS = 100;
const MAX_KEYS = 20;

interface SourceWarnings {
  note(reading: ReadSource): void;
  warnings(): Warning[];
}

function createSourceWarnings(): SourceWarnings {
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
