import { z } from 'zod';
import { addUsage, NO_USAGE } from '../contracts/budget';
import { capabilitiesOf, QUOTING_ENGINE } from '../contracts/pipeline';
import {
  ArtifactRef,
  MAX_SUMMARY_CHARS,
  type SourceEntry,
  SourceId,
  SourceManifest,
  WordCounts,
} from '../contracts/source';
import { groupBy } from '../lib/iterables';
import { summarise, type SummariseOutput } from '../steps/summarise';
import { addCounts } from '../text/collection';
import { readingGroups, smallestWindow } from '../text/reading-groups';
import { splitPassages } from '../text/sentences';
import { readCached, storeArtifact } from './artifacts';
import { fitsOneCall, readDigests } from './catalogue';
import type { ActivityPorts, ReportContext } from './ports';
import { MAX_RETURNED_WARNINGS, runStep, type UsageAndWarnings, withThreadSlot } from './run-step';

export interface SummariseBatchInput {
  run: ReportContext;
  manifestRef: ArtifactRef;
  /** Indexes in the manifest; `to` is exclusive. */
  from: number;
  to: number;
}

export interface SummarisedBatch extends UsageAndWarnings {
  batchRef: ArtifactRef;
}

/** An empty signature means a text without words. `held` are the question's words in the text. */
export const SummaryBatch = z.object({
  sources: z.array(
    z.object({
      id: SourceId,
      summaryRef: ArtifactRef,
      signature: z.array(z.int()),
      held: z.array(z.string()),
      group: z.string().optional(),
    }),
  ),
  counts: WordCounts,
});
export type SummaryBatch = z.infer<typeof SummaryBatch>;

/** Pass 0 for some sources: missing summaries, and signatures for near-duplicates. */
export async function summariseBatch(
  ports: ActivityPorts,
  input: SummariseBatchInput,
  signal: AbortSignal,
): Promise<SummarisedBatch> {
  return withThreadSlot(ports, input.run, signal, () => readAndSummarise(ports, input, signal));
}

async function readAndSummarise(
  ports: ActivityPorts,
  { run, manifestRef, from, to }: SummariseBatchInput,
  signal: AbortSignal,
): Promise<SummarisedBatch> {
  const manifest = await readCached(ports.content, manifestRef, SourceManifest);
  const entries = manifest.sources.slice(from, to);
  // Sources that fit are read whole; their summaries are quotes, in case the model fails.
  const asksModel = capabilitiesOf(run.engine).readsInGroups && !fitsOneCall(run, manifest.sources);
  const groupOf = asksModel ? sourceGroups(run, entries, from) : new Map<string, string>();
  // Grouped reading takes the whole batch at once and shares its budget.
  const slices = asksModel ? [entries] : readingSlices(entries);
  const batch: SummaryBatch = { sources: [], counts: addCounts([]) };
  let spent: UsageAndWarnings = { usage: NO_USAGE, warnings: [] };
  for (const slice of slices) {
    const at = { from: from + batch.sources.length, groupOf, asksModel, signal };
    const read = await readSlice(ports, run, slice, at);
    batch.sources.push(...read.sources);
    batch.counts = addCounts([batch.counts, read.counts]);
    spent = mergeUsage(spent, read);
  }
  return { batchRef: await storeArtifact(ports.content, run.runId, batch), ...spent };
}

async function readSlice(
  ports: ActivityPorts,
  run: ReportContext,
  entries: readonly SourceEntry[],
  {
    from,
    groupOf,
    asksModel,
    signal,
  }: { from: number; groupOf: ReadonlyMap<string, string>; asksModel: boolean; signal: AbortSignal },
): Promise<SummaryBatch & UsageAndWarnings> {
  const contents = await ports.content.retrieveBatch(entries.map((entry) => entry.contentRef));
  const texts = entries.map((entry) => contents.get(entry.contentRef) ?? '');
  const survey = await ports.threads.run('survey-texts', { question: run.question, texts }, signal);

  const bare = entries.filter((entry) => entry.summaryRef === null);
  const textOf = (entry: SourceEntry): string => contents.get(entry.contentRef) ?? '';
  const { summaries: given, ...spent } = asksModel
    ? await requestSummaries(ports, run, bare, { textOf, from, signal, groupOf })
    : await quoteSummaries(ports, run, bare, { textOf, from, signal });

  const written = new Map(given.map(({ sourceId, summary }) => [sourceId, summary]));
  const summaries = bare.map((entry) => written.get(entry.id) ?? openingText(textOf(entry), entry.title));
  const refs = await ports.content.storeBatch(run.runId, summaries);
  const refOf = new Map(bare.map((entry, index) => [entry.id, refs[index]]));
  const sources = entries.flatMap(({ id, summaryRef }, index) => {
    const ref = summaryRef ?? refOf.get(id);
    const source = survey.sources[index];
    const group = groupOf.get(id);
    return ref === undefined || source === undefined
      ? []
      : [{ id, summaryRef: ref, ...source, ...(group === undefined ? {} : { group }) }];
  });
  return { sources, counts: survey.counts, ...spent };
}

