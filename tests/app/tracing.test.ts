import type { StepSpan, Traces } from '../../src/activities/external-ports';
import { loadConfig } from '../../src/app/config';
import { createTraces } from '../../src/app/otlp-traces';
import { openTraces } from '../../src/app/tracing';
import type { RunEvent } from '../../src/contracts/event';
import {
  langfuseEnvironment,
  type OutsideReceiver,
  type ReceivedSpan,
  startOutsideReceiver,
} from '../support/outside-receiver';
import { until } from '../support/until';

const STARTED: RunEvent = {
  runId: 'run-1',
  number: 1,
  key: '0/run/-/0/run-started/0',
  at: '2026-01-01T00:00:00.000Z',
  type: 'run-started',
  payload: { kind: 'report', question: 'Does the canary sing?', engine: 'openai', sources: 3 },
};

const SPAN: StepSpan = {
  step: { name: 'outline', version: '4' },
  engine: 'openai',
  place: { pass: 1, section: 's1' },
  turn: 0,
  prompt: { name: 'plan', version: '7', labels: ['production'], from: 'langfuse' },
  startedAt: Date.parse('2026-01-01T00:00:01.000Z'),
  endedAt: Date.parse('2026-01-01T00:00:03.000Z'),
  usage: { calls: 1, cachedCalls: 0, inputTokens: 100, outputTokens: 20, costUsd: 0.5 },
  calls: [
    {
      model: 'small',
      messages: [{ role: 'user', content: 'What does the canary say?' }],
      temperature: 0.2,
      maxOutputTokens: 400,
      startedAt: Date.parse('2026-01-01T00:00:01.500Z'),
      endedAt: Date.parse('2026-01-01T00:00:02.500Z'),
      usage: { calls: 1, cachedCalls: 0, inputTokens: 100, outputTokens: 20, costUsd: 0.5 },
      answer: { text: 'The canary sings.', finishReason: 'stop' },
      failure: null,
    },
  ],
  failure: null,
  input: { question: 'What of the canary?' },
  output: { answer: 'The canary sang.' },
};

let collector: OutsideReceiver;
let warnings: string[];
let opened: Traces[];
beforeEach(async () => {
  collector = await startOutsideReceiver();
  warnings = [];
  opened = [];
});
afterEach(async () => {
  for (const traces of opened) await traces.close();
  await collector.close();
});

async function open(env: Record<string, string> = {}, events: RunEvent[] = [STARTED]): Promise<Traces> {
  const config = loadConfig({ cwd: '/', env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, ...env } });
  const told = warnings;
  const traces = await openTraces(config, {
    events: { read: () => Promise.resolve(events) },
    version: '1.2.3',
    warn: (message) => told.push(message),
  });
  opened.push(traces);
  return traces;
}

async function sent(traces: Traces): Promise<ReceivedSpan[]> {
  await traces.close();
  return collector.spans();
}

test('a run is a trace: its own span, its steps under it, and the calls of models under these', async () => {
  const traces = await open();
  traces.step({ runId: 'run-1' }, SPAN);
  traces.ended({ runId: 'run-1' }, 'completed');
  const traceId = await traces.idOf({ runId: 'run-1' });
  const spans = await sent(traces);
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(spans.map((span) => span.traceId)).toEqual([traceId, traceId, traceId]);
  const [step, call, root] = ['outline', 'chat small', 'report'].map((name) =>
    spans.find((span) => span.name === name),
  );
  expect(root).toMatchObject({ parentSpanId: undefined, startedAt: Date.parse(STARTED.at) });
  expect(step).toMatchObject({
    parentSpanId: root?.spanId,
    startedAt: SPAN.startedAt,
    endedAt: SPAN.endedAt,
  });
  expect(call?.parentSpanId).toBe(step?.spanId);
  expect(step?.attributes).toMatchObject({
    'session.id': 'run-1',
    'colligate.run.id': 'run-1',
    'colligate.step.version': '4',
    'colligate.prompt.from': 'langfuse',
    'colligate.usage.cost_usd': 0.5,
  });
  expect(call?.attributes).toMatchObject({
    'langfuse.observation.type': 'generation',
    'langfuse.observation.prompt.name': 'plan',
    'langfuse.observation.prompt.version': 7,
    'gen_ai.request.model': 'small',
    'gen_ai.request.temperature': 0.2,
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 20,
    'gen_ai.response.finish_reasons': ['stop'],
    'langfuse.observation.cost_details': '{"total":0.5}',
    'colligate.cached': false,
  });
  expect(root?.attributes).toMatchObject({
    'session.id': 'run-1',
    'colligate.status': 'completed',
    'colligate.sources': 3,
    'langfuse.trace.name': 'report',
  });
});

