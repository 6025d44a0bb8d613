import { connect } from 'node:net';
import { REPORT_SCRIPT, SOURCES } from '../support/report-script';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { until } from '../support/until';

let face: HttpBench;
beforeAll(async () => {
  face = await openHttpBench();
});
afterAll(() => face.close());

async function startedBy(token: string): Promise<string> {
  const { runId } = await jsonOf<{ runId: string }>(
    face.ask('/v1/runs', {
      method: 'POST',
      token,
      body: { kind: 'report', question: 'Does it help?', sources: SOURCES },
    }),
  );
  return runId;
}

test('a token that is revoked ends a stream in its midst, and what is told then is not told by it', async () => {
  const engine = face.bench.play(REPORT_SCRIPT);
  const hold = engine.hold('outline');
  await face.bench.startWorker();
  const root = await face.tokenOf('root', 'admin');
  const ann = await face.tokenOf('ann', 'run');
  const runId = await startedBy(ann);
  await hold.reached;
  const answer = await face.ask(`/v1/runs/${runId}/events`, { token: ann });
  let read = '';
  const reading = (async () => {
    for await (const bytes of answer.body ?? []) read += Buffer.from(bytes).toString('utf8');
  })();
  await until(
    async () => read,
    (text) => text.includes('event: run-started'),
  );
  const { tokens } = await jsonOf<{ tokens: { id: string; owner: string }[] }>(
    face.ask('/v1/tokens', { token: root }),
  );
  const id = tokens.find(({ owner }) => owner === 'ann')?.id ?? '';
  expect((await face.ask(`/v1/tokens/${id}`, { method: 'DELETE', token: root })).status).toBe(204);
  hold.release();
  await reading;
  expect(read).not.toContain('event: run-completed');
  const whole = await (await face.ask(`/v1/runs/${runId}/events`, { token: root })).text();
  expect(whole).toContain('event: run-completed');
  expect(whole.startsWith(read.replace(/(?:: \n\n)+/g, ''))).toBe(true);
});

test('whatever is sent, the answer is no failure of the face', async () => {
  const ann = await face.tokenOf('ann', 'admin');
  const odd = [
    '',
    '%',
    '%00',
    '..%2f..',
    'a'.repeat(5_000),
    '💥',
    '%E0%A4%A',
    'x?format=exe',
    'x?format[]=md',
  ];
  const paths = odd.flatMap((text) => [
    `/v1/runs/${text}`,
    `/v1/runs/${text}/result`,
    `/v1/runs/${text}/events`,
  ]);
  const bodies = [
    'null',
    '[]',
    '{"__proto__":{"x":1}}',
    '{"kind":"report"}',
    `{"a":${'['.repeat(5_000)}`,
    '\u0000',
  ];
  for (const path of [...paths, '/v1/runs?limit=1e9', '/v1/runs?cursor=%00', '/v1/tokens/%00']) {
    const answer = await face.ask(encodeURI(path).replaceAll('%25', '%'), { token: ann });
    await answer.text();
    expect([path.slice(0, 40), answer.status < 500]).toEqual([path.slice(0, 40), true]);
  }
  for (const body of bodies)
    for (const path of ['/v1/runs', '/v1/tokens', '/v1/runs/x/sources', '/v1/runs/x/outline/approval']) {
      const answer = await face.ask(path, { method: 'POST', token: ann, body });
      const told = await jsonOf<{ detail?: string }>(answer);
      expect([
        path,
        body.slice(0, 30),
        answer.status >= 400 && answer.status < 500,
        typeof told.detail,
      ]).toEqual([path, body.slice(0, 30), true, 'string']);
    }
  expect(face.unforeseen).toEqual([]);
});

test('bytes that are no HTTP end their own connection alone', async () => {
  const { hostname, port } = new URL(face.url);
  const said = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write('SSH-2.0-x\r\n\r\n'));
    socket.on('data', (bytes) => (text += bytes.toString('latin1')));
    socket.on('error', reject).on('close', () => resolve(text));
  });
  expect(said).toMatch(/^HTTP\/1\.1 400/);
  expect((await face.ask('/healthz')).status).toBe(200);
});
