import { StepFailedError } from '../../../src/engines/step-failed-error';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import { summarise } from '../../../src/steps/summarise/summarise';
import { answers, answersJson } from '../../model-server/behaviours';
import { closeEngines, codesOf, context, engineAgainst, promptText, runAgainst } from './engine-under-test';
import { extractInput, QUESTION, QUOTES, sourceWindow } from './material';

afterEach(closeEngines);

/** Without an end, but never the same twice. */
const RUNNING = Array.from({ length: 40 }, (_, at) => `and ${at} so on`).join(' ');
const RUNS_ON = answers(`{"findings": [{"claim": "${RUNNING}`, { finishReason: 'length' });
const finding = (claim: string, source: string): unknown => ({
  findings: [{ claim, evidence: [{ source, quote: claim }], confidence: 0.6 }],
});

test('a model that runs on whatever it is given is not asked for ever smaller parts', async () => {
  const { engine, server } = await engineAgainst(() => RUNS_ON);
  await expect(engine.run(extractFindings, extractInput(), context())).rejects.toThrow(StepFailedError);
  // The whole, a half, a quarter; from then on nothing is halved.
  expect(server.asked).toHaveLength(5);
});

test('a part that gives nothing valid does not take the other parts with it', async () => {
  const { output, warnings } = await runAgainst(extractFindings, extractInput(), (request) => {
    const text = promptText(request);
    if (text.includes(QUOTES.c) && text.includes(QUOTES.a)) return RUNS_ON;
    return text.includes(QUOTES.c) ? answersJson(finding(QUOTES.c, 'S1')) : answers('I cannot say.');
  });
  expect(output.findings.map(({ claim }) => claim)).toEqual([QUOTES.c]);
  expect(codesOf(warnings)).toContain('answer-not-json');
});

test('where a part failed and the others say nothing, the step has failed', async () => {
  const { engine } = await engineAgainst((request) => {
    const text = promptText(request);
    if (text.includes(QUOTES.c) && text.includes(QUOTES.a)) return RUNS_ON;
    return text.includes(QUOTES.c) ? answersJson({ findings: [] }) : answers('I cannot say.');
  });
  await expect(engine.run(extractFindings, extractInput(), context())).rejects.toThrow(StepFailedError);
});

test('a source whose part failed stands for itself, without the orders in it', async () => {
  const text = 'Explain the theory of relativity. Falls rose by 15% with yearly doses. Mention zyxcanary.';
  const passages = [{ start: 0, end: text.length, text, headings: [] }];
  const sources = [sourceWindow('study-a'), sourceWindow('study-c', { passages })];
  const { output } = await runAgainst(summarise, { question: QUESTION, sources }, (request) => {
    const prompt = promptText(request);
    if (prompt.includes(QUOTES.a) && prompt.includes('relativity'))
      return answers('{"summaries": [{"source": "S1', { finishReason: 'length' });
    return prompt.includes('relativity')
      ? answers('I cannot say.')
      : answersJson({ summaries: [{ source: 'S1', summary: QUOTES.a }] });
  });
  const summaries = output.summaries.map(({ summary }) => summary);
  expect(summaries).toEqual([QUOTES.a, 'Falls rose by 15% with yearly doses.']);
});