test('a repeated span keeps its ids, and a failed attempt is a span of its own', async () => {
  const one = await open();
  const other = await open();
  for (const traces of [one, other]) {
    traces.step({ runId: 'run-1' }, SPAN);
    traces.ended({ runId: 'run-1' }, 'completed');
  }
  one.step({ runId: 'run-1' }, { ...SPAN, failure: 'ModelFailure.timeout', calls: [], output: undefined });
  await other.close();
  const ids = (await sent(one)).map(({ name, spanId }) => `${name} ${spanId}`);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toHaveLength(7);
  const failed = collector.spans().filter(({ status }) => status === 2);
  expect(failed.map(({ attributes }) => attributes['error.type'])).toEqual(['ModelFailure.timeout']);
});

test('a later run of the same id has a trace of its own', async () => {
  const first = await open();
  const later = await open({}, [{ ...STARTED, at: '2026-02-01T00:00:00.000Z' }]);
  expect(await later.idOf({ runId: 'run-1' })).not.toBe(await first.idOf({ runId: 'run-1' }));
  expect(await first.idOf({ runId: 'run-2' })).not.toBe(await first.idOf({ runId: 'run-1' }));
});

test('notes of a run are in its trace', async () => {
  const traces = await open();
  const at = { startedAt: SPAN.startedAt, endedAt: SPAN.endedAt };
  const attributes = { retry_count: 1, context_compressed: true };
  traces.note({ runId: 'run-1' }, { name: 'synthesizer', attributes, ...at });
  const [noted] = await sent(traces);
  expect(noted).toMatchObject({ name: 'synthesizer', traceId: await traces.idOf({ runId: 'run-1' }), ...at });
  expect(noted?.attributes).toMatchObject(attributes);
});

test('no word of what was asked or answered is sent unless it is wanted', async () => {
  const silent = await open();
  silent.step({ runId: 'run-1' }, SPAN);
  silent.ended({ runId: 'run-1' }, 'completed');
  await silent.close();
  expect(collector.bodies.join('')).toContain('outline');
  expect(collector.bodies.join('')).not.toContain('canary');

  const telling = await open({ COLLIGATE_TELEMETRY_CONTENT: 'true' });
  telling.step({ runId: 'run-1' }, SPAN);
  telling.ended({ runId: 'run-1' }, 'completed');
  await telling.close();
  const all = collector.bodies.join('');
  for (const words of [
    'What does the canary say?',
    'The canary sings.',
    'The canary sang.',
    'Does the canary sing?',
  ])
    expect(all).toContain(words);
});

test('Langfuse gets its own keys, the collector its own headers, and neither the other’s', async () => {
  const langfuse = await startOutsideReceiver();
  const before = process.env['OTEL_EXPORTER_OTLP_HEADERS'];
  process.env['OTEL_EXPORTER_OTLP_HEADERS'] = 'x-key=of%20the%20collector';
  try {
    const traces = await open({
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20the%20collector, x-team=a',
      ...langfuseEnvironment(langfuse),
      COLLIGATE_TELEMETRY_LANGFUSE: 'true',
    });
    traces.step({ runId: 'run-1' }, SPAN);
    await traces.close();
    const [toCollector] = collector.requests;
    const [toLangfuse] = langfuse.requests;
    expect(toCollector).toMatchObject({ path: '/v1/traces' });
    expect(toCollector?.headers).toMatchObject({ 'x-key': 'of the collector', 'x-team': 'a' });
    expect(toCollector?.headers.authorization).toBeUndefined();
    expect(toLangfuse).toMatchObject({ path: '/api/public/otel/v1/traces' });
    expect(toLangfuse?.headers.authorization).toMatch(/^Basic /);
    expect(toLangfuse?.headers['x-key']).toBeUndefined();
    expect(langfuse.spans()).toHaveLength(2);
  } finally {
    if (before === undefined) delete process.env['OTEL_EXPORTER_OTLP_HEADERS'];
    else process.env['OTEL_EXPORTER_OTLP_HEADERS'] = before;
    await langfuse.close();
  }
});

