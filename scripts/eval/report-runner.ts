import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as product from './product';
import { ENCODER } from './ranking';
import { present } from './seeded-draw';

// Reports over a collection as a worker would make them, without a server: real activities, engine, threads and stores.

/** When the sources were read, so that reports do not depend on the day. */
const AS_OF = '2026-01-01T00:00:00.000Z';
const IMPORT_RUN = 'eval-import';
/** How many sources one activity summarises, as in src/workflows/report-outline.ts. */
const BATCH_SIZE = 50;
const NO_USAGE = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, byPass: {} };

type Ports = Parameters<typeof product.summariseBatch>[0];
type Run = Parameters<typeof product.summariseBatch>[1]['run'];
type Ref = Awaited<ReturnType<typeof product.summariseBatch>>['batchRef'];
type Ending = Omit<Parameters<typeof product.assembleReport>[1], 'run'>;
type CarryOut = <Input extends { run: Run }, Output>(
  activity: (ports: Ports, input: Input, signal: AbortSignal) => Promise<Output>,
  input: Omit<Input, 'run'>,
) => Promise<Output>;

export interface ReportRunner {
  /** How many milliseconds each activity took. */
  times: Map<string, number>;
  /** The report on a question, as its `report.json` has it. */
  report: (runId: string, question: string) => Promise<product.Report>;
  close: () => Promise<void>;
}

/** Imports a collection into stores of its own, once, and makes reports over it. */
export async function openReportRunner(sourcesFile: string): Promise<ReportRunner> {
  const folder = mkdtempSync(join(tmpdir(), 'colligate-eval-'));
  const { content, derived, events, close } = await opened(folder);
  // As a worker has them, with the encoder that reads what sentences mean.
  const threads = product.createThreadPool({ threads: 1, encoder: ENCODER });
  const imported = await product.importSources({
    runId: IMPORT_RUN,
    readings: product.readSources([sourcesFile]),
    content,
    skipInvalid: false,
    asOf: AS_OF,
  });
  const ports: Ports = {
    content,
    derived,
    events,
    engines: { extractive: product.createExtractiveEngine({ threads }) },
    threads,
    prompts: null,
    traces: product.NO_TRACES,
    runtime: { colligate: 'eval', node: process.version },
  };
  const times = new Map<string, number>();
  const signal = AbortSignal.any([]);
  const carryingOut = (runId: string, question: string): { run: Run; carryOut: CarryOut } => {
    const synthesis = product.SynthesisSettings.parse({});
    const run: Run = {
      runId,
      question,
      engine: 'extractive',
      models: null,
      stepVersions: product.stepVersions,
      synthesis,
    };
    const carryOut: CarryOut = async (activity, input) => {
      const since = performance.now();
      try {
        // A run and all else are the whole input, which the compiler cannot tell of a type that it does not know yet.
        return await activity(ports, { run, ...input } as unknown as Parameters<typeof activity>[1], signal);
      } finally {
        times.set(activity.name, (times.get(activity.name) ?? 0) + performance.now() - since);
      }
    };
    return { run, carryOut };
  };
  const stored = async (ref: Ref): Promise<unknown> => JSON.parse((await content.retrieve(ref)) ?? 'null');
  return {
    times,
    async report(runId, question) {
      const { carryOut } = carryingOut(runId, question);
      const { reportRef } = await carryOut(product.assembleReport, await runPasses(carryOut, imported));
      return product.Report.parse(await stored(present(reportRef ?? undefined)));
    },
    async close() {
      await threads.close();
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function opened(folder: string): Promise<Awaited<ReturnType<typeof product.openStores>>> {
  const stores = await product.openStores({ stores: 'lmdb', dataDir: folder } as Parameters<
    typeof product.openStores
  >[0]);
  return { ...stores, close: () => stores.close() };
}

/**
 * The passes of a report by the engine that asks no model, in the order and under the conditions of src/workflows. Resolves with
 * what the report is put together from.
 */
async function runPasses(
  carryOut: CarryOut,
  { manifestRef, count }: { manifestRef: Ref; count: number },
): Promise<Ending> {
  const batchRefs: Ref[] = [];
  for (const batch of product.evenBatches(count, BATCH_SIZE))
    batchRefs.push((await carryOut(product.summariseBatch, { manifestRef, ...batch })).batchRef);
  const { catalogueRef, sources } = await carryOut(product.catalogueSources, {
    manifestRef,
    batchRefs,
    asOf: AS_OF,
  });

  const whole = { from: 0, to: sources };
  const { planRef, sections: planned } = await carryOut(product.planOutline, { catalogueRef, ...whole });
  const scoreRefs =
    planned === 0
      ? []
      : [(await carryOut(product.scoreSources, { catalogueRef, planRef, ...whole })).scoresRef];
  const settled = await carryOut(product.settleOutline, { catalogueRef, planRef, scoreRefs });
  const { outlineRef } = settled;
  const refs = { catalogueRef, outlineRef };

  const dived: { sectionId: string; findingsRef: Ref }[] = [];
  for (const { id: sectionId } of settled.sections) {
    const { findingsRef } = await carryOut(product.deepDiveSection, { ...refs, sectionId });
    dived.push({ sectionId, findingsRef });
  }
  const findingsRefs = dived.map(({ findingsRef }) => findingsRef);
  const { rankingRef } = await carryOut(product.rankSources, { outlineRef, findingsRefs });

  const checked: { findingsRef: Ref; checksRef: Ref; unvalidated: boolean }[] = [];
  for (const { sectionId, findingsRef } of dived) {
    const request = { ...refs, findingsRef, rankingRef, sectionId };
    const { checksRef } = await carryOut(product.crossCheckSection, request);
    checked.push({ findingsRef, checksRef, unvalidated: false });
  }
  const { supportRef } = await carryOut(product.seekSupport, { catalogueRef, sections: checked });
  const { validatedRef } = await carryOut(product.reconcileFindings, {
    ...refs,
    sections: checked,
    supportRef,
  });

  const sections: { sectionId: string; findingsRef: Ref; draftRef: Ref }[] = [];
  for (const { sectionId, findingsRef } of dived) {
    const { draftRef } = await carryOut(product.writeSection, { ...refs, validatedRef, sectionId });
    sections.push({ sectionId, findingsRef, draftRef });
  }
  const drafts = sections.map(({ sectionId, draftRef }) => ({ sectionId, draftRef }));
  const { frameRef } = await carryOut(product.writeSummary, { ...refs, validatedRef, drafts });
  return {
    status: 'completed',
    endedEarly: null,
    shortfalls: [],
    warnings: [],
    manifestRef,
    asOf: AS_OF,
    catalogueRef,
    outlineRef,
    validatedRef,
    frameRef,
    sections,
    usage: NO_USAGE,
    timings: { total: 0, byPass: {} },
  };
}
