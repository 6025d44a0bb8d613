import { StepFailedError } from '../../../src/engines/step-failed-error';
import type { AnswerInput } from '../../../src/steps/answer/contract';
import type { JudgeInput } from '../../../src/steps/judge/contract';
import { BY_MODEL, idOf, OBSERVATIONS, says, textOf, TRUE_CLAIM } from '../../support/answer-script';
import { judgedAlike } from '../../support/report-script';
import { createScriptedEngine } from '../../support/scripted-engine';
import { openAnswerBench, type AnswerBench } from './answer-bench';

const QUESTION = 'What does DAIL-SQL use, and how accurate is it?';
const ACCURACY = 'On the Spider benchmark DAIL-SQL reaches an execution accuracy of 86.6 percent.';

let bench: AnswerBench;
beforeAll(async () => {
  bench = await openAnswerBench();
});
afterAll(() => bench.close());

/** Says how accurate it is only when it is told that something is lacking. */
const says86 = (input: AnswerInput) =>
  textOf([
    [TRUE_CLAIM, idOf(input, 'example-based')],
    ...(input.critique === undefined ? [] : ([[ACCURACY, idOf(input, 'Spider')]] as const)),
  ]);

function judging(judge: (input: JudgeInput) => unknown) {
  return createScriptedEngine({ ...says(says86), judge });
}

test('an answer that a judge does not pass is written anew with its reasons', async () => {
  bench.model = judging(({ document }) =>
    document.parts[0]?.markdown.includes('86.6') === true ? judgedAlike(5, []) : judgedAlike(2, ['answer']),
  );
  const asked = { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS, judge: {} };
  const reply = await bench.ask('judged', asked);
  expect(reply.judge).toMatchObject({ version: 2, passed: true });
  expect(reply.judge?.versions).toHaveLength(2);
  expect(reply.answer).toContain('86.6');
  expect(reply.diagnostics.attempts).toBe(2);
});

test('an answer that cannot be written anew stands as it was', async () => {
  const failing = (input: AnswerInput) => {
    if (input.critique === undefined) return says86(input);
    throw new StepFailedError('answer', [{ path: 'markdown', message: 'nothing of it can be used' }]);
  };
  bench.model = createScriptedEngine({ ...says(failing), judge: () => judgedAlike(2, ['answer']) });
  const asked = { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS, judge: {} };
  const reply = await bench.ask('unrevised', asked);
  expect(reply.judge).toMatchObject({ version: 1, passed: false });
  expect(reply.judge?.versions).toHaveLength(1);
  expect(reply.diagnostics).toMatchObject({ attempts: 1, failure: null });
});

test('an answer is not judged where nobody asks for it', async () => {
  bench.model = judging(() => judgedAlike(1, ['answer']));
  const reply = await bench.ask('unjudged', { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS });
  expect(reply.judge).toBeUndefined();
  expect(bench.model.calls.some(({ step }) => step === 'judge')).toBe(false);
});

test('an answer that no version of passed says so behind its text, and its versions are those of any run that wrote the same', async () => {
  const versions = [];
  for (const runId of ['unpassed-1', 'unpassed-2']) {
    bench.model = judging(() => judgedAlike(2, ['answer']));
    const asked = { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS, judge: { maxRevisions: 0 } };
    const reply = await bench.ask(runId, asked);
    expect(reply.judge).toMatchObject({ version: 1, passed: false });
    expect(reply.answer).toMatch(
      /\n\nThe judge did not pass this text: 2\.0 of 5, where 3\.5 would pass\.[^\n]*$/,
    );
    for (const { text, start, end } of reply.claims) expect(reply.answer.slice(start, end)).toBe(text);
    versions.push(reply.judge?.versions);
  }
  expect(versions[0]).toEqual(versions[1]);
});
