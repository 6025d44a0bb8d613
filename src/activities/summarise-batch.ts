import { z } from 'zod';
import { ArtifactRef } from '../core/contracts/artifact';
import { MAX_SUMMARY_CHARS, SourceId, type SourceEntry } from '../core/contracts/source';
import { WordCounts } from '../core/contracts/word-counts';
import { NO_USAGE } from '../core/usage';
import { splitPassages } from '../language/passages';
import { summarise } from '../steps/summarise';
import { storeArtifact } from './artifacts';
import { openManifest } from './manifest';
import type { ActivityPorts, RunBrief } from './ports';
import { inTurn, runStep, type Spent } from './run-step';

export interface SummariseBatchInput {
  run: RunBrief;
  manifestRef: ArtifactRef;
  /** Places in the manifest, `to` exclusive. */
  from: number;
  to: number;
}

export interface SummarisedBatch extends Spent {
  batchRef: ArtifactRef;
}

/**
 * What the gather pass knows of each source of a batch. An empty signature is that of a text without words; `held` are the
 * question's words that its text has, `counts` how many sentences of the batch have them.
 */
export const SummaryBatch = z.object({
  sources: z.array(
    z.object({
      id: SourceId,
      summaryRef: ArtifactRef,
      signature: z.array(z.int()),
      held: z.array(z.string()),
    }),
  ),
  counts: WordCounts,
});
export type SummaryBatch = z.infer<typeof SummaryBatch>;

/** Pass 0 for some sources: a summary for each that came without, and the signature that near-duplicates are found by. */
export async function summariseBatch(
  ports: ActivityPorts,
  input: SummariseBatchInput,
  signal: AbortSignal,
): Promise<SummarisedBatch> {
  return inTurn(ports, input.run, signal, () => readAndSummarise(ports, input, signal));
}

async function readAndSummarise(
  ports: ActivityPorts,
  { run, manifestRef, from, to }: SummariseBatchInput,
  signal: AbortSignal,
): Promise<SummarisedBatch> {
  const manifest = await openManifest(ports.content, manifestRef);
  const entries = await manifest.between(from, to);
  const contents = await ports.content.retrieveBatch(entries.map((entry) => entry.contentRef));
  const texts = entries.map((entry) => contents.get(entry.contentRef) ?? '');
  const survey = await ports.threads.run('survey-texts', { question: run.question, texts }, signal);

  const bare = entries.filter((entry) => entry.summaryRef === null);
  const textOf = (entry: SourceEntry): string => contents.get(entry.contentRef) ?? '';
  const sources = bare
    .map((entry) => ({ sourceId: entry.id, title: entry.title, passages: splitPassages(textOf(entry)) }))
    .filter(({ passages }) => passages.length > 0);
  const place = { pass: 0, ordinal: from };
  const { output, ...spent } =
    sources.length === 0
      ? { output: { summaries: [] }, usage: NO_USAGE, warnings: [] }
      : await runStep(ports, run, summarise, { question: run.question, sources }, { place, signal });

  const written = new Map(output.summaries.map(({ sourceId, summary }) => [sourceId, summary]));
  const summaries = bare.map((entry) => written.get(entry.id) ?? opening(textOf(entry), entry.title));
  const refs = await ports.content.storeBatch(run.runId, summaries);
  const refOf = new Map(bare.map((entry, index) => [entry.id, refs[index]]));
  const batch: SummaryBatch = {
    sources: entries.flatMap(({ id, summaryRef }, index) => {
      const ref = summaryRef ?? refOf.get(id);
      const source = survey.sources[index];
      return ref === undefined || source === undefined ? [] : [{ id, summaryRef: ref, ...source }];
    }),
    counts: survey.counts,
  };
  return { batchRef: await storeArtifact(ports.content, run.runId, batch), ...spent };
}

/** What a source begins with, or its title where there is no text to be had. */
function opening(text: string, title: string): string {
  const start = text.trim().slice(0, MAX_SUMMARY_CHARS);
  return start === '' ? title.slice(0, MAX_SUMMARY_CHARS) : start.replace(/\s+\S*$/, '');
}
