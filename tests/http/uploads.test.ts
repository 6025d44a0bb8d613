import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';

const LIMIT = 1024 * 1024;
let face: HttpBench;
let ann: string;
beforeAll(async () => {
  face = await openHttpBench({ maxUploadBytes: LIMIT });
  ann = await face.tokenOf('ann', 'run');
});
afterAll(() => face.close());
afterEach(() => {
  // Whatever came lies nowhere any more, and nobody was surprised.
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('colligate-upload-'))).toEqual([]);
  expect(face.unforeseen).toEqual([]);
});

const ASKED = JSON.stringify({ kind: 'report', question: 'Does it help?' });

interface Refusal {
  status: number;
  type: string;
  told: { detail: string; code: string };
  /** How many bytes were sent until it was told. */
  sent: number;
  /** The most that buffers held meanwhile beyond what they held before. */
  held: number;
}

/** Bytes. */
const LOOKED_EVERY = 65_536;

/** Sends a form piece by piece until it is answered. */
function send(pieces: Iterable<string | Buffer>, headers: Record<string, string> = {}): Promise<Refusal> {
  const { hostname, port } = new URL(face.url);
  const before = process.memoryUsage().arrayBuffers;
  let [sent, held, lookedAt] = [0, 0, 0];
  return new Promise((resolve, reject) => {
    let hasAnswer = false;
    const asking = request(
      {
        hostname,
        port,
        path: '/v1/runs',
        method: 'POST',
        headers: {
          authorization: `Bearer ${ann}`,
          'content-type': 'multipart/form-data; boundary=b',
          ...headers,
        },
      },
      (answer) => {
        hasAnswer = true;
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          asking.destroy();
          const { statusCode: status = 0, headers: told } = answer;
          const type = told['content-type'] ?? '';
          resolve({ status, type, told: JSON.parse(text) as Refusal['told'], sent, held });
        });
      },
    );
    asking.on('error', (error) => {
      if (!hasAnswer) reject(error);
    });
    const iterator = pieces[Symbol.iterator]();
    const next = (): void => {
      for (let room = true; room && !hasAnswer;) {
        const { value, done } = iterator.next();
        if (done === true) {
          asking.end();
          return;
        }
        sent += value.length;
        // To look takes longer than to send a small piece.
        if (sent - lookedAt >= LOOKED_EVERY) {
          lookedAt = sent;
          held = Math.max(held, process.memoryUsage().arrayBuffers - before);
        }
        room = asking.write(value);
      }
      if (!hasAnswer) asking.once('drain', next);
    };
    next();
  });
}

const FIELD = `--b\r\ncontent-disposition: form-data; name="request"\r\n\r\n${ASKED}\r\n`;
const file = (name: string, field = 'files'): string =>
  `--b\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`;
const TWO_GB = 2 * 1024 ** 3;

function* twoGigabytes(): Generator<string | Buffer> {
  yield FIELD;
  yield file('large.md');
  const piece = Buffer.alloc(LIMIT / 4, 'a');
  for (let sent = 0; sent < TWO_GB; sent += piece.length) yield piece;
  yield '\r\n--b--\r\n';
}

test('2 GB are refused as soon as they are announced, or more has come than may', async () => {
  const announced = await send(twoGigabytes(), { 'content-length': String(TWO_GB) });
  const streamed = await send(twoGigabytes());
  for (const refusal of [announced, streamed]) {
    expect(refusal).toMatchObject({
      status: 413,
      type: expect.stringContaining('application/problem+json'),
      told: { code: 'too-large', detail: 'An upload has at most 1 MB: send its files in several.' },
    });
    expect(refusal.sent).toBeLessThan(TWO_GB / 4);
    expect(refusal.held).toBeLessThan(64 * LIMIT);
  }
});

test('a million parts are refused at the first that is too many', async () => {
  function* parts(): Generator<string> {
    yield FIELD;
    for (let n = 0; n < 1_000_000; n += 1) yield `${file(`${n}.md`)}x\r\n`;
    yield '--b--\r\n';
  }
  const refusal = await send(parts());
  expect(refusal).toMatchObject({ status: 413, told: { code: 'too-many-parts' } });
  expect(refusal.told.detail).toContain('at most 100 files');
  expect(refusal.held).toBeLessThan(64 * LIMIT);
  const fields = function* (): Generator<string> {
    for (let n = 0; n < 1_000_000; n += 1) yield FIELD;
  };
  expect(await send(fields())).toMatchObject({ status: 413, told: { code: 'too-many-parts' } });
});

test('a name that is a path is refused, whichever way it is written', async () => {
  for (const name of [
    '../../etc/passwd',
    '/etc/passwd',
    '..\\\\..\\\\boot.ini',
    'a/b.md',
    '..',
    'a\u0001.md',
  ]) {
    const refusal = await send([FIELD, file(name), 'x\r\n--b--\r\n']);
    expect([name, refusal.status, refusal.told.code]).toEqual([name, 422, 'file-name']);
    expect(refusal.told.detail).toContain('send its name alone');
  }
});

test('what is no upload of ours is told in a sentence', async () => {
  const end = '--b--\r\n';
  const x = 'x\r\n';
  const bad: [string[], number, RegExp][] = [
    [[file('a.md'), x, end], 422, /has a field "request"/],
    [[FIELD, file('a.md', 'others'), x, end], 422, /no "others"/],
    [[FIELD.replace('"request"', '"__proto__"'), end], 400, /multipart/],
    [[FIELD.replace(ASKED, '{'), end], 400, /not valid JSON/],
    [[FIELD.replace(ASKED, '['.repeat(10_000)), end], 400, /within each other/],
    [[FIELD, file('a.md'), x, file('a.md'), x, end], 422, /Two files are called "a.md"/],
    [[FIELD, file('a.md'), 'cut off'], 400, /cannot be read as multipart/],
    [['nothing of the kind'], 400, /cannot be read as multipart/],
    [[FIELD, end], 422, /sources are missing/],
  ];
  for (const [pieces, status, why] of bad) {
    const refusal = await send(pieces);
    expect([pieces, refusal.status, refusal.told.detail]).toEqual([
      pieces,
      status,
      expect.stringMatching(why),
    ]);
  }
  const outline = await face.ask('/v1/runs/x/outline', { method: 'PUT', token: ann, body: new FormData() });
  expect(outline.status).toBe(415);
  expect((await jsonOf<{ detail: string }>(outline)).detail).toContain('no files are taken here');
});
