import type { Warning } from '../contracts/run/run';
import type { SourceEntry } from '../contracts/source/source';
import { isRecord } from '../core/values/is-record';

const NAMES_SHOWN = 3;

/** In which sources a running run and a request differ, as parts of a sentence. */
export function sourceDifferences(running: readonly SourceEntry[], given: readonly SourceEntry[]): string[] {
  const [has, wants] = [running, given].map((sources) => new Map(sources.map((entry) => [entry.id, entry])));
  if (has === undefined || wants === undefined) return [];
  const others = (
    one: ReadonlyMap<string, SourceEntry>,
    other: ReadonlyMap<string, SourceEntry>,
  ): SourceEntry[] => [...one.values()].filter(({ id }) => !other.has(id));
  const edited = [...wants.values()].filter((entry) => {
    const known = has.get(entry.id);
    return known !== undefined && differingPaths(known, entry).length > 0;
  });
  return [
    ...told(others(wants, has), 'that it does not have'),
    ...told(others(has, wants), 'that it has, not given now'),
    ...told(edited, 'not as it has it'),
  ];
}

function told(entries: readonly SourceEntry[], what: string): string[] {
  if (entries.length === 0) return [];
  const names = entries.slice(0, NAMES_SHOWN).map(({ title }) => `“${title}”`);
  const more = entries.length - names.length;
  const list = [...names, ...(more === 0 ? [] : [`${more} more`])].join(', ');
  return [`${entries.length} ${entries.length === 1 ? 'source' : 'sources'} ${what}: ${list}`];
}

/** The settings that a running run has otherwise than a request: `synthesis.targetReportLength is 7500, not 900`. */
function settingDifferences(running: Settings, given: Settings): string[] {
  return differingPaths(running, given).map(
    ({ path, one, other }) => `${path} is ${shown(one)}, not ${shown(other)}`,
  );
}

/** What a running run was started with, and what is asked of it now. */
type Settings = Readonly<Record<string, unknown>>;

/** That settings of a running run hold, where a request has others: what it was started with holds. */
export function heldSettings(runId: string, running: Settings, given: Settings): Warning[] {
  const has = Object.fromEntries(Object.keys(given).map((name) => [name, running[name]]));
  const settings = settingDifferences(has, given);
  if (settings.length === 0) return [];
  return [
    joinWarning(`What run "${runId}" was started with holds: ${settings.join('; ')} as asked for now.`),
  ];
}

export function joinWarning(message: string): Warning {
  return { code: 'run-joined', message };
}

interface Difference {
  path: string;
  one: unknown;
  other: unknown;
}

/** Where two values of plain data differ, down to the fields that do; nothing and null are one. */
function differingPaths(one: unknown, other: unknown, path = ''): Difference[] {
  if (isRecord(one) && isRecord(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) =>
      differingPaths(one[name], other[name], path === '' ? name : `${path}.${name}`),
    );
  }
  const isSame = JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
  return isSame ? [] : [{ path, one, other }];
}

function shown(value: unknown): string {
  return value === undefined || value === null ? 'not set' : JSON.stringify(value);
}