function mergeUsage(one: UsageAndWarnings, other: UsageAndWarnings): UsageAndWarnings {
  return {
    usage: addUsage(one.usage, other.usage),
    warnings: [...one.warnings, ...other.warnings].slice(0, MAX_RETURNED_WARNINGS),
  };
}

type SummaryResult = SummariseOutput & UsageAndWarnings;

interface BatchMaterial {
  textOf: (entry: SourceEntry) => string;
  from: number;
  signal: AbortSignal;
}

async function quoteSummaries(
  ports: ActivityPorts,
  run: ReportContext,
  entries: readonly SourceEntry[],
  { textOf, from, signal }: BatchMaterial,
): Promise<SummaryResult> {
  const sources = entries
    .map((entry) => ({ sourceId: entry.id, title: entry.title, passages: splitPassages(textOf(entry)) }))
    .filter(({ passages }) => passages.length > 0);
  if (sources.length === 0) return { summaries: [], usage: NO_USAGE, warnings: [] };
  const input = { question: run.question, sources };
  if (capabilitiesOf(run.engine).asksModels) {
    const reader = ports.engines[QUOTING_ENGINE];
    const read = await reader?.run(summarise, input, { runId: run.runId, signal });
    return { summaries: read?.output.summaries ?? [], usage: NO_USAGE, warnings: [] };
  }
  const { output, ...spent } = await runStep(ports, run, summarise, input, {
    place: { pass: 0, ordinal: from },
    signal,
  });
  return { ...output, ...spent };
}

/** Asks in the groups that later passes read. A text within the summary limit is its own summary. */
async function requestSummaries(
  ports: ActivityPorts,
  run: ReportContext,
  entries: readonly SourceEntry[],
  { textOf, from, signal, groupOf }: BatchMaterial & { groupOf: ReadonlyMap<string, string> },
): Promise<SummaryResult> {
  const whole = new Map(entries.map((entry) => [entry.id, ownSummary(textOf(entry))]));
  const own = [...whole].flatMap(([sourceId, summary]) => (summary === null ? [] : [{ sourceId, summary }]));
  const unsaid = entries.filter(({ id }) => whole.get(id) === null);
  const groups = [...groupBy(unsaid, ({ id }) => groupOf.get(id)).values()];
  const asked = await Promise.all(
    groups.map(async (group, at) => {
      const digests = await readDigests(ports, run, group, signal);
      const sources = digests
        .filter(({ passages }) => passages.length > 0)
        .map(({ sourceId, title, author, site, publishedAt, passages }) => ({
          sourceId,
          title,
          author,
          site,
          publishedAt,
          passages,
        }));
      if (sources.length === 0) return { output: { summaries: [] }, usage: NO_USAGE, warnings: [] };
      const place = { pass: 0, ordinal: `${from}.${at}` };
      return runStep(ports, run, summarise, { question: run.question, sources }, { place, signal });
    }),
  );
  return {
    summaries: [...own, ...asked.flatMap(({ output }) => output.summaries)],
    usage: asked.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    warnings: asked.flatMap(({ warnings }) => warnings).slice(0, MAX_RETURNED_WARNINGS),
  };
}

function sourceGroups(
  run: ReportContext,
  entries: readonly SourceEntry[],
  from: number,
): Map<string, string> {
  const groups = readingGroups(entries, {
    settings: run.synthesis,
    contextTokens: smallestWindow(run.models),
  });
  return new Map(groups.flatMap((group, at) => group.map(({ id }) => [id, `${from}.${at}`] as const)));
}

/** Without headings; null if empty or longer than a summary. */
function ownSummary(text: string): string | null {
  const said = splitPassages(text)
    .map((passage) => passage.text)
    .join('\n\n');
  return said === '' || said.length > MAX_SUMMARY_CHARS ? null : said;
}

function openingText(text: string, title: string): string {
  const start = text.trim().slice(0, MAX_SUMMARY_CHARS);
  return start === '' ? title.slice(0, MAX_SUMMARY_CHARS) : start.replace(/\s+\S*$/, '');
}

/** Full texts in memory at once, or a single longer one. */
const MAX_SLICE_CHARS = 1_000_000;

/** Slices keep the memory use independent of the batch size. */
export function readingSlices(entries: readonly SourceEntry[]): SourceEntry[][] {
  const slices: SourceEntry[][] = [];
  let chars = Infinity;
  for (const entry of entries) {
    if (chars + entry.contentChars > MAX_SLICE_CHARS) {
      slices.push([]);
      chars = 0;
    }
    slices.at(-1)?.push(entry);
    chars += entry.contentChars;
  }
  return slices;
}
