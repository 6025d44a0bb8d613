import type { ModelResponse } from '../../../src/engines/model/port';
import { sends, sendsJson, streams } from '../../model-server/behaviours';
import type { Behaviour } from '../../model-server/model-server';
import { clientOf, failureOf, NEVER, REQUEST, withServer } from './asking';

/** The forms that answers come in beyond OpenAI's own. */

const EVENTS = { 'content-type': 'text/event-stream' };

function ask(behaviour: Behaviour): Promise<ModelResponse> {
  return withServer([behaviour], (server) => clientOf(server).ask(REQUEST, null, { signal: NEVER }));
}

const chunk = (delta: Record<string, unknown>, finish: string | null = null): string =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] });

const CRABS = chunk({ content: 'Crabs é.' });
const STOP = chunk({}, 'stop');

describe('a stream', () => {
  it.each<[string, string]>([
    ['without blank lines', `data: ${CRABS}\ndata: ${STOP}\ndata: [DONE]\n`],
    ['without a last line’s end', `data: ${CRABS}\n\ndata: ${STOP}`],
    ['with carriage returns', `data: ${CRABS}\r\rdata: ${STOP}\r\r`],
    ['with comments', `: OPENROUTER PROCESSING\n\ndata: ${CRABS}\n\n:\n\ndata: ${STOP}\n\n`],
    ['with comments as data', `data: : keepalive\n\ndata: ${CRABS}\n\ndata: : OPENROUTER\ndata: ${STOP}\n\n`],
    ['with empty data', `data:\n\ndata: \n\ndata:${CRABS}\n\ndata:${STOP}\n\n`],
    ['with other fields', `id: 1\nevent: message\nretry: 10\ndata: ${CRABS}\n\ndata: ${STOP}\n\n`],
    ['that ends by [DONE] alone', `data: ${CRABS}\n\ndata: [DONE]\n\n`],
    ['with an error’s name on no event', `event: ping\ndata: {}\n\ndata: ${CRABS}\n\ndata: ${STOP}\n\n`],
  ])('may be one %s', async (_name, body) => {
    expect((await ask(sends(200, body, EVENTS))).text).toBe('Crabs é.');
    // In pieces of 5 bytes, which cut characters and line ends.
    const pieces: Behaviour = async (_request, response) => {
      response.writeHead(200, EVENTS);
      const bytes = Buffer.from(body);
      for (let at = 0; at < bytes.length; at += 5) {
        await new Promise((resolve) => response.write(bytes.subarray(at, at + 5), resolve));
      }
      response.end();
    };
    expect((await ask(pieces)).text).toBe('Crabs é.');
  });

  it('may repeat itself while the model thinks', async () => {
    const thinking =
      'The sources on crabs have to be read with care, one behind the other, before the answer. ';
    const pieces = ['<think>', ...Array<string>(6).fill(thinking), '</think>', 'Crabs.'];
    const { text, finishReason } = await ask(streams([...pieces.map((content) => chunk({ content })), STOP]));
    expect(text).toMatch(/Crabs\.$/);
    expect(finishReason).toBe('stop');
    const endless = ['<think>', ...Array<string>(60).fill(thinking)].map((content) => chunk({ content }));
    expect(await ask(streams([...endless, STOP]))).toMatchObject({ interrupted: 'repetition' });
    const loud = Array<string>(6)
      .fill(thinking)
      .map((content) => chunk({ content }));
    expect(await ask(streams([...loud, STOP]))).toMatchObject({ interrupted: 'repetition' });
  });

  it('ends at [DONE], though the connection stays open', async () => {
    const open: Behaviour = (_request, response) => {
      response.writeHead(200, EVENTS);
      response.write(`data: ${CRABS}\n\ndata: [DONE]\n\n`);
    };
    expect((await ask(open)).text).toBe('Crabs é.');
  });

  it('may be one JSON object', async () => {
    const whole = JSON.stringify({ choices: [{ message: { content: 'Crabs.' }, finish_reason: 'stop' }] });
    expect((await ask(sends(200, whole, EVENTS))).text).toBe('Crabs.');
    const plain = { 'content-type': 'text/plain' };
    expect((await ask(sends(200, `data: ${CRABS}\n\ndata: ${STOP}\n\n`, plain))).text).toBe('Crabs é.');
  });

  it.each<[string, string]>([
    ['an event of that name', `event: error\ndata: {"message":"Too many requests","code":429}\n\n`],
    ['an event of words', `data: ${CRABS}\n\nevent: error\ndata: Too many requests\n\n`],
    ['a body', '{"error":{"message":"Too many requests","code":"429"}}'],
    ['a message alone', 'data: {"code":429,"message":"rate limit"}\n\n'],
  ])('may be an error, in %s', async (_name, body) => {
    expect(await failureOf(ask(sends(200, body, EVENTS)))).toMatchObject({ kind: 'rate-limited' });
  });
});

describe('an answer', () => {
  const whole = (message: unknown, finish_reason: unknown = 'stop', rest = {}): Behaviour =>
    sendsJson({ choices: [{ index: 0, finish_reason, message, ...rest }], ...rest });

  it.each<[string, Behaviour]>([
    [
      'reasoning details',
      whole({ content: '', reasoning_details: [{ type: 'reasoning.text', text: 'Crabs.' }] }),
    ],
    ['a reasoning object', whole({ content: null, reasoning_content: { text: 'Crabs.' } })],
    [
      'a function call',
      whole({ content: null, function_call: { name: 'x', arguments: 'Crabs.' } }, 'function_call'),
    ],
    ['a part of text', whole({ content: { type: 'text', text: 'Crabs.' } })],
    [
      'pieces of a function call',
      streams([
        chunk({ function_call: { name: 'x', arguments: 'Cra' } }),
        chunk({ function_call: { arguments: 'bs.' } }),
        chunk({}, 'function_call'),
      ]),
    ],
    [
      'parts of thinking beside text',
      streams([
        chunk({
          content: [
            { type: 'thinking', thinking: [] },
            { type: 'text', text: 'Crabs.' },
          ],
        }),
        STOP,
      ]),
    ],
  ])('may be %s', async (_name, behaviour) => {
    expect((await ask(behaviour)).text).toBe('Crabs.');
  });

  it('of arguments that are an object is their JSON', async () => {
    const calls = [{ function: { name: 'x', arguments: { title: 'Tides' } } }];
    expect((await ask(whole({ content: '', tool_calls: calls }, 'tool_calls'))).text).toBe(
      '{"title":"Tides"}',
    );
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_output_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
    ['content_filter: SAFETY', 'content-filter'],
    ['guardrail_intervened', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
  ])('ends as %s, which is %s', async (reason, expected) => {
    expect((await ask(whole({ content: 'Crabs.' }, reason))).finishReason).toBe(expected);
  });

  it.each([
    ['of nothing', { usage: { prompt_tokens: 0, completion_tokens: 0 } }, null],
    [
      'in its choice',
      { usage: { prompt_tokens: 4, completion_tokens: 2 } },
      { inputTokens: 4, outputTokens: 2 },
    ],
  ])('may have usage %s', async (_name, rest, expected) => {
    expect((await ask(whole({ content: 'Crabs.' }, 'stop', rest))).usage).toEqual(expected);
  });
});
