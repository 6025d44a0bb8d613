import { reaches } from '../support/follow-run';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { SOURCES } from '../support/report-script';
import { until } from '../support/until';

let face: HttpBench;
let ann: string;
let bob: string;
let reader: string;
beforeAll(async () => {
  face = await openHttpBench();
  await face.bench.startWorker();
  ann = await face.tokenOf('ann', 'run');
  bob = await face.tokenOf('bob', 'run');
  reader = await face.tokenOf('ann', 'read');
});
afterAll(() => face.close());

/** As a browser asks that has signed in with the token. */
function browse(
  path: string,
  {
    token,
    form,
    headers = {},
  }: { token?: string; form?: Record<string, string> | FormData; headers?: Record<string, string> } = {},
): Promise<Response> {
  const body = form === undefined || form instanceof FormData ? form : new URLSearchParams(form);
  return fetch(`${face.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: {
      accept: 'text/html',
      ...(token === undefined ? {} : { cookie: `other=1; colligate_token=${token}` }),
      ...(body === undefined ? {} : { origin: face.url }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

async function started(token: string, approval = false): Promise<string> {
  const answer = await face.ask('/v1/runs', {
    method: 'POST',
    token,
    body: {
      kind: 'report',
      question: 'Which habits help?',
      sources: SOURCES,
      ...(approval ? { approval: { timeoutMs: 3_600_000 } } : {}),
    },
  });
  return (await jsonOf<{ runId: string }>(answer)).runId;
}

describe('signing in', () => {
  it('asks whoever is not let in for a token, and leads back', async () => {
    const answer = await browse('/runs/some?x=1');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/sign-in?to=%2Fruns%2Fsome%3Fx%3D1',
    ]);
    const page = await (await browse('/sign-in?to=%2Fruns%2Fsome')).text();
    expect(page).toContain('value="/runs/some"');
  });

  it('keeps the token where no script can read it', async () => {
    const answer = await browse('/sign-in', { form: { token: ann, to: '/start' } });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/start']);
    expect(answer.headers.getSetCookie()).toEqual([`colligate_token=${ann}; Path=/; HttpOnly; SameSite=Lax`]);
  });

  it('refuses what is no token, and leads nowhere else', async () => {
    const refused = await browse('/sign-in', { form: { token: 'colligate_guessed', to: '/' } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('set-cookie')).toBeNull();
    for (const to of ['https://evil.example/', '//evil.example', '/\\evil.example', 'runs']) {
      const answer = await browse('/sign-in', { form: { token: ann, to } });
      expect(answer.headers.get('location')).toBe('/');
    }
  });

  it('forgets the token', async () => {
    const answer = await browse('/sign-out', { token: ann, form: {} });
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
  });
});

describe('what stands between a page and others', () => {
  it('takes no form that another page sends, or that says nothing of where it is from', async () => {
    const runId = await started(ann);
    const path = `/runs/${runId}/cancel`;
    const foreign = await browse(path, { token: ann, form: {}, headers: { origin: 'https://evil.example' } });
    const silent = await fetch(`${face.url}${path}`, {
      method: 'POST',
      headers: { cookie: `colligate_token=${ann}`, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([foreign.status, silent.status]).toEqual([403, 403]);
    const api = await fetch(`${face.url}/v1/runs/${runId}/cancel`, {
      method: 'POST',
      headers: { cookie: `colligate_token=${ann}` },
    });
    expect(api.status).toBe(403);
  });

  it('shows a run to its owner only', async () => {
    const runId = await started(ann);
    for (const below of ['', '/result', '/outline']) {
      const answer = await browse(`/runs/${runId}${below}`, { token: bob });
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('There is no run')]);
    }
    expect(await (await browse('/', { token: bob })).text()).not.toContain(runId);
    expect(await (await browse('/', { token: ann })).text()).toContain(runId);
  });

  it('offers nothing to whoever may only read, and does nothing for them', async () => {
    const runId = await started(ann);
    expect(await (await browse(`/runs/${runId}`, { token: reader })).text()).not.toContain(
      '<form method="post" action="/runs',
    );
    expect((await browse(`/runs/${runId}/pause`, { token: reader, form: {} })).status).toBe(403);
  });

  it('cannot be framed, loads nothing from other hosts, and runs its own scripts only', async () => {
    const answer = await browse('/', { token: ann });
    expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const page = await answer.text();
    expect(page).toMatch(/default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-/);
    expect(page).not.toContain('unsafe-inline');
  });
});

describe('a run', () => {
  it('is started from a form with a text and files, once however often it is sent', async () => {
    const page = await (await browse('/start', { token: ann })).text();
    const key = /name="key" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const form = (): FormData => {
      const data = new FormData();
      for (const [name, value] of Object.entries({
        key,
        kind: 'report',
        question: 'Which habits help sleep?',
        links: '',
        text: '# A note\nEvening light delays sleep by 22 minutes in adults.',
        engine: '',
        maxCostUsd: '',
      }))
        data.append(name, value);
      data.append('files', new File(['Sleep improved by 12 % in 40 adults.'], 'note.md'));
      return data;
    };
    const once = await browse('/start', { token: ann, form: form() });
    const again = await browse('/start', { token: ann, form: form() });
    expect([once.status, again.status]).toEqual([303, 303]);
    expect(again.headers.get('location')).toBe(once.headers.get('location'));
  });

  it('is asked for beside what one’s own latest runs took, and nobody else’s', async () => {
    const [eve, mallory] = [await face.tokenOf('eve', 'run'), await face.tokenOf('mallory', 'run')];
    await face.bench.colligate.run(await started(eve)).waitUntilClosed();
    const form = async (token: string): Promise<string> => (await browse('/start', { token })).text();
    // Lists lag behind.
    await until(
      () => form(eve),
      (page) => /your latest runs took: report, of 1: \$0\.00, [\d.]+ minutes?</.test(page),
    );
    expect(await form(mallory)).not.toContain('your latest runs took');
  });

  it('says what is wrong with a form, in a page', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ key: 'k', kind: 'report', question: ' ', links: 'ftp://x' }))
      form.append(name, value);
    const answer = await browse('/start', { token: ann, form });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8']);
    expect(await answer.text()).toMatch(/links.0: an address begins with .*question: /s);
  });

  it('is shown with what it left', async () => {
    const one = await started(ann);
    await face.bench.colligate.run(one).waitUntilClosed();
    const page = await (await browse(`/runs/${one}`, { token: ann })).text();
    expect(page).toContain(`href="/runs/${one}/result"`);
    expect(await (await browse(`/runs/${one}/result`, { token: ann })).text()).toContain(
      'Which habits help?',
    );
  });

  it('accepts the first of two edits of an outline and reports the conflict to the other', async () => {
    const runId = await started(ann, true);
    await reaches(face.bench.colligate.run(runId), 'awaiting-approval');
    const path = `/runs/${runId}/outline`;
    const page = await (await browse(path, { token: ann })).text();
    const seen = /name="seen" value="(\d+)"/.exec(page)?.[1] ?? '';
    const edit = (title: string): Promise<Response> =>
      browse(path, {
        token: ann,
        form: {
          seen,
          theme: 'Habits',
          title,
          place: '1',
          about: `About ${title}`,
          subsections: '[]',
          do: 'save',
        },
      });
    const answers = await Promise.all([edit('Light'), edit('Noise')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const kept = answers[0]?.status === 303 ? 'Light' : 'Noise';
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.text()).toContain('Somebody has changed the outline');
    const outline = await face.bench.colligate.run(runId).outline();
    expect(outline?.sections.map(({ title }) => title)).toEqual([kept]);
    expect((await browse(`/runs/${runId}/approve`, { token: ann, form: {} })).status).toBe(303);
    await face.bench.colligate.run(runId).waitUntilClosed();
  });
});
