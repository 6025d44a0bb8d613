import { failedSentence } from '../../../src/contracts/run-status';
import { getFailureNotes } from '../../../src/engines/engine';
import { extractFindings } from '../../../src/steps/extract-findings';
import { writeText, type WriteTextInput } from '../../../src/steps/write-text';
import { answers, answersJson, refuses } from '../../model-server/behaviours';
import type { Behaviour } from '../../model-server/model-server';
import { closeEngines, context, engineAgainst, promptText } from './engine-under-test';
import { CONTENT, extractInput, QUESTION, QUOTES, sourceWindow } from './material';

afterEach(closeEngines);

const textInput: WriteTextInput = {
  question: QUESTION,
  sources: Object.keys(CONTENT).map((id) => sourceWindow(id)),
  plan: { sections: [], isGiven: false },
  conflicts: [],
  gaps: [],
  works: [],
  targetWords: 500,
  form: { kind: 'whole' },
};

const filtered = refuses(400, { code: 'content_filter', message: 'The prompt was filtered.' });
const TITLE = CONTENT['study-c']?.title ?? '';

describe('why a step of a model gave nothing', () => {
  const CASES: [string, Behaviour, string][] = [
    ['empty', answers(''), 'answer was empty'],
    ['thinking', answers('', { finishReason: 'length' }), 'all tokens of its answer on thinking'],
    ['filtered', filtered, 'content filter refused the material'],
  ];

  test.each(CASES)('%s, of findings and of a text', async (reason, behaviour, clause) => {
    const { engine } = await engineAgainst(() => behaviour);
    const failures = [
      await engine.run(extractFindings, extractInput(), context()).catch((error: unknown) => error),
      await engine.run(writeText, textInput, context()).catch((error: unknown) => error),
    ];
    for (const failure of failures) {
      const failed = getFailureNotes(failure)?.failed;
      expect(failed).toMatchObject({ reason, model: 'large' });
      if (failed !== undefined)
        expect(failedSentence(failed, 'the work', 1, 'Sources are quoted instead.')).toContain(clause);
    }
  });

  test.each([
    ['not-json', answers('I cannot help with that.'), 'its answer was not JSON'],
    ['off-schema', answersJson({ claims: [] }), 'its answer had no list “findings”'],
    ['cut-off', answers('{"findings": [{"claim": "It', { finishReason: 'length' }), 'its answer was cut off'],
    [
      'unsupported',
      answersJson({
        findings: [
          {
            claim: 'Tea is hot.',
            evidence: [{ source: 'S1', quote: 'Tea is very hot in summer' }],
            confidence: 0.5,
          },
        ],
      }),
      'nothing of its answer was found in the sources',
    ],
  ])('%s, of findings', async (reason, behaviour, clause) => {
    const { engine } = await engineAgainst(() => behaviour);
    const run = engine.run(extractFindings, extractInput(['study-a']), context());
    const failed = getFailureNotes(await run.catch((error: unknown) => error))?.failed;
    expect(failed).toMatchObject({ step: 'extract-findings', reason });
    if (failed !== undefined) {
      const sentence = failedSentence(failed, 'the work', 1, '');
      expect(sentence).toContain(`The model large gave no usable answer for the work: ${clause}`);
      expect(JSON.stringify(failed)).not.toMatch(/Tea|cannot help|claims/);
    }
  });

  test('a text that cites nothing', async () => {
    const { engine } = await engineAgainst(() => answers('Density rose.'));
    const error: unknown = await engine.run(writeText, textInput, context()).catch((one: unknown) => one);
    expect(getFailureNotes(error)?.failed).toEqual({ step: 'write-text', model: 'large', reason: 'uncited' });
  });

  test('answers are counted, and a long title is shortened', () => {
    const of = { step: 'write-text', model: 'm', reason: 'empty' as const };
    expect(failedSentence(of, 'the text', 2, 'Sources are quoted instead.')).toBe(
      'The model m gave no usable text for the text: its 2 answers were empty. Sources are quoted instead.',
    );
    const sources = ['One', 'Two', 'Three', 'x'.repeat(500), 'Five'].map((title) => ({ id: title, title }));
    const told = (count: number): string =>
      failedSentence({ ...of, reason: 'filtered', sources: sources.slice(0, count) }, 'it', 1, '');
    expect(told(1)).toContain('refused the source “One”.');
    expect(told(5)).toContain('refused the sources “One”, “Two”, “Three” and 2 more.');
    expect(told(4).length).toBeLessThan(200);
  });
});

