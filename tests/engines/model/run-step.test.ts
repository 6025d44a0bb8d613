import type { ActivityPorts, ReportFacts } from '../../../src/activities/shared/ports';
import { runStep } from '../../../src/activities/shared/run-step';
import { SynthesisSettings } from '../../../src/contracts/report/synthesis-settings';
import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import type { ThreadPool } from '../../../src/threads/pool';
import { NO_TRACES } from '../../../src/tracing/traces';
import { answersJson } from '../../model-server/behaviours';
import { createTestThreads } from '../../support/test-threads';
import { closeEngines, engineAgainst, type EngineUnderTest } from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT } from './material';

let threads: ThreadPool;
beforeAll(async () => {
  threads = await createTestThreads();
});
afterEach(closeEngines);
afterAll(() => threads.close());

const RUN: ReportFacts = {
  runId: 'run-1',
  question: 'Does vitamin D help bones in adults?',
  engine: 'openai',
  models: null,
  stepVersions: {},
  synthesis: SynthesisSettings.parse({}),
};
const signal = new AbortController().signal;

function portsOf({ engine, stores }: EngineUnderTest): ActivityPorts {
  const extractive = createExtractiveEngine({ threads });
  const runtime = { colligate: 'test', node: 'test' };
  return {
    content: stores.content,
    derived: stores.derived,
    events: stores.events,
    engines: { openai: engine, extractive },
    threads,
    prompts: null,
    traces: NO_TRACES,
    runtime,
  };
}

test('that a model has no price is told once a run, whichever steps ask it', async () => {
  const tested = await engineAgainst(() => answersJson(FALLS_ANSWER), { prices: {} });
  const ports = portsOf(tested);
  for (const section of ['section-1', 'section-2']) {
    const brief = { ...FALLS_INPUT, section: { ...FALLS_INPUT.section, id: section } };
    await runStep(ports, RUN, extractFindings, brief, { place: { pass: 2, section }, signal });
  }
  const events = await tested.stores.events.read('run-1');
  expect(events.filter((event) => JSON.stringify(event).includes('price-unknown'))).toHaveLength(1);
});
