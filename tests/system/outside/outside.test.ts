import { resolve } from 'node:path';
import { loadConfig } from '../../../src/app/config';
import type { ConfigFlags } from '../../../src/app/config-sources';
import type { ExternalSettings } from '../../../src/contracts/settings';
import { importSources } from '../../../src/sources/import-sources';
import { readSources } from '../../../src/sources/read-sources';
import { answer } from '../../../src/steps/answer-question';
import { outline } from '../../../src/steps/outline-sections';
import type { StepTemplate } from '../../../src/steps/step';
import { writeText } from '../../../src/steps/write-text';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { RecordedRequest } from '../../model-server/model-server';
import { INVENTED_CLAIM, OBSERVATIONS, TRUE_CLAIM } from '../../support/answer-script';
import { askAnswer } from '../../support/ask-answer';
import { forAllTests } from '../../support/for-all-tests';
import {
  langfuseEnvironment,
  type OutsideReceiver,
  type ReceivedSpan,
  startOutsideReceiver,
} from '../../support/outside-receiver';
import { until } from '../../support/until';
import { ASKED, inventingModel } from '../answers/inventing-model';
import { openModelBench } from '../model-runs/model-bench';
import { sourcesOfRun } from '../model-runs/report-problems';

const NOTES_FOLDER = resolve(__dirname, '../../../examples/vitamin-d');
const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';
const model = (name: string): object => ({ name, contextTokens: 128_000, price: null });
const MODELS = { fast: model('small'), strong: model('large'), critic: model('large') };

const bench = forAllTests(openModelBench);
let outside: OutsideReceiver;
beforeEach(async () => {
  outside = await startOutsideReceiver();
  keepPrompts(3);
});
afterEach(async () => {
  await bench.rest();
  await outside.close();
});

function settings(flags: ConfigFlags = {}, env: Record<string, string> = {}): ExternalSettings {
  const { prompts, langfuse, telemetry } = loadConfig({
    cwd: '/',
    env: { ...langfuseEnvironment(outside), ...env },
    flags,
  });
  return { prompts, langfuse, telemetry };
}

const PROMPTS: ConfigFlags = {
  'prompts.provider': 'langfuse',
  'prompts.cacheTtlMs': 0,
  'prompts.timeoutMs': 60_000,
};

/** Langfuse's prompts of a version: the program's own with a line that tells them apart. */
function keepPrompts(version: number): void {
  const own = (name: string, { user }: StepTemplate): OutsideReceiver['prompts'][number] => ({
    name,
    version,
    labels: ['production'],
    prompt: `${user}\nTold by ${name} ${version}.`,
  });
  outside.prompts = [
    own('outline', outline.template),
    own('write-text', writeText.template),
    own('answer', answer.template),
  ];
}

/** The versions of a prompt that models were given. */
function given(name: string, asked: readonly RecordedRequest[]): string[] {
  const told = asked.map((request) =>
    new RegExp(`Told by ${name} (\\d+)\\.`).exec(messagesOf(request).join('\n')),
  );
  return [...new Set(told.flatMap((match) => match?.[1] ?? []))];
}

test('a run is given the prompts that there were when it began, and says so', async () => {
  const model = createGoodModel();
  const served = await bench.serve(
    (request) => {
      // By the first call the run has begun.
      keepPrompts(4);
      return model.answer(request);
    },
    {},
    settings(PROMPTS),
  );
  const { manifestRef, count: sourceCount } = await importSources({
    runId: 'pinned',
    readings: readSources([NOTES_FOLDER]),
    content: bench.stores.content,
    skipInvalid: false,
  });
  const input = { question: QUESTION, manifestRef, sourceCount, engine: 'openai', models: MODELS };
  await bench.client.workflow.start('report', {
    workflowId: 'pinned',
    taskQueue: 'colligate',
    // Each pass in a history of its own.
    args: [{ ...input, continueAsNewAfterEvents: 1 }],
  });
  const { report } = await served.finished('pinned');
  expect(report.status).toBe('completed');
  expect(report.warnings).toEqual([]);
  expect(given('outline', served.server.asked)).toEqual(['3']);
  expect(given('write-text', served.server.asked)).toEqual(['3']);
  expect(report.provenance.prompts).toMatchObject({
    outline: { name: 'outline', version: '3', labels: ['production'], from: 'langfuse' },
    'write-text': { version: '3', from: 'langfuse' },
    summarise: { name: 'summarise', version: report.provenance.steps['summarise'], labels: [], from: 'code' },
  });

  const asked = served.server.asked.length;
  const second = await served.report('pinned-later');
  expect(second.report.provenance.prompts?.['outline']?.version).toBe('4');
  expect(given('outline', served.server.asked.slice(asked))).toEqual(['4']);
  expect(given('write-text', served.server.asked.slice(asked))).toEqual(['4']);
});

