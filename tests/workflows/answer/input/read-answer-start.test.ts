import { AnswerStart } from '../../../../src/contracts/answer/answer-start';
import { readAnswerStart } from '../../../../src/workflows/answer/input/read-answer-start';

const RUN = { runId: 'request:1', startedAt: '2026-01-01T00:00:00.000Z' };
const ASKED = { question: 'Does it work?' };

it('fills in what an outsider leaves out, as the contract does, with two minutes of patience', () => {
  const { runId: _id, asOf: _asOf, ...filled } = AnswerStart.parse(ASKED);
  const outages = { patienceMs: 120_000, afterwards: 'fail' };
  const input = { ...filled, runId: RUN.runId, asOf: RUN.startedAt, outages };
  expect(readAnswerStart(ASKED, RUN)).toEqual({ input });
});

it.each<[string, object, { question: string; history: string[] }]>([
  ['a question', ASKED, { question: 'Does it work?', history: [] }],
  [
    'the first message of a human',
    {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Which?' },
        { role: 'ai', content: 'This.' },
        { role: 'human', content: 'Sure?' },
      ],
    },
    { question: 'Which?', history: ['Be brief.'] },
  ],
  [
    'a question behind messages',
    { ...ASKED, history: [{ role: 'human', content: '1' }], messages: [{ role: 'ai', content: '2' }] },
    { question: 'Does it work?', history: ['1', '2'] },
  ],
])('asks %s', (_name, given, { question, history }) => {
  expect(readAnswerStart(given, RUN)).toMatchObject({
    input: { question, history: history.map((content) => ({ content })) },
  });
});

it.each<[string, object, RegExp]>([
  ['nothing', {}, /^question is missing; allowed: a text that asks something, or messages/],
  ['an empty question', { question: ' ' }, /^question is " "; allowed: a text of 1 to 4,000/],
  ['no human', { messages: [{ role: 'ai', content: 'Hello.' }] }, /^question is missing/],
  ['a human who says nothing', { messages: [{ role: 'human', content: ' ' }] }, /^question is missing/],
  [
    'a human who says too much',
    { messages: [{ role: 'human', content: 'x'.repeat(4_001) }] },
    /^the first message of a human is "x+…" \(4,001 characters\); allowed: a text of 1 to 4,000/,
  ],
  ['a model without its name', { ...ASKED, engine: 'openai' }, /^models is missing/],
  ['a time that is none', { ...ASKED, asOf: 'soon' }, /^asOf is "soon"/],
  ['sources that are not counted', { ...ASKED, manifestRef: 'a'.repeat(64) }, /^sourceCount is 0/],
  ['a misspelt field', { ...ASKED, observation: [] }, /^observation is no field.*"observations" is meant/],
])('refuses %s', (_name, given, problem) => {
  const read = readAnswerStart(given, RUN);
  expect('problems' in read ? read.problems : []).toEqual([expect.stringMatching(problem)]);
});