test('all spans are sent when a worker stops', async () => {
  const traces = await open();
  for (let place = 0; place < 500; place += 1)
    traces.step({ runId: 'run-1' }, { ...SPAN, place: { pass: 1, ordinal: place } });
  await traces.close();
  const arrived = (): Promise<number> =>
    Promise.resolve(new Set(collector.spans().map(({ spanId }) => spanId)).size);
  expect(await until(arrived, (spans) => spans >= 1_000)).toBe(1_000);
});

describe('a collector that', () => {
  const faults: [string, () => void | Promise<void>][] = [
    ['is gone', () => collector.close()],
    ['answers nothing', () => void (collector.behave = () => undefined)],
    ['fails', () => void (collector.behave = (response) => response.writeHead(500).end('canary'))],
    ['is overloaded', () => void (collector.behave = (response) => response.writeHead(503).end())],
  ];

  test.each(faults)('%s delays nobody and gives at most one warning', async (_what, begin) => {
    await begin();
    const traces = await open({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=canary' });
    for (let place = 0; place < 3_000; place += 1)
      traces.step({ runId: 'run-1' }, { ...SPAN, place: { pass: 1, ordinal: place } });
    traces.ended({ runId: 'run-1' }, 'completed');
    await traces.close();
    expect(warnings.length).toBeLessThanOrEqual(1);
    expect(warnings.join('')).not.toContain('canary');
  });

  test('fails is reported with its status', async () => {
    collector.behave = (response) => response.writeHead(404).end('canary');
    const traces = await open();
    for (let place = 0; place < 300; place += 1)
      traces.step({ runId: 'run-1' }, { ...SPAN, place: { pass: 1, ordinal: place } });
    await until(async () => warnings.length > 0);
    await traces.close();
    expect(warnings).toEqual([
      'Traces cannot be sent to the collector (it answers 404); runs go on without. Said once.',
    ]);
  });
});

test('a stopping worker gives up spans that cannot be sent', async () => {
  const traces = createTraces({
    writer: { write: () => undefined, shutdown: () => new Promise(() => undefined) },
    events: { read: () => Promise.resolve([STARTED]) },
    content: false,
    onFailure: (reason) => warnings.push(reason),
  });
  vi.useFakeTimers();
  try {
    const closed = traces.close();
    await vi.runAllTimersAsync();
    await closed;
  } finally {
    vi.useRealTimers();
  }
  expect(warnings).toEqual([]);
});

test('a store that cannot be read harms nobody', async () => {
  const config = loadConfig({ cwd: '/', env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin } });
  const read = (): Promise<never> => Promise.reject(new Error('the canary store is closed'));
  const warn = (message: string): void => void warnings.push(message);
  const traces = await openTraces(config, { events: { read }, version: '1', warn });
  traces.step({ runId: 'run-1' }, SPAN);
  traces.ended({ runId: 'run-1' }, 'failed');
  expect(await traces.idOf({ runId: 'run-1' })).toBeNull();
  await traces.close();
  expect(warnings).toEqual(['A span could not be written (Error); runs go on without. Said once.']);
});

test('without a place to send them to there are no traces', async () => {
  const traces = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  expect(traces.isOn).toBe(false);
  expect(await traces.idOf({ runId: 'run-1' })).toBeNull();
});
