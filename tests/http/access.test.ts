import type { LightMyRequestResponse } from 'fastify';
import { makeToken, revokeToken } from '../../src/app/access-tokens';
import { type App, LIMITS } from '../../src/http/server-context';
import { StoreAwayError } from '../../src/stores/store-errors';
import { type FaceWithoutServer, openFaceWithoutServer } from '../support/face-without-server';

type Headers = Record<string, string>;

const HOST = { host: 'face.example' };
const NEW_TOKEN = { owner: 'eve', scope: 'admin' };

describe('who is let in', () => {
  /** What a stranger is answered who lists tokens and who makes one. */
  async function asStranger({ app }: FaceWithoutServer, headers: Headers = {}): Promise<number[]> {
    const url = '/v1/tokens';
    const listed = await app.inject({ url, headers: { ...HOST, ...headers } });
    const made = await app.inject({
      method: 'POST',
      url,
      payload: NEW_TOKEN,
      headers: { ...HOST, ...headers },
    });
    return [listed.statusCode, made.statusCode];
  }

  test('a face that needs tokens opens with none: none was made, the last is revoked or over, the store is emptied', async () => {
    const face = await openFaceWithoutServer();
    expect(await asStranger(face)).toEqual([401, 401]);
    await face.tokenOf('ann', 'admin');
    expect(await revokeToken(face.access, face.access.kept[0]?.id ?? '')).toBe(true);
    expect(await asStranger(face)).toEqual([401, 401]);
    const over = await face.tokenOf('ann', 'admin', '2020-01-01T00:00:00.000Z');
    expect(await asStranger(face)).toEqual([401, 401]);
    expect(await asStranger(face, { authorization: `Bearer ${over}` })).toEqual([401, 401]);
    face.access.kept = [];
    expect(await asStranger(face)).toEqual([401, 401]);
    expect(await asStranger(face, { authorization: `Bearer ${over}` })).toEqual([401, 401]);
    expect(face.access.kept).toEqual([]);
    await face.app.close();
  });

  test.each(['revoked by a request', 'revoked elsewhere', 'emptied'])(
    'a face that this machine may use closes with the first token, and stays closed once that is %s',
    async (how) => {
      const face = await openFaceWithoutServer({ withoutToken: 'local' });
      expect((await face.app.inject({ url: '/v1/tokens', headers: HOST })).statusCode).toBe(200);
      const { token, made } = await makeToken(
        face.access,
        { owner: 'ann', scope: 'admin', expiresAt: null },
        new Date(),
      );
      const headers = { ...HOST, authorization: `Bearer ${token}` };
      expect((await face.app.inject({ url: '/v1/tokens', headers })).statusCode).toBe(200);
      if (how === 'emptied') face.access.kept = [];
      else if (how === 'revoked elsewhere') await revokeToken(face.access, made.id);
      else {
        const url = `/v1/tokens/${made.id}`;
        expect((await face.app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(204);
      }
      expect(await asStranger(face)).toEqual([401, 401]);
      expect(face.access.kept).toEqual([]);
      await face.app.close();
    },
  );

  test('a request that a proxy passed on is of no one on this machine, whatever it says of itself', async () => {
    const face = await openFaceWithoutServer({ withoutToken: 'local' });
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { 'X-Forwarded-Host': 'face.example' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { 'x-real-ip': '127.0.0.1' },
    ] as Headers[])
      expect([headers, await asStranger(face, headers)]).toEqual([headers, [401, 401]]);
    expect(await asStranger(face, { host: 'evil.example' })).toEqual([421, 421]);
    expect(face.access.kept).toEqual([]);
    await face.app.close();
  });

  test('a store that does not answer lets nobody in', async () => {
    const face = await openFaceWithoutServer({ withoutToken: 'local', report: () => undefined });
    face.access.tokens = () => Promise.reject(new StoreAwayError('Redis', 'no connection'));
    expect(await asStranger(face)).toEqual([503, 503]);
    await face.app.close();
  });
});

describe('readiness', () => {
  test('names what is missing, while the process lives', async () => {
    const reasons = ['No worker polls the task queue colligate.', 'The store does not answer.'];
    const { app } = await openFaceWithoutServer({ parts: { whyNotReady: () => Promise.resolve(reasons) } });
    const ready = await app.inject({ url: '/readyz', headers: HOST });
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({ code: 'not-ready', detail: reasons.join(' '), problems: reasons });
    expect((await app.inject({ url: '/healthz', headers: HOST })).json()).toEqual({ status: 'ok' });
    reasons.length = 0;
    expect((await app.inject({ url: '/readyz', headers: HOST })).json()).toEqual({ status: 'ok' });
    await app.close();
  });
});

describe('limits of an owner', () => {
  const ASKED = {
    kind: 'report',
    question: 'Does it help?',
    sources: [{ title: 'A note', content: 'Sleep improved by 12 % in 40 adults.' }],
  };

  async function start(app: App, token: string, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return app.inject({
      method: 'POST',
      url: '/v1/runs',
      payload: ASKED,
      headers: { ...HOST, authorization: `Bearer ${token}`, ...headers },
    });
  }

  test('running runs are counted, also those of a burst; the same start again is told of its run', async () => {
    const running: Record<string, number> = { ann: 1 };
    const { app, tokenOf } = await openFaceWithoutServer({
      limits: { ...LIMITS, runs: 3 },
      client: {
        runningOf: (owner) => Promise.resolve(running[owner] ?? 0),
        startReport: async () => ({ run: { runId: 'report-1' }, attached: false, warnings: [] }) as never,
        run: (runId) => ({ runId, owner: () => Promise.resolve('ann') }) as never,
      },
    });
    const [ann, bob] = [await tokenOf('ann'), await tokenOf('bob')];
    const burst = await Promise.all(Array.from({ length: 6 }, () => start(app, ann)));
    const statuses = burst.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 201, 429, 429, 429, 429]);
    const refused = burst.find(({ statusCode }) => statusCode === 429);
    expect(refused?.headers['retry-after']).toBe('5');
    expect(refused?.json()).toMatchObject({
      code: 'too-many',
      detail: expect.stringMatching(/3 running runs/),
    });
    expect((await start(app, ann, { 'idempotency-key': 'monday' })).statusCode).toBe(201);
    expect((await start(app, bob, { 'idempotency-key': 'monday' })).statusCode).toBe(201);
    await app.close();
  });

  test('a start that fails is given back', async () => {
    const { app, tokenOf } = await openFaceWithoutServer({
      limits: { ...LIMITS, runs: 1 },
      report: () => undefined,
      client: {
        runningOf: () => Promise.resolve(0),
        startReport: () => Promise.reject(new StoreAwayError('Redis', 'no connection')),
      },
    });
    const ann = await tokenOf('ann');
    for (const _ of [1, 2, 3]) expect((await start(app, ann)).statusCode).toBe(503);
    await app.close();
  });

  test('schedules are limited', async () => {
    const made = { owner: 'ann' };
    let finishCreating = (): void => undefined;
    const created = new Promise((resolve) => (finishCreating = () => resolve({})));
    const { app, tokenOf } = await openFaceWithoutServer({
      limits: { ...LIMITS, runs: 1, schedules: 2 },
      client: {
        schedules: async () => [made, made, { owner: 'bob' }] as never,
        createSchedule: () => created as never,
      },
    });
    const create = async (owner: string): Promise<number> =>
      (
        await app.inject({
          method: 'POST',
          url: '/v1/schedules',
          payload: { name: 'nightly', times: { everyMs: 3_600_000 }, run: ASKED },
          headers: { ...HOST, authorization: `Bearer ${await tokenOf(owner)}` },
        })
      ).statusCode;
    expect(await create('ann')).toBe(429);
    // Of two at once, the second would be one too many.
    const both = Promise.all([create('bob'), create('bob')]);
    setTimeout(finishCreating, 200);
    expect((await both).sort()).toEqual([201, 429]);
    await app.close();
  });
});
