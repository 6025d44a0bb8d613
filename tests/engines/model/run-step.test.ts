import type { ReportFacts } from '../../../src/activities/shared/ports';
import { runStep } from '../../../src/activities/shared/run-step';
import { SynthesisSettings } from '../../../src/contracts/report/synthesis-settings';
import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import type { ThreadPool } from '../../../src/threads/pool';
import { answersJson } from '../../model-server/behaviours';
import { portsOver, signal, STEP_BRIEF } from '../../activities/answer/corpus-under-test';
import { createTestThreads } from '../../support/test-threads';
import { closeEngines, engineAgainst } from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT } from './material';

let threads: ThreadPool;
beforeAll(async () => (threads = await createTestThreads()));
afterEach(closeEngines);
afterAll(() => threads.close());

const RUN: ReportFacts = { ...STEP_BRIEF, runId: 'run-1', synthesis: SynthesisSettings.parse({}) };
test('that a model has no price is told once a run, whichever steps ask it', async () => {
  const tested = await engineAgainst(() => answersJson(FALLS_ANSWER), { prices: {} });
  const extractive = createExtractiveEngine({ threads });
  const ports = { ...portsOver(tested.stores, threads), engines: { openai: tested.engine, extractive } };
  for (const section of ['section-1', 'section-2']) {
    const brief = { ...FALLS_INPUT, section: { ...FALLS_INPUT.section, id: section } };
    await runStep(ports, RUN, extractFindings, brief, { place: { pass: 2, section }, signal });
  }
  const events = await tested.stores.events.read('run-1');
  expect(events.filter((event) => JSON.stringify(event).includes('price-unknown'))).toHaveLength(1);
});