test('a run is one trace, at the collector and at Langfuse, without a word of its content', async () => {
  const model = createGoodModel();
  const traced = settings(PROMPTS, {
    OTEL_EXPORTER_OTLP_ENDPOINT: outside.origin,
    COLLIGATE_TELEMETRY_LANGFUSE: 'true',
  });
  const served = await bench.serve((request) => model.answer(request), {}, traced);
  const { report } = await served.report('traced');
  const at = (path: string): ReceivedSpan[] => outside.spans().filter(({ to }) => to === path);
  const isThere = (spans: readonly ReceivedSpan[]): boolean => spans.some(({ name }) => name === 'report');
  const spans = await until(() => Promise.resolve(at('/v1/traces')), isThere);
  const atLangfuse = await until(() => Promise.resolve(at('/api/public/otel/v1/traces')), isThere);

  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([report.provenance.runtime.traceId]));
  expect(atLangfuse.map(({ spanId }) => spanId).sort()).toEqual(spans.map(({ spanId }) => spanId).sort());
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  const root = spans.find(({ name }) => name === 'report');
  const steps = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(new Set(steps.map(({ name }) => name))).toEqual(
    new Set(['outline', 'extract-findings', 'cross-check', 'write-text', 'audit-text', 'judge']),
  );
  expect(root?.attributes).toMatchObject({ 'colligate.status': 'completed', 'session.id': 'traced' });
  const calls = spans.filter(({ attributes }) => attributes['langfuse.observation.type'] === 'generation');
  expect(calls).toHaveLength(served.server.asked.length);
  const sum = (key: string): number =>
    calls.reduce((total, { attributes }) => total + Number(attributes[`gen_ai.usage.${key}`]), 0);
  expect(sum('input_tokens')).toBe(report.usage.inputTokens);
  expect(sum('output_tokens')).toBe(report.usage.outputTokens);
  const planned = calls.filter(
    ({ attributes }) => attributes['langfuse.observation.prompt.name'] === 'outline',
  );
  expect(planned.map(({ attributes }) => attributes['langfuse.observation.prompt.version'])).toEqual([3]);

  const sent = outside.bodies.join('\n');
  const sources = await sourcesOfRun(bench, 'traced');
  const told = [
    report.question,
    report.title,
    ...report.claims.map(({ text }) => text),
    ...report.sections.map(({ title }) => title),
    ...[...sources.values()].flatMap(({ content }) => content.match(/\S+ \S+ \S+ \S+/g) ?? []),
    'canary',
  ];
  expect(told.length).toBeGreaterThan(500);
  expect(told.filter((words) => sent.includes(words))).toEqual([]);

  // Another run of the same is paid for by nobody, and its calls say so.
  await served.report('traced-again');
  const again = await until(
    () =>
      Promise.resolve(
        at('/v1/traces').filter((span) => span.attributes['colligate.run.id'] === 'traced-again'),
      ),
    isThere,
  );
  const cached = again.filter(({ attributes }) => attributes['langfuse.observation.type'] === 'generation');
  expect(cached.map(({ attributes }) => attributes['colligate.cached'])).toEqual(calls.map(() => true));
  expect(new Set(again.map(({ traceId }) => traceId)).has(root?.traceId ?? '')).toBe(false);
});

test('every attempt is a span of the answer’s one trace, with its telemetry and without a word of its content', async () => {
  await bench.serve(inventingModel(), {}, settings(PROMPTS, { OTEL_EXPORTER_OTLP_ENDPOINT: outside.origin }));
  const reply = await askAnswer(bench, 'traced', ASKED);
  const spans = await until(() => Promise.resolve<ReceivedSpan[]>(outside.spans()), hasEnded);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(
    new Set([reply.provenance.runtime['traceId']]),
  );
  expect(new Set(spans.map(({ attributes }) => attributes['session.id']))).toEqual(new Set(['traced']));
  const attempts = spans
    .filter(({ name }) => name === 'synthesizer')
    .sort((one, other) => one.startedAt - other.startedAt);
  const telemetry = reply.trace.filter((entry) => entry.node === 'synthesizer');
  expect(telemetry).toHaveLength(2);
  expect(attempts.map(({ attributes }) => namedIn(attributes, 'telemetry'))).toEqual(telemetry);
  expect(attempts.map(({ attributes }) => Object.keys(namedIn(attributes, 'metrics')).sort())).toEqual(
    attempts.map(() => [
      'answer_length',
      'citation_count',
      'compressed_context_chars',
      'compression_latency_ms',
      'compression_ratio',
      'original_context_chars',
    ]),
  );
  const synthesis = spans.filter(({ name }) => name === 'synthesis').map(({ attributes }) => attributes);
  expect(synthesis).toMatchObject([
    {
      'gen_ai.agent.name': 'AnswerSynthesisAgent',
      'langfuse.observation.metadata.agent': 'AnswerSynthesisAgent',
      'langfuse.observation.metadata.confidence_score': reply.confidence,
    },
  ]);
  // One of the two observations bears what is left.
  expect(reply.evidenceConfidence).toBe(0.6);
  const steps = spans.flatMap(({ attributes }) => attributes['colligate.step'] ?? []);
  // The wrong claim is deleted, and nobody is asked about what was decided.
  expect(steps).toEqual(['answer', 'audit-text', 'mend-text']);
  const sent = outside.bodies.join('\n');
  const told = [ASKED.question, reply.answer, TRUE_CLAIM, INVENTED_CLAIM, ...OBSERVATIONS].flatMap(
    (text) => text.match(/\S+ \S+ \S+/g) ?? [],
  );
  expect(told.length).toBeGreaterThan(20);
  expect(told.filter((words) => sent.includes(words))).toEqual([]);
});

function hasEnded(spans: readonly ReceivedSpan[]): boolean {
  return spans.some(({ attributes }) => attributes['colligate.status'] === 'completed');
}

function namedIn(attributes: Record<string, unknown>, group: string): Record<string, unknown> {
  const prefix = `colligate.${group}.`;
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}
