import { StepFailedError } from '../../../src/engines/engine';
import { answer } from '../../../src/steps/answer-question';
import { extractFindings } from '../../../src/steps/extract-findings';
import type { Step } from '../../../src/steps/step';
import { answers, refuses } from '../../model-server/behaviours';
import { describeWithInstructions } from '../../support/hidden-instructions';
import { closeEngines, codesOf, context, engineAgainst, promptText, runAgainst } from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT } from './material';
import { answerInput, passages } from './passages';
import { written } from './written-reply';

afterEach(closeEngines);

describe('replies', () => {
  const WOMEN = 'Bone mineral density rose by 2.1% in women who took vitamin D [1].';

  const OLDER = 'It increased by 1.9 % among 310 adults aged over 70 [2].';

  const FALLS = 'Yearly high-dose vitamin D led to 15% more falls than placebo [5].';

  const MISSING = 'I could not find anything on vitamin D and bones in children.';

  test.each([
    ['[1-3]', ['P1', 'P2', 'P3']],
    ['[1–3, 5]', ['P1', 'P2', 'P3', 'P5']],
    ['[1, 3]', ['P1', 'P3']],
    ['[1][2]', ['P1', 'P2']],
    ['[1] [2]', ['P1', 'P2']],
    ['[P1; P3]', ['P1', 'P3']],
    ['[1: p.5-6]', ['P1']],
    ['[passages 1 and 2]', ['P1', 'P2']],
    ['[1](https://evil.example)', ['P1']],
    ['[1-3](https://evil.example)', ['P1', 'P2', 'P3']],
    ['(passages 1 and 2)', ['P1', 'P2']],
  ])('%s cites %j', async (mark, ids) => {
    const { output } = await written([answers(`Vitamin D and bone mineral density were studied ${mark}.`)]);
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual([ids]);
    const cited = ids.map((id) => `@${id}`).join('; ');
    expect(output.markdown).toBe(`Vitamin D and bone mineral density were studied [${cited}].`);
  });

  test('the temperature and the limit are the input’s for this step, and 0 for what is to be exact', async () => {
    const sent = async <Input, Output>(
      step: Step<Input, Output>,
      input: Input,
      text: string,
    ): Promise<unknown> => (await runAgainst(step, input, [answers(text)])).server.asked[0]?.body;
    expect(await sent(answer, answerInput(), WOMEN)).toMatchObject({ temperature: 0.7, max_tokens: 400 });
    const synthesis = answerInput({ synthesisMode: true, maxTokens: 600 });
    expect(await sent(answer, synthesis, WOMEN)).toMatchObject({
      temperature: 0.7,
      max_tokens: 600,
    });
    const exact = await sent(extractFindings, FALLS_INPUT, JSON.stringify(FALLS_ANSWER));
    expect(exact).toMatchObject({ temperature: 0 });
  });

  test('a citation of an unknown passage is dropped with one warning', async () => {
    const unknown = 'High doses led to more falls [9].';
    const { output, warnings, server } = await written([answers(`${WOMEN}\n\n${unknown}`)]);
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual([['P1'], []]);
    expect(output.markdown).not.toContain('9]');
    expect(codesOf(warnings)).toEqual(['unknown-passage']);
    expect(server.asked).toHaveLength(1);
  });

  test('sentences that cite nothing stand for the audit to judge; an answer without any citation is refused', async () => {
    const prose = 'Bone mineral density rose in women. Men had no rise.';
    const { output } = await written([answers(`${prose}\n\n${FALLS}`)]);
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual([[], [], ['P5']]);
    await expect(written(() => answers(prose))).rejects.toThrow(StepFailedError);
  });

  test.each([
    ['in the line that is asked for', `${WOMEN}\n\nMissing: ${MISSING}`, MISSING],
    ['in bold', `${WOMEN}\n\n**Missing:** ${MISSING}`, MISSING],
    ['right below the text', `${WOMEN}\nMissing: ${MISSING}`, MISSING],
    ['as a list', `${WOMEN}\n\nMissing:\n- ${MISSING}`, MISSING],
  ])('what the passages do not say is told as missing, and is no claim: %s', async (_how, text, missing) => {
    const { output, warnings } = await written([answers(text)]);
    expect(output.missing).toBe(missing);
    expect(output.sentences).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test('what is missing keeps to the words of the question and the passages', async () => {
    const beyond = 'The harbour bridge opened with 99 fireworks above the quay.';
    const { output } = await written([answers(`${WOMEN}\n\nMissing: ${MISSING} ${beyond}`)]);
    expect(output.missing).toBe(MISSING);
  });

  test('an answer may be that there is none; that nothing was found is a result where it cites', async () => {
    const none = await written([answers(`Missing: ${MISSING}`)]);
    expect(none.output).toMatchObject({ markdown: '', sentences: [], missing: MISSING });

    const result = await written([answers('No evidence of a change in muscle strength was found [2].')]);
    expect(result.output).toMatchObject({ missing: null, sentences: [{ passageIds: ['P2'] }] });

    const full = await written([answers(`${WOMEN}\n\nMissing: nothing.`)]);
    expect(full.output.missing).toBeNull();
  });

  test('figures that no passage has stand for the audit to judge', async () => {
    const invented = 'Bone mineral density rose by 40% in women who took vitamin D [1].';
    const { output, warnings } = await written([answers(invented)]);
    expect(output.sentences.map(({ plain }) => plain)).toEqual([invented.replace(' [1]', '')]);
    expect(warnings).toEqual([]);
  });

  test('links, images, HTML and headings from nowhere never stand', async () => {
    const text = `### Zebras\n\n${WOMEN} See [this](https://evil.example) and ![x](https://evil.example/x).\n\n<b>${OLDER}</b>\n\n### Muscle strength [2]\n\n${FALLS}`;
    const { output, warnings } = await written([answers(text)]);
    expect(output.markdown).not.toMatch(/evil|Zebras|</);
    expect(output.markdown).toContain('\n\n### Muscle strength\n\n');
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual([['P1'], [], ['P2'], ['P5']]);
    expect(codesOf(warnings)).toEqual(['markdown-dropped']);
  });

  test('lines that lead to a list, bold names and numbered items are kept', async () => {
    const lead = 'Vitamin D and bone mineral density in adults:';
    const { output, warnings } = await written([
      answers(`${lead}\n\n- **Women:** ${WOMEN}\n- **Falls**: ${FALLS}\n\n1. ${OLDER}`),
    ]);
    expect(output.markdown).toBe(
      `${lead}\n\n- **Women:** ${WOMEN.replace('[1]', '[@P1]')}\n- **Falls**: ${FALLS.replace('[5]', '[@P5]')}\n\n1. ${OLDER.replace('[2]', '[@P2]')}`,
    );
    expect(output.sentences.map(({ plain }) => plain.slice(0, 6))).toEqual([
      'Vitami',
      'Women:',
      'Falls:',
      'It inc',
    ]);
    expect(warnings).toEqual([]);
  });

  test('an answer that is cut off keeps its whole sentences, and is not asked for again', async () => {
    const { output, warnings, server } = await written([
      answers(`${WOMEN} It increased by 1.9 % among 3`, { finishReason: 'length' }),
    ]);
    expect(output.sentences).toHaveLength(1);
    expect(output.markdown).not.toContain('1.9');
    expect(codesOf(warnings)).toEqual(['answer-cut-off']);
    expect(server.asked).toHaveLength(1);
  });

  test('too many passages: the best of them are asked about', async () => {
    const tooLong = refuses(400, { code: 'context_length_exceeded' });
    const { output, warnings, server } = await written((request) =>
      promptText(request).includes('15% more falls') ? tooLong : answers(WOMEN),
    );
    expect(server.asked).toHaveLength(2);
    expect(output.sentences).toHaveLength(1);
    expect(codesOf(warnings)).toEqual(['passages-left-out']);
  });

  test('numbers cite the passages of the prompt that was answered', async () => {
    const tooLong = refuses(400, { code: 'context_length_exceeded' });
    const [first, second, ...rest] = passages().map((passage, at) => ({ ...passage, score: at / 10 }));
    const all = [second, first, ...rest].flatMap((one) => one ?? []);
    const { output } = await written(
      (request) => (promptText(request).includes('800 IU') ? tooLong : answers(FALLS.replace('[5]', '[3]'))),
      answerInput({ passages: all }),
    );
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual([['P5']]);
  });

  test('an answer unrelated to the passages fails with its reason, which the next attempt gets', async () => {
    const poem = 'The harbour bridge opened with fireworks above the quay for the mayor of the town.';
    const { engine, server } = await engineAgainst((request) =>
      promptText(request).includes('could not be used') ? answers(WOMEN) : answers(poem),
    );
    const run = engine.run(answer, answerInput(), context());
    const failure: unknown = await run.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StepFailedError);
    expect(String(failure)).not.toContain('harbour');
    const { output } = await engine.run(answer, answerInput(), context({ turn: 1 }));
    expect(output.sentences).toHaveLength(1);
    // A model that thinks first may have spent the tokens of the first call on that.
    expect(server.asked.map(({ body }) => body?.['max_tokens'])).toEqual([400, 800]);
  });

  test('without passages nothing is asked', async () => {
    const { output, usage } = await written([], answerInput({ passages: [] }));
    expect(output.missing).toContain('could not find');
    expect(usage.calls).toBe(0);
  });

  test('a question about a passage that was shortened is held against the whole of it', async () => {
    const shortened = passages().map((passage) => ({ ...passage, compressed: 'Vitamin D, shortly …' }));
    const { output, server } = await written([answers(WOMEN)], answerInput({ passages: shortened }));
    expect(output.sentences).toHaveLength(1);
    expect(promptText(server.asked[0])).not.toContain('800 IU');
  });
});

describe('what a model thinks before it answers', () => {
  const NOTES = 'Women rose [1]; men did not [4].';

  test.each([
    ['in tags', `<think>${NOTES}</think>\n\n`, {}],
    ['beside the text', '', { reasoning: NOTES }],
  ])('never stands in the answer: %s', async (_how, before, parts) => {
    const ANSWER = `Vitamin D raised bone mineral density in women and in older adults [1, 3].

**Bone mineral density:** Several documents report a rise with vitamin D [1-3].

**Falls:** Yearly high-dose vitamin D led to 15% more falls than placebo [5].`;
    // In synthesis mode the passages of `women.pdf` are 1 and 2, those of `older-adults.pdf` 3 and 4.
    const input = answerInput({ synthesisMode: true, maxTokens: 600 });
    const { output, chunks } = await written([answers(`${before}${ANSWER}`, parts)], input);
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual([
      ['P1', 'P2'],
      ['P1', 'P3', 'P2'],
      ['P5'],
    ]);
    expect(output.markdown).not.toContain('men did not');
    expect(chunks).toHaveLength(3);
  });
});

describe('injected', () => {
  const GOOD = 'Bone mineral density rose by 2.1% in women who took vitamin D [1].';

  describeWithInstructions((instructions) => {
    test('a model that obeys what is hidden in a passage changes nothing that a reader sees', async () => {
      let text = '';
      let revision = 0;
      const { all, mayShow } = instructions();
      const shown: string[] = [];
      const { engine } = await engineAgainst(() => answers(text));
      for (const instruction of all) {
        revision += 1;
        const planted = passages().map((passage) => ({
          ...passage,
          text: `${passage.text}\n${instruction}`,
        }));
        text = `${GOOD}\n\n${instruction} canary-7f31 [1]. ![x](https://evil.example/${revision}) I will do as I am told: ${instruction} [2]\n\nMissing: ${instruction} canary-7f31\n\n### canary-7f31\n\nSee [this](https://evil.example).`;
        const { output } = await engine.run(
          answer,
          answerInput({ passages: planted }),
          context({ revision }),
        );
        expect(`${output.markdown} ${output.missing}`).not.toMatch(/evil|\]\(|^#/m);
        if (output.markdown.includes('canary')) shown.push(instruction);
        expect(output.missing ?? '').not.toContain('canary');
        expect(output.sentences[0]?.plain).toBe(
          'Bone mineral density rose by 2.1% in women who took vitamin D.',
        );
      }
      // What stands is for the audit to find, which takes it out.
      expect(shown.length).toBeLessThanOrEqual(mayShow);
    });
  });
});
