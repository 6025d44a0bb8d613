import { refuses, sends, sendsJson, streams } from '../../model-server/behaviours';
import type { Behaviour } from '../../model-server/model-server';
import type { ModelRequest } from '../../../src/engines/model/port/model-client';
import type { ModelFailure } from '../../../src/engines/model/port/model-failure';
import { clientOf, failureOf, KEY, NEVER, REQUEST, withServer } from './asking';

const SENT =
  'The CANARY-7731 harvest failed near Ludlow.\nNobody “counted the herrings” twice, said ZQX. ニシン.';

const CONFIDING: ModelRequest = {
  ...REQUEST,
  messages: [{ role: 'user', content: `Read this: ${SENT} And sum it up.` }],
};

const failureWith = (behaviour: Behaviour): Promise<ModelFailure> =>
  failureOf(
    withServer(
      () => behaviour,
      (server) => clientOf(server).ask(CONFIDING, null, { signal: NEVER, onText: () => undefined }),
    ),
  );

/** Everything of a failure that a log or a history could keep. */
async function told(behaviour: Behaviour): Promise<string> {
  const failure = await failureWith(behaviour);
  expect(failure.cause).toBeUndefined();
  return `${failure.message} ${failure.stack ?? ''} ${JSON.stringify(failure)}`;
}

describe('A failure', () => {
  it.each(
    Object.entries<string>({
      'the whole prompt': SENT,
      'the prompt as JSON': JSON.stringify({ role: 'user', content: SENT }),
      'the prompt as ASCII': JSON.stringify(SENT).replace(
        /[^ -~]/g,
        (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
      ),
      'the prompt in capitals': SENT.toUpperCase(),
      'a word of it': 'Invalid input: CANARY-7731',
      'a quotation of it': "Unexpected 'herrings' in the input",
      'the end of it': 'Stopped before ... said ZQX.',
      'a word as ASCII': "Unknown: '\\u30cb\\u30b7\\u30f3'",
    }),
  )('does not repeat %s', async (_name, echo) => {
    for (const behaviour of [
      refuses(400, { message: `Cannot take this: ${echo}` }),
      refuses(500, { message: echo }),
      sends(500, echo, { 'content-type': 'text/plain' }),
      sendsJson({ error: `Bad: ${echo}` }),
      sendsJson({ detail: [{ loc: ['body'], msg: `Value error, ${echo}`, input: { content: echo } }] }, 422),
      streams([{ error: { message: echo } }]),
    ]) {
      const text = (await told(behaviour)).toLowerCase();
      expect(text).not.toMatch(/canary|ludlow|herrings|counted|zqx|harvest|ニシン|\\u30/);
    }
  });

  it.each([
    `Incorrect API key provided: ${KEY}.`,
    `Incorrect API key provided: ${KEY.slice(0, 9)}***${KEY.slice(-4)}. You can find it elsewhere`,
    `Authorization: Bearer ${KEY} was refused`,
    `Bad header: ${Buffer.from(`user:${KEY}`).toString('base64')}`,
    `Key=${KEY.slice(5)} unknown`,
    `See https://gateway.example/v1?api_key=${KEY}&x=1`,
    'See http://me:pw81@gateway.example/v1?sig=S4mp1e#x81',
    'Another key: sk-proj-Zx81mmQpPq0aB71c',
    'Another key: AIzaSyD4q81mmQpPq0aB71cLL',
    'Another key: gsk_Zx81mmQpPq0aB71c',
  ])('has no key in it: %s', async (message) => {
    const text = await told(refuses(401, { message }));
    expect(text).not.toContain(KEY);
    const encoded = Buffer.from(`user:${KEY}`).toString('base64').slice(0, 12);
    for (const piece of [
      KEY.slice(-4),
      KEY.slice(5, 12),
      encoded,
      'Zx81mm',
      'pw81',
      'S4mp1e',
      'x81',
      'D4q81mm',
    ])
      expect(text).not.toContain(piece);
  });

  it('says what the endpoint says in one short line that a terminal can show', async () => {
    const message = `CUDA out of memory\u001b[31m\u0007\u202e on device 0.\n\n\tTry a smaller batch.${' More.'.repeat(500)}`;
    const failure = await failureWith(refuses(500, { message }));
    expect(failure.message).toContain('CUDA out of memory on device 0. Try a smaller batch. More.');
    expect(failure.message).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(failure.message.length).toBeLessThan(400);
  });

  it('shows a web page’s title and none of its rest', async () => {
    const page =
      '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx here</body></html>';
    const text = await told(sends(502, page, { 'content-type': 'text/html' }));
    expect(text).toContain('502 Bad Gateway');
    expect(text).not.toContain('nginx');
  });
});
