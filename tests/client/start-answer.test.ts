import {
  type AnswerRequest,
  InvalidRequestError,
  RunClosedError,
  RunDiffersError,
  toAgentState,
} from '../../src/client';
import { Answer } from '../../src/contracts/answer';
import { createExtractiveEngine } from '../../src/engines/extractive/module';
import type { ColligateWorker } from '../../src/worker';
import { refusal } from '../support/refusal';
import { openRunBench, type RunBench } from '../support/run-bench';
import { startTestServer, type TestServer } from '../support/temporal-server';
import { until } from '../support/until';

const QUESTION = 'What does DAIL-SQL use?';
const OBSERVATIONS = [
  'DAIL-SQL uses example-based learning with carefully selected demonstrations.',
  'On the Spider benchmark DAIL-SQL reaches an execution accuracy of 86.6 percent.',
];
/** A word of theirs that is in no question. */
const THEIR_WORD = 'demonstrations';

let server: TestServer;
let bench: RunBench;

beforeAll(async () => {
  server = await startTestServer();
  bench = await openRunBench({ server });
});
afterAll(async () => {
  await bench.close();
});

const startWorker = (): Promise<ColligateWorker> =>
  bench.startWorker({ extractive: createExtractiveEngine(bench) });

async function withWorker<Result>(work: () => Promise<Result>): Promise<Result> {
  const worker = await startWorker();
  try {
    return await work();
  } finally {
    await worker.drain();
  }
}

/** What the server keeps of a request, event by event, with what its payloads say. */
async function historyOf(requestId: string): Promise<string[]> {
  const { events } = await bench.client.workflow.getHandle(requestId).fetchHistory();
  return (events ?? []).map((event) => {
    const text = JSON.stringify(event);
    const payloads = [...text.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString('utf8'),
    );
    return [text, ...payloads].join('\n');
  });
}

describe('answering', () => {
  it('resolves with the reply, of which the history has no more than references and the reply itself', async () => {
    await withWorker(async () => {
      const corpus = await bench.colligate.openCorpus({
        records: [
          { title: 'A note', content: `Walking in the evening helps. Nothing here of ${THEIR_WORD}.` },
        ],
      });
      const answer = await bench.colligate.answer({
        question: 'Does walking in the evening help?',
        requestId: 'walking',
        corpus,
        observations: [`It is said to be good. Nobody told of ${THEIR_WORD}.`],
        messages: [{ role: 'human', content: `What was said of ${THEIR_WORD}?` }],
        history: [{ role: 'ai', content: `Ask me about ${THEIR_WORD}.` }],
        finalOutput: `It helps, as do ${THEIR_WORD}.`,
      });
      expect(Answer.parse(answer)).toMatchObject({ requestId: 'walking', outcome: 'answered' });
      const history = await historyOf('walking');
      expect(history.some((event) => event.includes(corpus.manifestRef))).toBe(true);
      const others = history.filter((event) => !event.includes('"requestId":"walking"'));
      expect(others.length).toBeLessThan(history.length);
      expect(others.filter((event) => event.includes(THEIR_WORD))).toEqual([]);
      expect(await bench.colligate.answerOf('walking').answer()).toEqual(answer);
    });
  });

  it('takes messages, whose first human one is the question, and maps its reply to document 001', async () => {
    await withWorker(async () => {
      const messages = [
        { role: 'system', content: 'Be brief.' },
        { role: 'human', content: QUESTION },
      ] as const;
      const answer = await bench.colligate.answer({ messages, observations: OBSERVATIONS });
      expect(answer).toMatchObject({ question: QUESTION, outcome: 'answered', evidenceConfidence: 0.8 });
      expect(toAgentState(answer, messages)).toMatchObject({
        messages: [...messages, { role: 'ai', content: answer.answer }],
        final_answer: answer.answer,
        confidence_score: 0.8,
        last_agent: 'synthesis',
        next_agent: 'END',
      });
    });
  });

  it('reports all that is wrong with a request at once, and starts nothing', async () => {
    const corpus = { manifestRef: 'here', count: 0 };
    const wrong: AnswerRequest[] = [
      {
        question: ' ',
        requestId: 'a\nb',
        corpus,
        sources: { paths: [] },
        documents: [],
        asOf: 'soon',
        answers: { maxAttempts: 0 },
        engine: 'openai',
      },
      { messages: [{ role: 'ai', content: 'Hello.' }] },
      {},
    ];
    const problems = await Promise.all(
      wrong.map(async (request) => {
        return (await refusal(bench.colligate.answer(request), InvalidRequestError)).problems;
      }),
    );
    expect(problems).toEqual([
      [
        'question is empty: it must ask something',
        'models are missing: the openai engine needs one for each role',
        'asOf is "soon"; an ISO 8601 time is allowed',
        'requestId is "a\\nb": an id has 1–255 characters, none of them a control or invisible one, and no white space at its ends',
        'sources and corpus are both given: give one of them, or open a corpus of both',
        'documents and corpus are both given: give one of them, or open a corpus of both',
        'sources has no path; at least one is needed',
        'corpus has no source; at least one is needed',
        'corpus.manifestRef is "here": an artifact reference is a SHA-256 in hexadecimal',
        'answers.maxAttempts is 0; allowed: a whole number from 1 to 10',
      ],
      ['messages has no human message, whose content would be the question: add one, or give a question'],
      ['question is missing: give a question, or messages with a human one'],
    ]);
  });

  it('waits over a restart of the server, and while no worker is there', async () => {
    const waiting = bench.colligate.answer({
      question: QUESTION,
      requestId: 'patient',
      observations: OBSERVATIONS,
    });
    const asked = bench.colligate.answerOf('patient');
    await until(() => asked.progress({ fromRecords: true }).catch(() => null));
    await server.restart();
    const worker = await startWorker();
    try {
      expect(await waiting).toMatchObject({ requestId: 'patient', outcome: 'answered' });
    } finally {
      await worker.drain();
    }
  });

  it('an abort ends the waiting alone', async () => {
    const enough = new AbortController();
    const waiting = bench.colligate.answer(
      { question: QUESTION, requestId: 'left', observations: OBSERVATIONS },
      { signal: enough.signal },
    );
    const request = bench.colligate.answerOf('left');
    await until(() => request.progress({ fromRecords: true }).catch(() => null));
    enough.abort(new Error('No time.'));
    await expect(waiting).rejects.toThrow('No time.');
    expect(await withWorker(() => request.answer())).toMatchObject({ outcome: 'answered' });
  });
});

