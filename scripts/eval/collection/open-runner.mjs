import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../built.mjs';
import { ENCODER } from '../encoder.mjs';
import { runPasses } from './run-passes.mjs';

/** When the sources were read, so that reports do not depend on the day. */
const AS_OF = '2026-01-01T00:00:00.000Z';
const IMPORT_RUN = 'eval-import';

/**
 * Imports a collection into stores of its own, once, and makes reports over it as a worker would: real activities, engine,
 * threads and stores.
 */
export async function openRunner(sourcesFile) {
  const folder = mkdtempSync(join(tmpdir(), 'colligate-eval-'));
  const { openStores } = built('stores/open-stores.js');
  const stores = await openStores({ stores: 'lmdb', dataDir: folder });
  const { createThreadPool } = built('threads/pool.js');
  // As a worker has them, with the encoder that reads what sentences mean.
  const threads = createThreadPool({ threads: 1, encoder: ENCODER });
  const { createExtractiveEngine } = built('engines/extractive/engine.js');
  const { importSources } = built('sources/import-sources.js');
  const { readSources } = built('sources/read-sources.js');
  const { manifestRef, count } = await importSources({
    runId: IMPORT_RUN,
    readings: readSources([sourcesFile]),
    content: stores.content,
    skipInvalid: false,
    asOf: AS_OF,
  });
  const ports = {
    content: stores.content,
    derived: stores.derived,
    events: stores.events,
    engines: { extractive: createExtractiveEngine({ threads }) },
    threads,
    prompts: null,
    traces: built('tracing/traces.js').NO_TRACES,
    runtime: { colligate: 'eval', node: process.version },
  };
  const { SynthesisSettings } = built('contracts/report/synthesis-settings.js');
  const { stepVersions } = built('steps/step-versions.js');
  const { Report } = built('contracts/report/report.js');
  const { JudgedDocument } = built('contracts/judge/judged-document.js');
  const times = new Map();
  const carriedOut = (runId, question, ending) => {
    const run = {
      runId,
      question,
      engine: 'extractive',
      models: null,
      stepVersions,
      synthesis: SynthesisSettings.parse({}),
    };
    return runPasses({ ports, run, manifestRef, sourceCount: count, asOf: AS_OF, times, ending });
  };
  const stored = async (ref) => JSON.parse(await stores.content.retrieve(ref));
  return {
    times,
    /** The report on a question, as its `report.json` has it. */
    async report(runId, question) {
      const { reportRef } = await carriedOut(runId, question, 'assembleReport');
      return Report.parse(await stored(reportRef));
    },
    /** The report on a question, as a judge is given it. */
    async judged(runId, question) {
      const { judgedRef } = await carriedOut(runId, question, 'assembleVersion');
      return JudgedDocument.parse(await stored(judgedRef));
    },
    async close() {
      await threads.close();
      await stores.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
