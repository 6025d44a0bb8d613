import type { Answer } from '../../../src/contracts/answer/answer';
import { loadConfig } from '../../../src/config/config';
import type { ConfigFlags } from '../../../src/config/read-given';
import type { OutsideSettings } from '../../../src/config/schema';
import { answer as answerStep } from '../../../src/steps/answer/answer';
import { messagesOf } from '../../model-server/good-model';
import { INVENTED_CLAIM, OBSERVATIONS, TRUE_CLAIM } from '../../support/answer-script';
import { askAnswer, type Question } from '../../support/ask-answer';
import { forAllTests } from '../../support/for-all-tests';
import {
  langfuseEnvironment,
  startOutsideReceiver,
  type OutsideReceiver,
  type ReceivedSpan,
} from '../../support/outside-receiver';
import { until } from '../../support/until';
import { openModelBench } from '../model-runs/model-bench';
import { ASKED, inventingModel, isWriting } from './inventing-model';

const PROMPTS: ConfigFlags = { 'prompts.provider': 'langfuse', 'prompts.cacheTtlMs': 0 };

const bench = forAllTests(openModelBench);
let outside: OutsideReceiver;
beforeEach(async () => {
  outside = await startOutsideReceiver();
  keepPrompt(3);
});
afterEach(async () => {
  await bench.rest();
  await outside.close();
});

function settings(env: Record<string, string> = {}): OutsideSettings {
  const { prompts, langfuse, telemetry } = loadConfig({
    cwd: '/',
    env: { ...langfuseEnvironment(outside), ...env },
    flags: PROMPTS,
  });
  return { prompts, langfuse, telemetry };
}

/** Langfuse's prompt of a version: the program's own with a line that tells it apart. */
function keepPrompt(version: number): void {
  const prompt = `${answerStep.template.user}\nTold by version ${version}.`;
  outside.prompts = [{ name: 'answer', version, labels: ['production'], prompt }];
}

const ask = (requestId: string, question: Question): Promise<Answer> => askAnswer(bench, requestId, question);

it('every attempt is asked by the prompt that there was when the request came, and the reply says so', async () => {
  const script = inventingModel({ obeys: true });
  const { server } = await bench.serve(
    (request) => {
      keepPrompt(4);
      return script(request);
    },
    {},
    settings(),
  );
  const reply = await ask('prompted', ASKED);
  const given = server.asked.filter(isWriting).map((request) => messagesOf(request)[1]?.split('\n').at(-1));
  expect(given).toEqual(['Told by version 3.', 'Told by version 3.']);
  expect(reply.provenance.prompts).toMatchObject({
    answer: { name: 'answer', version: '3', labels: ['production'], from: 'langfuse' },
    audit: { name: 'audit', from: 'code' },
  });
  expect(Object.keys(reply.provenance.prompts ?? {}).sort()).toEqual([
    'answer',
    'audit',
    'compress',
    'plan-search',
    'rewrite-question',
  ]);
  const later = await ask('prompted-later', ASKED);
  expect(later.provenance.prompts?.['answer']?.version).toBe('4');
});

it('every attempt is a span of the answer’s one trace, with its telemetry and without a word of its content', async () => {
  await bench.serve(
    inventingModel({ obeys: true }),
    {},
    settings({ OTEL_EXPORTER_OTLP_ENDPOINT: outside.origin }),
  );
  const reply = await ask('traced', ASKED);
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
      'langfuse.observation.metadata.confidence_score': reply.evidenceConfidence,
    },
  ]);
  expect(reply.evidenceConfidence).toBe(0.8);
  const steps = spans.flatMap(({ attributes }) => attributes['colligate.step'] ?? []);
  // Words find the true claim said; the critic is asked of the other one, and of nothing that it has decided.
  expect(steps).toEqual(['answer', 'audit', 'answer']);
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
