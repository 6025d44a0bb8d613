import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';

const SECRET = 'a-secret-that-only-both-know';

let provider: ChildProcess;
let issuer: string;
const faces: HttpBench[] = [];

async function told<Message>(message: object | null): Promise<Message> {
  const answer = once(provider, 'message');
  if (message !== null) provider.send(message);
  const [first] = (await answer) as [Message];
  return first;
}

beforeAll(async () => {
  provider = fork(path.join(__dirname, '..', 'support', 'openid-provider.mjs'), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  ({ issuer } = await told<{ issuer: string }>(null));
});
afterAll(async () => {
  for (const face of faces) await face.close();
  provider.disconnect();
  await once(provider, 'exit');
});

/** A face at which the provider's people sign in. */
async function openFace(people: Record<string, string>, claim = 'email'): Promise<HttpBench> {
  const face = await openHttpBench(
    {},
    {
      COLLIGATE_OPENID_ISSUER: issuer,
      COLLIGATE_OPENID_CLIENT_ID: 'colligate',
      COLLIGATE_OPENID_CLIENT_SECRET: SECRET,
      COLLIGATE_OPENID_CLAIM: claim,
      COLLIGATE_OPENID_PEOPLE: JSON.stringify(people),
    },
  );
  faces.push(face);
  await told({ back: `${face.url}/sign-in/openid/back` });
  return face;
}

/** What a browser keeps, for both: cookies do not tell ports apart. */
class Browser {
  readonly #cookies = new Map<string, string>();

  constructor(who: string) {
    this.#cookies.set('who', who);
  }

  async go(address: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...init.headers, cookie: this.cookies() },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '' || /max-age=0/i.test(set)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Follows until there is a page, or until an address that `isLast`; the answer, and where it was. */
  async follow(
    address: string,
    isLast: (at: string) => boolean = () => false,
  ): Promise<{ answer: Response; at: string }> {
    let at = address;
    for (let steps = 0; steps < 20; steps++) {
      if (isLast(at)) return { answer: new Response(null), at };
      const answer = await this.go(at);
      const to = answer.headers.get('location');
      if (to === null) return { answer, at };
      at = new URL(to, at).href;
    }
    throw new Error(`It leads on and on: ${at}`);
  }
}

const isBack = (at: string): boolean => at.includes('/sign-in/openid/back?');

test('somebody whom the provider knows signs in, sees what is theirs, and is nobody once they have signed out', async () => {
  const face = await openFace({ '@example.org': 'run' });
  const browser = new Browser('ann');
  expect(await (await browser.go(`${face.url}/sign-in?to=%2Fschedules`)).text()).toContain(
    '/sign-in/openid?to=%2Fschedules',
  );
  const { answer, at } = await browser.follow(`${face.url}/sign-in/openid?to=%2Fschedules`);
  expect([answer.status, at]).toEqual([200, `${face.url}/schedules`]);
  const session = browser.cookies();
  expect(session).not.toContain('colligate_asked');
  const [token] = await face.bench.stores.access.tokens();
  expect(token).toMatchObject({ owner: 'ann@example.org', scope: 'run', expiresAt: expect.any(String) });
  expect(face.audited).toContainEqual(
    expect.objectContaining({ owner: 'ann@example.org', token: token?.id, path: '/sign-in/openid/back' }),
  );
  expect((await browser.go(`${face.url}/start`)).status).toBe(200);
  expect((await browser.go(`${face.url}/service`)).status).toBe(403);
  await browser.go(`${face.url}/sign-out`, { method: 'POST', headers: { origin: face.url } });
  expect(await face.bench.stores.access.tokens()).toEqual([]);
  const stolen = await fetch(`${face.url}/`, {
    redirect: 'manual',
    headers: { cookie: session, accept: 'text/html' },
  });
  expect([stolen.status, stolen.headers.get('location')]).toEqual([303, '/sign-in?to=%2F']);
});

test('whoever is not among those who are let in is told so, and so is whose address nobody has verified', async () => {
  const face = await openFace({ '@example.org': 'run', 'ann@example.org': 'admin' });
  expect((await new Browser('ann').follow(`${face.url}/sign-in/openid?to=/service`)).answer.status).toBe(200);
  for (const [who, why] of [
    ['bob', 'bob@elsewhere.example is not among those'],
    ['eve', 'has not verified'],
  ] as const) {
    const { answer } = await new Browser(who).follow(`${face.url}/sign-in/openid`);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining(why)]);
  }
  const declined = await new Browser('nobody').follow(`${face.url}/sign-in/openid`);
  expect(declined.answer.status).toBe(401);
  expect(await declined.answer.text()).toContain('broken off');
  expect(await face.bench.stores.access.tokens()).toHaveLength(1);
});

test('a name that somebody chose opens nothing but what is said of it', async () => {
  const face = await openFace({ '@example.org': 'admin', ann: 'read' }, 'preferred_username');
  for (const who of ['bob', 'eve'])
    expect((await new Browser(who).follow(`${face.url}/sign-in/openid`)).answer.status).toBe(403);
  expect((await new Browser('ann').follow(`${face.url}/sign-in/openid`)).answer.status).toBe(200);
  expect(await face.bench.stores.access.tokens()).toMatchObject([{ owner: 'ann', scope: 'read' }]);
});

test('nobody ends what another began, ends it twice, or is led elsewhere', async () => {
  const face = await openFace({ '*': 'run' });
  const ann = new Browser('ann');
  const { at } = await ann.follow(`${face.url}/sign-in/openid`, isBack);
  // Somebody is sent the address by which another would be signed in.
  expect((await new Browser('bob').go(at)).status).toBe(401);
  const bob = new Browser('bob');
  await bob.follow(`${face.url}/sign-in/openid`, isBack);
  expect((await bob.go(at)).status).toBe(401);
  expect((await ann.go(at)).status).toBe(303);
  expect((await ann.go(at)).status).toBe(401);
  // With what was kept, a code that was used is none.
  const again = new Browser('ann');
  const { at: once } = await again.follow(`${face.url}/sign-in/openid`, isBack);
  const kept = again.cookies();
  expect((await again.go(once)).status).toBe(303);
  expect((await fetch(once, { redirect: 'manual', headers: { cookie: kept } })).status).toBe(401);
  const { at: elsewhere } = await new Browser('ann').follow(
    `${face.url}/sign-in/openid?to=${encodeURIComponent('//evil.example')}`,
  );
  expect(elsewhere).toBe(`${face.url}/`);
  expect(face.unforeseen).toEqual([]);
});

test('while the provider is away people are told so, and sign in once it is back; tokens let in all the while', async () => {
  const face = await openFace({ '*': 'run' });
  await told({ back: null });
  const away = await new Browser('ann').go(`${face.url}/sign-in/openid`);
  expect([away.status, await away.text()]).toEqual([502, expect.stringContaining(issuer)]);
  const token = await face.tokenOf('ann', 'read');
  expect(await jsonOf(face.ask('/v1/runs', { token }))).toEqual({ runs: [], next: null });
  await told({ back: `${face.url}/sign-in/openid/back` });
  expect((await new Browser('ann').follow(`${face.url}/sign-in/openid`)).answer.status).toBe(200);
});
