import type { ModelResponse } from '../../../src/engines/model/port/model-client';
import {
  answers,
  completion,
  delta,
  goesSilent,
  hangs,
  sends,
  sendsJson,
  streams,
  tears,
} from '../../model-server/behaviours';
import type { Behaviour } from '../../model-server/model-server';
import { clientOf, failureOf, NEVER, REQUEST, withServer } from './asking';
import { retryAfterInText, retryAfterMs } from '../../../src/engines/openai/waits';

describe('answers of an endpoint', () => {
  type Settings = Parameters<typeof clientOf>[1];

  function ask(behaviour: Behaviour, settings?: Settings): Promise<ModelResponse> {
    return withServer([behaviour], (server) =>
      clientOf(server, settings).ask(REQUEST, null, { signal: NEVER }),
    );
  }

  /** The answer of a stream, and what its listener heard of it. */
  function askStream(behaviour: Behaviour, settings?: Settings): Promise<ModelResponse & { heard: string }> {
    return withServer([behaviour], async (server) => {
      let heard = '';
      const onText = (text: string): void => void (heard += text);
      const response = await clientOf(server, settings).ask(REQUEST, null, { signal: NEVER, onText });
      return { ...response, heard };
    });
  }

  function withChoice(choice: Record<string, unknown>): Behaviour {
    return sendsJson({ choices: [{ index: 0, finish_reason: 'stop', ...choice }] });
  }

  const CUT_SHORT = delta('Cra');

  const HTML = { 'content-type': 'text/html; charset=utf-8' };

  const part = (text: string): unknown => ({ type: 'text', text });

  describe('An answer at once', () => {
    it.each([
      ['stop', 'stop'],
      ['eos_token', 'stop'],
      ['length', 'length'],
      ['MAX_TOKENS', 'length'],
      ['content_filter', 'content-filter'],
      ['SAFETY', 'content-filter'],
      ['tool_calls', 'stop'],
      ['something new', 'other'],
      [null, 'other'],
    ])('ends as %s, which is %s', async (finishReason, expected) => {
      expect((await ask(answers('x', { finishReason }))).finishReason).toBe(expected);
    });

    it.each([
      ['null', null, ''],
      ['missing', undefined, ''],
      ['a list of parts', [part('a'), part('b')], 'ab'],
      ['a list with thinking', [{ type: 'thinking', thinking: [] }, part('b')], 'b'],
      ['a list of strings', ['a', 'b'], 'ab'],
    ])('may have content that is %s', async (_name, content, text) => {
      expect((await ask(withChoice({ message: { role: 'assistant', content } }))).text).toBe(text);
    });

    it('keeps thinking in its text, and leaves out what came beside it', async () => {
      const { text } = await ask(answers('<think>hm</think>Crabs.', { reasoning: 'Beside.' }));
      expect(text).toBe('<think>hm</think>Crabs.');
    });

    it('is a refusal of the content where the model refuses', async () => {
      const refused = withChoice({ message: { content: null, refusal: 'I cannot help.' } });
      expect(await ask(refused)).toMatchObject({ finishReason: 'content-filter', text: 'I cannot help.' });
    });

    it.each([
      ['no usage', undefined, null],
      ['usage that is no object', 'many', null],
      ['negative usage', { prompt_tokens: -1, completion_tokens: 2 }, null],
      ['absurd usage', { prompt_tokens: 1e300, completion_tokens: 2 }, null],
      ['half a usage', { prompt_tokens: 4 }, null],
      ['usage under other names', { input_tokens: 4, output_tokens: 2 }, { inputTokens: 4, outputTokens: 2 }],
    ])('may have %s', async (_name, usage, expected) => {
      const body = { ...completion('x', { usage: null }), ...(usage === undefined ? {} : { usage }) };
      expect((await ask(sendsJson(body))).usage).toEqual(expected);
    });

    it.each<[string, Behaviour, RegExp, boolean]>([
      ['an empty body', sends(200, ''), /its body is empty/, true],
      ['a body that is cut', sends(200, JSON.stringify(completion('Crabs.')).slice(0, 80)), /not JSON/, true],
      ['a body of text', sends(200, 'OK', { 'content-type': 'text/plain' }), /not JSON/, true],
      ['a web page', sends(200, '<html>x</html>', HTML), /web page/, false],
      ['a list', sendsJson([1]), /no JSON object/, true],
      ['no choices', sendsJson({ choices: [] }), /no choice/, true],
      ['choices that are no list', sendsJson({ choices: 'x' }), /no choice/, true],
      ['a choice of null', sendsJson({ choices: [null] }), /no choice/, true],
      ['no message', sendsJson({ choices: [{ finish_reason: 'stop' }] }), /no message/, true],
      ['a number for content', withChoice({ message: { content: 4 } }), /no text/, true],
      ['no content at all (204)', sends(204, ''), /no body/, true],
    ])('fails by name with %s', async (_name, behaviour, message, retryable) => {
      const failure = await failureOf(ask(behaviour));
      expect(failure.message).toMatch(message);
      expect(failure.retryable).toBe(retryable);
      expect(['malformed-response', 'bad-request']).toContain(failure.kind);
    });

    it('is not read beyond its bound', async () => {
      const long = sendsJson(completion('x'.repeat(200_000)));
      const failure = await failureOf(ask(long, { maxResponseBytes: 100_000 }));
      expect(failure).toMatchObject({ kind: 'malformed-response', retryable: false });
      expect(failure.message).toContain('100000 bytes');
    });
  });

  describe('An answer in a stream', () => {
    it('lets its listener hear no thinking', async () => {
      const pieces = ['<thi', 'nk>\nhm', 'm</th', 'ink>\n\n', 'Cra', 'bs <think> stays'];
      expect(await askStream(answers(pieces.join(''), { pieces, reasoning: 'Beside.' }))).toMatchObject({
        text: pieces.join(''),
        heard: 'Crabs <think> stays',
      });
    });

    it.each([
      ['before its end', streams([CUT_SHORT]), 'malformed-response'],
      ['before it began', streams([]), 'malformed-response'],
      ['and is [DONE] at once', streams(['[DONE]']), 'malformed-response'],
      ['in an event', streams([CUT_SHORT, '{"choi']), 'malformed-response'],
      ['with its connection', tears([CUT_SHORT]), 'unreachable'],
    ])('is a failure where it is cut off %s', async (_where, behaviour, kind) => {
      expect(await failureOf(askStream(behaviour))).toMatchObject({ kind, retryable: true });
    });

    it.each<[string, unknown[], string]>([
      ['an error', [CUT_SHORT, { error: { message: 'No', type: 'overloaded_error' } }], 'overloaded'],
      ['an error with a status', [CUT_SHORT, { error: { message: 'Slow down', code: 429 } }], 'rate-limited'],
      ['an error of one word', [{ error: 'boom' }], 'server-error'],
      [
        'an error in a choice',
        [{ choices: [{ delta: {}, error: { message: 'x', code: 502 } }] }],
        'server-error',
      ],
      ['an end that is an error', [CUT_SHORT, delta('', 'error')], 'server-error'],
      ['an end for want of resources', [CUT_SHORT, delta('', 'insufficient_system_resource')], 'overloaded'],
      ['something else than JSON', [CUT_SHORT, 'nonsense'], 'malformed-response'],
      ['a number', [4], 'malformed-response'],
      ['a delta of text', [{ choices: [{ delta: 'Cra' }] }], 'malformed-response'],
      ['a delta with a number', [delta(4)], 'malformed-response'],
    ])('fails by name with %s in it', async (_name, sent, kind) => {
      expect(await failureOf(askStream(streams([...sent, '[DONE]'])))).toMatchObject({
        kind,
        retryable: true,
      });
    });

    it('is not read beyond its bound', async () => {
      const long = streams([delta('x'.repeat(200_000))]);
      expect(await failureOf(askStream(long, { maxResponseBytes: 100_000 }))).toMatchObject({
        kind: 'malformed-response',
        retryable: false,
      });
    });
  });

  describe('Time', () => {
    it('is limited for an answer', async () => {
      const failure = await failureOf(ask(hangs(), { timeoutMs: 60 }));
      expect(failure).toMatchObject({ kind: 'timeout', retryable: true });
      expect(failure.message).toContain('within 60 ms');
    });

    it.each([
      ['a body', 200, '{"choices":'],
      ['the body of an error', 500, '{"error":'],
    ])('is limited for %s that never ends', async (_what, status, beginning) => {
      const endless: Behaviour = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.write(beginning);
      };
      expect(await failureOf(ask(endless, { timeoutMs: 60 }))).toMatchObject({ kind: 'timeout' });
    });

    it('does not count while the server is busy with other calls', async () => {
      const freeAt = performance.now() + 300;
      let begun = 0;
      const turn = {
        get since() {
          return Math.min(performance.now(), freeAt);
        },
        begun: () => void (begun += 1),
        answered: () => undefined,
      };
      const busy: Behaviour = async (request, response) => {
        await new Promise((resolve) => setTimeout(resolve, freeAt - performance.now()));
        await answers('Crabs.')(request, response);
      };
      const response = await withServer([busy], (server) =>
        clientOf(server, { timeoutMs: 200, firstByteMs: 200 }).ask(REQUEST, null, { signal: NEVER, turn }),
      );
      expect(response.text).toBe('Crabs.');
      expect(begun).toBeGreaterThan(0);
    });

    it('is limited for a stream that has gone silent', async () => {
      for (const silent of [goesSilent([]), goesSilent([delta('Cra')])]) {
        const failure = await failureOf(askStream(silent, { inactivityMs: 60, firstByteMs: 60 }));
        expect(failure).toMatchObject({ kind: 'timeout', retryable: true });
        expect(failure.message).toContain('60 ms');
      }
    });
  });

  describe('Cancellation', () => {
    class Reason extends Error {}

    it('before a call makes none, and passes untouched', async () => {
      await withServer([], async (server) => {
        const reason = new Reason('enough');
        const signal = AbortSignal.abort(reason);
        await expect(clientOf(server).ask(REQUEST, null, { signal })).rejects.toBe(reason);
        await expect(clientOf(server).listModels(signal)).rejects.toBe(reason);
        expect(server.requests).toHaveLength(0);
      });
    });

    it.each<[string, Behaviour]>([
      ['while the server thinks', hangs()],
      ['in the middle of a stream', goesSilent([delta('Cra')])],
      ['in the middle of an error', (_request, response) => void response.writeHead(500).write('{')],
    ])('%s ends the request, and passes untouched', async (_name, behaviour) => {
      const reason = new Reason('enough');
      const controller = new AbortController();
      const script = (): Behaviour => async (request, response) => {
        await behaviour(request, response);
        // The client has what was sent before it hears of the cancellation, or has not: either is fine.
        setImmediate(() => controller.abort(reason));
      };
      await withServer(script, async (server) => {
        const { signal } = controller;
        const call = clientOf(server).ask(REQUEST, null, { signal, onText: () => undefined });
        await expect(call).rejects.toBe(reason);
        await server.asked[0]?.closed;
      });
    });

    it('by what the listener throws ends the request, and passes untouched', async () => {
      const reason = new Reason('no more');
      await withServer([goesSilent([delta('Cra')])], async (server) => {
        const onText = (): void => {
          throw reason;
        };
        const call = clientOf(server).ask(REQUEST, null, { signal: NEVER, onText });
        await expect(call).rejects.toBe(reason);
        await server.asked[0]?.closed;
      });
    });
  });
});