describe('a source that the content filter refuses', () => {
  const refusing = (word: string, stopping = false) =>
    engineAgainst((request) => {
      if (!promptText(request).includes(word)) return answers('Density rose [S1]. It differed [S2].');
      return stopping ? answers('', { finishReason: 'content_filter' }) : filtered;
    });

  test.each([
    ['with an error', false],
    ['by ending an answer', true],
  ])('%s is found by halves, left out of a text and named', async (_name, stopping) => {
    const { engine, server } = await refusing(QUOTES.c, stopping);
    const { output, warnings } = await engine.run(writeText, textInput, context());
    expect(output.markdown).toBe('Density rose [@study-a]. It differed [@study-b].');
    expect(warnings).toEqual([
      {
        code: 'source-refused',
        message: `The endpoint’s content filter refused the source “${TITLE}”. It is left out.`,
        fallback: { step: 'write-text', reason: 'filtered', sourceIds: ['study-c'] },
      },
    ]);
    // All, both halves of it, the two of the refused half, and the text.
    expect(server.asked).toHaveLength(6);
    expect(promptText(server.asked.at(-1))).not.toContain(TITLE);

    const again = await engine.run(writeText, { ...textInput, targetWords: 600 }, context());
    expect(server.asked).toHaveLength(7);
    expect(again.warnings).toEqual(warnings);
  });

  test('citations keep to the labels of the prompt without it', async () => {
    const { engine } = await refusing(QUOTES.a);
    const { output } = await engine.run(writeText, textInput, context());
    expect(output.markdown).toBe('Density rose [@study-b]. It differed [@study-c].');
  });

  test('an earlier step’s is left out of a text of the run at once, and of no other run', async () => {
    const { engine, server } = await engineAgainst((request) => {
      const prompt = promptText(request);
      if (prompt.includes(QUOTES.c)) return filtered;
      if (request.body?.['response_format'] === undefined) return answers('Density rose [S1].');
      return answersJson({
        findings: [{ claim: QUOTES.a, evidence: [{ source: 'S1', quote: QUOTES.a }], confidence: 0.7 }],
      });
    });
    const { warnings } = await engine.run(extractFindings, extractInput(), context());
    expect(warnings.find(({ code }) => code === 'source-refused')).toMatchObject({
      message: expect.stringContaining(TITLE) as string,
      fallback: { step: 'extract-findings', reason: 'filtered', sourceIds: ['study-c'] },
    });
    const before = server.asked.length;
    const text = await engine.run(writeText, textInput, context());
    expect(server.asked).toHaveLength(before + 1);
    expect(text.warnings).toMatchObject([{ code: 'source-refused' }]);
    await engine.run(writeText, textInput, context({ runId: 'run-2' }));
    expect(server.asked.length).toBeGreaterThan(before + 2);
  });

  test('a question that is refused is blamed on no source', async () => {
    const { engine, server } = await refusing(QUESTION);
    const error: unknown = await engine.run(writeText, textInput, context()).catch((one: unknown) => one);
    expect(error).toMatchObject({ name: 'ModelFailure', kind: 'content-filter' });
    expect(getFailureNotes(error)?.failed).toEqual({
      step: 'write-text',
      model: 'large',
      reason: 'filtered',
    });
    expect(server.asked.length).toBeLessThan(12);
  });
});