describe('starting', () => {
  it('joins a request that is being answered, and refuses one about something else, and an ended one', async () => {
    const request = { question: QUESTION, requestId: 'once', observations: OBSERVATIONS };
    const first = await bench.colligate.startAnswer(request);
    expect(first).toMatchObject({ attached: false, sources: 0, warnings: [] });
    const second = await bench.colligate.startAnswer(request);
    expect(second).toMatchObject({ attached: true, sources: null });
    await expect(bench.colligate.startAnswer({ ...request, question: 'Why?' })).rejects.toThrow(
      RunDiffersError,
    );
    await withWorker(async () => {
      const reply = await until(() => first.request.reply());
      expect(await second.request.answer()).toEqual(reply);
      expect(await first.request.waitUntilClosed()).toMatchObject({ status: 'completed' });
      expect(await first.request.reply()).toEqual(reply);
      await expect(bench.colligate.startAnswer(request)).rejects.toThrow(RunClosedError);
      const again = await bench.colligate.answer({ ...request, again: true, question: `${QUESTION} Why?` });
      expect(again.question).toBe(`${QUESTION} Why?`);
      expect((await bench.colligate.answerOf('once').reply())?.question).toBe(again.question);
    });
  });
});

it('a corpus is stored once for many questions; statistics count every kept answer', async () => {
  await withWorker(async () => {
    const before = await bench.colligate.statistics();
    const corpus = await bench.colligate.openCorpus({
      records: OBSERVATIONS.map((content, at) => ({ title: `Note ${at}`, content })),
    });
    await bench.colligate.answer({ corpus, question: QUESTION });
    await bench.colligate.answer({ corpus, question: 'How accurate is it on Spider?' });
    expect((await bench.colligate.corpus(corpus.manifestRef)).sources.map(({ title }) => title)).toEqual([
      'Note 0',
      'Note 1',
    ]);
    expect((await bench.colligate.statistics()).answers).toBe(before.answers + 2);
  });
});
