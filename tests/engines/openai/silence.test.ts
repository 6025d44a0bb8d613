import type { Answer } from '../../../src/engines/openai/answer/answer-parts';
import { startDeadline, type Deadline } from '../../../src/engines/openai/endpoint/endpoint-deadline';
import { readAnswer } from '../../../src/engines/openai/answer/read-answer';
import { delta } from '../../model-server/behaviours';
import { NEVER } from './asking';

/** A stream that a test writes piece by piece, read by a clock that the test moves too. */
interface OpenStream {
  deadline: Deadline;
  answer: Promise<Answer>;
  write(piece: string): void;
}

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
);
afterEach(() => void vi.useRealTimers());

function openStream(inactivityMs: number): OpenStream {
  const pieces = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pieces.writable.getWriter();
  const deadline = startDeadline(NEVER, 3_600_000);
  // As a fetch ends the body of its response.
  const abort = (): void => void writer.abort(new Error('aborted')).catch(() => undefined);
  deadline.signal.addEventListener('abort', abort);
  const response = new Response(pieces.readable, { headers: { 'content-type': 'text/event-stream' } });
  const limits = { deadline, inactivityMs, firstByteMs: inactivityMs };
  const answer = readAnswer(response, { ...limits, onText: () => undefined });
  answer.catch(() => undefined);
  return {
    deadline,
    answer,
    write: (piece) => void writer.write(Buffer.from(piece)).catch(() => undefined),
  };
}

const event = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

test('a stream that only says that it is alive is not silent', async () => {
  const stream = openStream(300);
  for (let count = 0; count < 10; count += 1) {
    stream.write(': alive\n\n');
    await vi.advanceTimersByTimeAsync(200);
    expect(stream.deadline.missed).toBeNull();
  }
  stream.write(event(delta('Crabs.', 'stop')) + event('[DONE]'));
  expect((await stream.answer).text).toBe('Crabs.');
  stream.deadline.end();
});

test('a stream that says nothing for too long is given up', async () => {
  const stream = openStream(300);
  stream.write(event(delta('Cra')));
  await vi.advanceTimersByTimeAsync(299);
  expect(stream.deadline.missed).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(stream.deadline.missed).toBe('silence');
  await expect(stream.answer).rejects.toThrow('aborted');
});

test('a complete text is not lost where the connection is held open behind it', async () => {
  const stream = openStream(60_000);
  stream.write(event(delta('Crabs.', 'stop')));
  // Its usage may follow.
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await stream.answer).toMatchObject({ text: 'Crabs.', usage: null });
});
