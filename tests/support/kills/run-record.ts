import type { ColligateClient } from '../../../src/client';
import type { RunEvent } from '../../../src/contracts/event';
import type { Report } from '../../../src/contracts/report';
import { renderCitations } from '../../../src/report/citations';
import type { Stores } from '../../../src/stores/stores';

export interface RunRecord {
  report: Report;
  markdown: string;
  events: RunEvent[];
}

export interface Records {
  colligate: Pick<ColligateClient, 'run'>;
  stores: Pick<Stores, 'events'>;
}

/** Null where it left no report. */
export async function recordOf({ colligate, stores }: Records, runId: string): Promise<RunRecord | null> {
  const stored = await colligate.run(runId).report();
  return stored === null ? null : { ...stored, events: await stores.events.read(runId) };
}

export interface FinishedOptions {
  limitMs?: number;
  mayEnd?: (status: string) => boolean;
}

/** Of a run that has to end with a report. */
export async function finishedRecord(
  records: Records,
  runId: string,
  { limitMs = RUN_MS, mayEnd = (status) => status === 'completed' }: FinishedOptions = {},
): Promise<RunRecord> {
  const closed = await records.colligate.run(runId).waitUntilClosed({ signal: AbortSignal.timeout(limitMs) });
  if (!mayEnd(closed.status)) throw new Error(`run ${runId} is ${JSON.stringify(closed)}`);
  const record = await recordOf(records, runId);
  if (record === null) throw new Error(`run ${runId} left no report`);
  return record;
}

/** Less than a test may take, so that it is told which run has not ended. */
const RUN_MS = 580_000;

/** All that two runs of the same report have in common: everything but id, timings, usage and runtime. */
export function comparable({ report, markdown }: Pick<RunRecord, 'report' | 'markdown'>): unknown {
  const { id: _id, timings: _timings, usage: _usage, provenance, ...rest } = report;
  const { runtime: _runtime, ...pinned } = provenance;
  return { ...rest, provenance: pinned, markdown };
}

/** What is wrong with a finished run's log, as sentences: holes, repeats, a missing end, texts the report does not have. */
export function problemsOfLog({ report, events }: RunRecord): string[] {
  const problems: string[] = [];
  const keys = new Set<string>();
  events.forEach((event, index) => {
    if (event.number !== index + 1) problems.push(`event ${index + 1} has the number ${event.number}`);
    if (keys.has(event.key)) problems.push(`${event.key} is there twice`);
    keys.add(event.key);
  });
  if (events[0]?.type !== 'run-started') problems.push('it does not begin with the start of the run');
  if (events.at(-1)?.type !== 'run-completed') problems.push('it does not end with the end of the run');

  const numbers = new Map(report.citations.map(({ sourceId, n }) => [sourceId, n]));
  const { texts, gaps } = sectionTexts(events);
  problems.push(...gaps);
  for (const { id, markdown } of report.sections) {
    if (renderCitations(texts.get(id) ?? '', numbers) !== markdown)
      problems.push(`the streamed text of ${id} is not the one that the report has`);
  }
  return problems;
}

/** Each section's text in its newest generation, put together as a reader of the log does. */
function sectionTexts(events: readonly RunEvent[]): { texts: Map<string, string>; gaps: string[] } {
  const texts = new Map<string, string>();
  const generations = new Map<string, number>();
  const gaps: string[] = [];
  for (const event of events) {
    if (event.type === 'section-restarted') {
      generations.set(event.payload.section, event.payload.generation);
      texts.set(event.payload.section, '');
    }
    if (event.type !== 'content-chunk') continue;
    const { section, generation, offset, text } = event.payload;
    const before = texts.get(section) ?? '';
    if (generation !== (generations.get(section) ?? 1)) gaps.push(`${event.key} is of another generation`);
    if (offset !== before.length) gaps.push(`${event.key} does not go on where the text ended`);
    texts.set(section, before + text);
  }
  return { texts, gaps };
}

const OF_TEXTS: readonly RunEvent['type'][] = ['content-chunk', 'section-restarted', 'section-written'];

/** The keys of what a run tells but for its texts: their pieces and generations depend on where it was stopped. */
export function keysOf({ events }: Pick<RunRecord, 'events'>): string[] {
  return events
    .filter(({ type }) => !OF_TEXTS.includes(type))
    .map(({ key }) => key)
    .sort();
}
