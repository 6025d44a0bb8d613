import { examineOutside } from '../../../src/cli/doctor/doctor-outside';
import type { Finding } from '../../../src/cli/doctor/doctor-finding';
import { loadConfig } from '../../../src/config/config';
import {
  langfuseEnvironment,
  startOutsideReceiver,
  type OutsideReceiver,
} from '../../support/outside-receiver';

let receiver: OutsideReceiver;
beforeEach(async () => {
  receiver = await startOutsideReceiver();
});
afterEach(() => receiver.close());

function examine(env: Record<string, string>): Promise<Finding[]> {
  return examineOutside(loadConfig({ cwd: '/', env }));
}

function everything(): Record<string, string> {
  return {
    ...langfuseEnvironment(receiver),
    COLLIGATE_PROMPT_PROVIDER: 'langfuse',
    COLLIGATE_TELEMETRY_LANGFUSE: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin,
  };
}

test('Langfuse and a collector that answer are said to, and get nothing of a run', async () => {
  const findings = await examine(everything());
  expect(findings.map(({ name, state, detail }) => `${state} ${name}: ${detail}`)).toEqual([
    `ok langfuse: ${receiver.origin}/api/public/projects answers`,
    `ok traces: ${receiver.origin}/v1/traces answers`,
    `ok traces: ${receiver.origin}/api/public/otel/v1/traces answers`,
    'ok prompts: Langfuse’s with the label production, and those of the program behind them',
  ]);
  expect(receiver.spans()).toEqual([]);
});

test('what does not answer, or refuses the keys, is a note that says what to look at', async () => {
  const wrong = await examine({ ...everything(), LANGFUSE_SECRET_KEY: 'sk-other-canary' });
  expect(wrong[0]).toMatchObject({
    state: 'note',
    detail: expect.stringContaining('it refuses the keys (401)'),
  });
  expect(wrong[0]?.advice).toMatch(/LANGFUSE_SECRET_KEY/);
  expect(JSON.stringify(wrong)).not.toContain('canary');

  const env = everything();
  await receiver.close();
  const gone = await examine(env);
  expect(gone.map(({ state }) => state)).toEqual(['note', 'note', 'note', 'ok']);
  expect(gone[1]?.detail).toBe(`${receiver.origin}/v1/traces: it does not answer`);
  receiver = await startOutsideReceiver();
});

test('without either it is said whose prompts models are given', async () => {
  expect(await examine({})).toEqual([
    { name: 'prompts', state: 'ok', detail: 'those of the program', advice: null },
  ]);
});
