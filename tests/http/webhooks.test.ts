import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { WorkflowExecutionStatusName } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { forAllTests } from '../support/for-all-tests';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { startLoggingServer } from '../support/logging-server';
import { SOURCES } from '../support/report-script';
import { until } from '../support/until';

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString('base64')}`;

/** What the server of whoever is told was sent. */
interface Sent {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const receiver = forAllTests(startLoggingServer);
let face: HttpBench;
let token: string;
let sent: Sent[];
/** Whether the log takes no word of a result, for which nothing stands in. */
let endIsRefused: boolean;
let answer: (response: ServerResponse, tries: number) => void;
beforeAll(async () => {
  face = await openHttpBench(
    {},
    { COLLIGATE_WEBHOOK_SECRET: SECRET, COLLIGATE_FETCH_ALLOW: `127.0.0.1:${receiver.port}` },
  );
  token = await face.tokenOf('ann', 'run');
  const { stores } = face.bench;
  const { events } = stores;
  const appendOnce: typeof events.appendOnce = async (...given) => {
    if (endIsRefused && given[2].type === 'run-completed')
      throw ApplicationFailure.nonRetryable('this is out of order.');
    return events.appendOnce(...given);
  };
  await face.bench.startWorker(undefined, undefined, {
    stores: { ...stores, events: { ...events, appendOnce } },
  });
});
beforeEach(() => {
  sent = [];
  endIsRefused = false;
  answer = (response) => response.writeHead(204).end();
  receiver.serve = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      sent.push({ path: request.url ?? '', headers: request.headers, body });
      answer(response, sent.length);
    });
  };
});
afterAll(() => face.close());

const at = (path: string): string => `http://127.0.0.1:${receiver.port}${path}`;

function start(url: string): Promise<Response> {
  const body = { kind: 'report', question: 'Which habits help?', sources: SOURCES, webhook: { url } };
  return face.ask('/v1/runs', { method: 'POST', token, body });
}

async function started(url: string): Promise<string> {
  return (await jsonOf<{ runId: string }>(start(url))).runId;
}

/** As Standard Webhooks has somebody verify it. */
function isSigned({ headers, body }: Sent): boolean {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = createHmac('sha256', KEY).update(signed).digest('base64');
  return headers['webhook-signature'] === `v1,${signature}`;
}

const told = (runId: string): Sent[] => sent.filter(({ body }) => body.includes(runId));

/** How the workflow that tells of a run has ended. */
async function endOf(runId: string): Promise<WorkflowExecutionStatusName> {
  const { client, colligate } = face.bench;
  await colligate.run(runId).waitUntilClosed();
  const { raw } = await client.workflow.getHandle(runId).describe();
  const first = raw.workflowExecutionInfo?.firstRunId ?? '';
  const handle = client.workflow.getHandle(`webhook-msg_${first}`);
  const { status } = await until(
    () => handle.describe(),
    (described) => described.status.name !== 'RUNNING',
  );
  return status.name;
}

test('a signed webhook reports the end of a run, and is retried if the receiver was away', async () => {
  answer = (response, tries) => response.writeHead(tries === 1 ? 503 : 200).end();
  const runId = await started(at('/hook?key=a-secret'));
  expect((await face.bench.colligate.run(runId).waitUntilClosed()).status).toBe('completed');
  const [first, second] = await until(
    () => Promise.resolve(told(runId)),
    (all) => all.length === 2,
  );
  for (const one of [first, second]) {
    expect(one !== undefined && isSigned(one)).toBe(true);
    expect(one?.path).toBe('/hook?key=a-secret');
    expect(JSON.parse(one?.body ?? '')).toEqual({
      type: 'run.completed',
      timestamp: expect.stringMatching(/^\d{4}-/),
      data: { runId, kind: 'report', status: 'completed' },
    });
  }
  expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id']);
  expect(await endOf(runId)).toBe('COMPLETED');
});

test('webhooks report cancelled and failed runs', async () => {
  const hold = face.bench.engine.hold('outline');
  const cancelled = await started(at('/cancelled'));
  await hold.reached;
  await face.bench.colligate.run(cancelled).cancel();
  hold.release();
  const [one] = await until(
    () => Promise.resolve(told(cancelled)),
    (all) => all.length > 0,
  );
  expect(JSON.parse(one?.body ?? '')).toMatchObject({ type: 'run.cancelled' });
  endIsRefused = true;
  const failed = await started(at('/failed'));
  const [other] = await until(
    () => Promise.resolve(told(failed)),
    (all) => all.length > 0,
  );
  expect(JSON.parse(other?.body ?? '')).toMatchObject({ type: 'run.failed', data: { runId: failed } });
});

test('attack 9: webhooks to private addresses and redirects are refused and not retried', async () => {
  const inward = await started('https://10.0.0.1/hook');
  answer = (response) => response.writeHead(307, { location: at('/elsewhere') }).end();
  const redirected = await started(at('/redirects'));
  expect(await endOf(inward)).toBe('FAILED');
  expect(await endOf(redirected)).toBe('FAILED');
  expect(sent.map(({ path }) => path)).toEqual(['/redirects']);
  answer = (response) => response.writeHead(410).end();
  expect(await endOf(await started(at('/gone')))).toBe('FAILED');
});

test('an unusable webhook is rejected before the run starts', async () => {
  const wrong: [string, RegExp][] = [
    ['ftp://example.org/hook', /webhook.*address begins with/],
    ['http://example.org/hook', /webhook is an address without TLS/],
    ['https://ann:word@example.org/hook', /webhook leads nowhere: .*name or a password/],
    ['https://example.org:22/hook', /webhook leads nowhere: port 22/],
  ];
  for (const [url, said] of wrong) {
    const refused = await start(url);
    expect([url, refused.status, await refused.text()]).toEqual([url, 422, expect.stringMatching(said)]);
  }
});

test('webhooks without a secret are rejected', async () => {
  const bare = await openHttpBench();
  try {
    const refused = await bare.ask('/v1/runs', {
      method: 'POST',
      token: await bare.tokenOf('ann', 'run'),
      body: {
        kind: 'report',
        question: 'Why?',
        sources: SOURCES,
        webhook: { url: 'https://example.org/hook' },
      },
    });
    expect([refused.status, await refused.json()]).toEqual([
      422,
      expect.objectContaining({ detail: expect.stringContaining('COLLIGATE_WEBHOOK_SECRET') }),
    ]);
  } finally {
    await bare.close();
  }
});