describe('The time that an endpoint asks to wait', () => {
  const NOW = Date.UTC(2026, 0, 5, 12, 0, 0);

  function wait(headers: Record<string, string>): number | null {
    return retryAfterMs(new Headers(headers), NOW);
  }

  /** So many requests until their reset, and a hundred tokens until theirs, in two seconds. */
  const left = (requests: string, reset: string): Record<string, string> => ({
    'x-ratelimit-remaining-requests': requests,
    'x-ratelimit-reset-requests': reset,
    'x-ratelimit-remaining-tokens': '100',
    'x-ratelimit-reset-tokens': '2s',
  });

  it.each<[string, Record<string, string>, number | null]>([
    ['milliseconds', { 'retry-after-ms': '1500' }, 1500],
    ['seconds', { 'retry-after': '12' }, 12_000],
    ['a day', { 'retry-after': '86400' }, 86_400_000],
    ['too long', { 'retry-after': '8640000' }, 604_800_000],
    ['a date', { 'retry-after': 'Mon, 05 Jan 2026 12:00:30 GMT' }, 30_000],
    [
      'a date by the server’s own clock',
      { date: 'Mon, 05 Jan 2026 13:00:00 GMT', 'retry-after': 'Mon, 05 Jan 2026 13:00:05 GMT' },
      5_000,
    ],
    ['a reset in milliseconds', { 'x-ratelimit-reset-tokens': '20ms' }, 20],
    ['a reset at a date', { 'x-ratelimit-reset': '2026-01-05T12:00:03Z' }, 3_000],
    ['the reset of what is used up', left('0', '40s'), 40_000],
    ['the reset of tokens, where neither is quite used up', left('3', '8h0m'), 2_000],
    ['nothing', {}, null],
    ['a number without end', { 'retry-after': '9'.repeat(400) }, null],
    ['no number', { 'retry-after-ms': 'NaN', 'x-ratelimit-reset': '' }, null],
  ])('may be %s', (_name, headers, expected) => {
    expect(wait(headers)).toBe(expected);
  });

  it.each([
    ['Rate limit reached. Please try again in 6.2s.', 6_200],
    ['please retry after 1m5s', 65_000],
    ['Please retry after 26 seconds.', 26_000],
    ['Your quota will reset after 3h20m.', 12_000_000],
    ['try again in 5 minutes', 300_000],
    ['retrydelay: 34.07s', 34_070],
    ['retry_after: 12', 12_000],
    ['quotaid: GenerateRequestsPerDayPerProjectPerModel-FreeTier retrydelay: 34s', 72_000_000],
    ['Limit resets at 2026-01-05T20:00:00Z', 28_800_000],
    ['try again in a moment', null],
    ['', null],
  ])('may stand in a sentence: %s', (text, expected) => {
    expect(retryAfterInText(text, NOW)).toBe(expected);
  });
});
