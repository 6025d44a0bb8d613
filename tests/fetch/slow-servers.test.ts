import { createServer, type AddressInfo, type Socket } from 'node:net';
import { FetchError } from '../../src/fetch/fetch-error';
import type { FetchLimits } from '../../src/fetch/fetch-limits';
import { forAllTests } from '../support/for-all-tests';
import { refusal } from '../support/refusal';
import { createTestWeb } from './web-under-test';

/** A server that answers robots.txt, and does with the socket of any other request what a test says. */
const server = forAllTests(async () => {
  const raw = {
    port: 0,
    answer: (_socket: Socket): void => undefined,
    closed: 0,
    close: async () => listener.close(),
  };
  const listener = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('close', () => (raw.closed += 1));
    socket.on('data', (data) => {
      if (data.includes('/robots.txt')) socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      else raw.answer(socket);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return Object.assign(raw, { port: (listener.address() as AddressInfo).port });
});

/** Writes a part again and again until the other side has gone. */
function repeating(part: string, first = ''): (socket: Socket) => void {
  return (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(part), 5);
    socket.on('close', () => clearInterval(timer));
  };
}

async function failureOf(limits: Partial<FetchLimits>, signal?: AbortSignal): Promise<FetchError> {
  const host = `127.0.0.1:${server.port}`;
  const { fetcher } = createTestWeb({ allow: [host], limits });
  try {
    return await refusal(fetcher.fetch(`http://${host}/page`, { ...(signal ? { signal } : {}) }), FetchError);
  } finally {
    await fetcher.close();
  }
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';

describe('attack 5: servers that take their time', () => {
  it('that never answer are ended', async () => {
    server.answer = () => undefined;
    expect(await failureOf({ connectMs: 50, headersMs: 50 })).toMatchObject({
      kind: 'too-slow',
      isRetryable: true,
    });
  });

  it('that send a byte at a time are ended by the time for the whole', async () => {
    server.answer = repeating('x', `${OK}Content-Length: 1000000\r\n\r\n`);
    const { kind, message } = await failureOf({ answerMs: 300 });
    expect(kind).toBe('too-slow');
    expect(message).toContain('it was not sent whole within 0.3 seconds');
  });

  it('that fall silent within a body are ended', async () => {
    server.answer = (socket) => socket.write(`${OK}Content-Length: 100\r\n\r\nhalf`);
    expect((await failureOf({ idleMs: 100 })).message).toContain(
      'it sent nothing further within 0.1 seconds',
    );
  });

  it('that send headers without end are ended by their size, or by the time for them', async () => {
    server.answer = (socket) => {
      const write = (): void => {
        while (!socket.destroyed && socket.write(`X-More: ${'x'.repeat(1_000)}\r\n`));
      };
      socket.write(OK);
      socket.on('drain', write);
      write();
    };
    expect((await failureOf({})).kind).toBe('too-large');
    server.answer = repeating('x', `${OK}X-More: `);
    expect((await failureOf({ connectMs: 100, headersMs: 100 })).kind).toBe('too-slow');
    server.answer = repeating('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
    expect((await failureOf({ connectMs: 100, headersMs: 100 })).kind).toBe('too-slow');
  });

  it('that do not speak as the web does are told', async () => {
    server.answer = (socket) => socket.write('220 mail.example ESMTP\r\n');
    expect((await failureOf({})).kind).toBe('unreadable');
  });

  it('are left at once when nobody waits any more', async () => {
    const closed = server.closed;
    const stopped = new AbortController();
    server.answer = () => stopped.abort(new Error('cancelled'));
    await expect(failureOf({}, stopped.signal)).rejects.toThrow('cancelled');
    expect(server.closed).toBeGreaterThanOrEqual(closed);
  });
});
