import { StepFailedError } from '../../../src/engines/step-failed-error';
import { answer, replyTokens } from '../../../src/steps/answer/answer';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import type { Step } from '../../../src/steps/step';
import { answers, refuses } from '../../model-server/behaviours';
import { describeWithInstructions } from '../../support/hidden-instructions';
import {
  closeEngines,
  codesOf,
  context,
  engineAgainst,
  promptText,
  repairOf,
  runAgainst,
} from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT } from './material';
import { answerInput, passages } from './passages';
import { written } from './written-reply';

afterEach(closeEngines);

describe('replies', () => {
  const WOMEN = 'Bone mineral density rose by 2.1% in women who took vitamin D [1].';

  const OLDER = 'It increased by 1.9 % among 310 adults aged over 70 [2].';

  const FALLS = 'Yearly high-dose vitamin D led to 15% more falls than placebo [5].';

  const HOWEVER = 'However, the provided passages do not mention bones in children';

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
      max_tokens: replyTokens(synthesis),
    });
    const exact = await sent(extractFindings, FALLS_INPUT, JSON.stringify(FALLS_ANSWER));
    expect(exact).toMatchObject({ temperature: 0 });
  });

  test('a citation of an unknown passage is repaired in one turn, or dropped with one warning', async () => {
    const unknown = 'Vitamin D led to 15% more falls than placebo [9].';
    const mended = await written([answers(`${WOMEN}\n\n${unknown}`), answers(FALLS)]);
    expect(mended.output.sentences.map(({ passageIds }) => passageIds)).toEqual([['P1'], ['P5']]);
    const asked = repairOf(mended.server);
    expect(asked).toContain('[9] is not one of the passages');
    expect(asked).toContain('“Vitamin D led to 15%');

    const kept = await written([answers(`${WOMEN}\n\n${unknown}`), answers(unknown)]);
    expect(kept.output.sentences.map(({ passageIds }) => passageIds)).toEqual([['P1']]);
    expect(kept.output.uncited).toEqual(['Vitamin D led to 15% more falls than placebo.']);
    expect(codesOf(kept.warnings)).toEqual(['unknown-passage', 'sentence-uncited']);
  });

  test('prose without citations is requested once more, then kept as uncited', async () => {
    const prose = 'Bone mineral density rose in women. Falls were more frequent. Men had no rise.';
    const { output, server } = await written([answers(prose), answers(prose)]);
    expect(server.asked).toHaveLength(2);
    expect(output).toMatchObject({
      sentences: [{ plain: 'Bone mineral density rose in women.' }],
      uncited: ['Falls were more frequent.', 'Men had no rise.'],
      missing: null,
    });
  });

  test.each([
    ['in the line that is asked for', `${WOMEN}\n\nMissing: ${MISSING}`, MISSING],
    ['in bold', `${WOMEN}\n\n**Missing:** ${MISSING}`, MISSING],
    ['without its label', `${WOMEN} ${MISSING}`, MISSING],
    ['as said of the passages', `${WOMEN} ${HOWEVER} [1].`, `${HOWEVER}.`],
  ])('what the passages do not say is told as missing, and is no claim: %s', async (_how, text, missing) => {
    const { output, warnings } = await written([answers(text)]);
    expect(output.missing).toBe(missing);
    expect(output.sentences).toHaveLength(1);
    expect(output.uncited).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('an answer may be that there is none; that nothing was found is a result where it cites', async () => {
    const none = await written([answers(`Missing: ${MISSING}`)]);
    expect(none.output).toMatchObject({ markdown: '', sentences: [], missing: MISSING });

    const result = await written([answers('No evidence of a change in muscle strength was found [2].')]);
    expect(result.output).toMatchObject({ missing: null, sentences: [{ passageIds: ['P2'] }] });

    const full = await written([answers(`${WOMEN}\n\nMissing: nothing.`)]);
    expect(full.output.missing).toBeNull();
  });

  test('figures that no passage has stand for the audit to judge; what is on nothing of theirs does not', async () => {
    const invented = 'Bone mineral density rose by 40% in women who took vitamin D [1].';
    const beyond = 'The harbour bridge opened with fireworks above the quay for the mayor [1].';
    const { output, warnings } = await written(() => answers(`${invented}\n\n${beyond}`));
    expect(output.sentences.map(({ plain }) => plain)).toEqual([invented.replace(' [1]', '')]);
    expect(codesOf(warnings)).toEqual(['sentence-beyond-material']);
  });

  test('an invented quotation loses its quotation marks and is checked as any sentence', async () => {
    const quote = 'The trial says that “muscle strength did not change” [2].';
    const altered = 'The trial says that “muscle strength improved by a lot” [2].';
    const { output, warnings } = await written(() => answers(`${quote} ${altered}`));
    expect(output.sentences.map(({ plain }) => plain)).toEqual([
      'The trial says that “muscle strength did not change”.',
      'The trial says that muscle strength improved by a lot.',
    ]);
    expect(warnings).toEqual([]);
  });

  test('links, images, HTML, tables and headings from nowhere never stand', async () => {
    const text = `### Zebras\n\n${WOMEN} See [this](https://evil.example) and ![x](https://evil.example/x).\n\n<b>${OLDER}</b>\n\n| a | b |\n|---|---|\n| 1 | 2 |`;
    const { output, warnings } = await written([answers(text), answers(`${WOMEN} ${OLDER}`)]);
    expect(output.markdown).not.toMatch(/evil|Zebras|\||</);
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual([['P1'], ['P2']]);
    expect(codesOf(warnings)).toContain('markdown-dropped');
  });

  test('an opening sentence that cites nothing stands, and rests on all that is cited below it', async () => {
    const overview = 'Vitamin D raised bone mineral density, and yearly high doses led to more falls.';
    for (const text of [`${overview}\n\n${WOMEN}\n\n${FALLS}`, `${overview} ${WOMEN} ${FALLS}`]) {
      const { output, warnings, server } = await written([answers(text)]);
      expect(output.markdown.startsWith(overview)).toBe(true);
      expect(output.sentences[0]).toMatchObject({ isClaim: true, passageIds: ['P1', 'P5'] });
      expect(output).toMatchObject({ uncited: [], sentences: [{}, {}, {}] });
      expect(warnings).toEqual([]);
      expect(server.asked).toHaveLength(1);
    }
    const later = await written(() => answers(`${WOMEN}\n\n${overview}`));
    expect(later.output.uncited).toEqual([overview]);
  });

  test('an opening sentence alone is asked for the points below it', async () => {
    const overview = 'Vitamin D raised bone mineral density in women.';
    const { output, server } = await written([answers(overview), answers(FALLS)]);
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual([['P5'], ['P5']]);
    expect(repairOf(server)).toContain('ends behind its opening sentence');
  });

  test('a line that leads to a list is kept, as are bold names', async () => {
    const lead = 'Vitamin D and bone mineral density in adults:';
    const { output, warnings } = await written([
      answers(`${lead}\n\n- **Women:** ${WOMEN}\n- **Falls**: ${FALLS}`),
    ]);
    expect(output.markdown).toBe(
      `${lead}\n\n- **Women:** ${WOMEN.replace('[1]', '[@P1]')}\n- **Falls**: ${FALLS.replace('[5]', '[@P5]')}`,
    );
    expect(output.sentences.map(({ plain }) => plain.slice(0, 6))).toEqual(['Women:', 'Falls:']);
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
    expect(server.asked).toHaveLength(3);
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

describe('notes before the answer', () => {
  /** In synthesis mode the passages of `women.pdf` are 1 and 2, those of `older-adults.pdf` 3 and 4. */
  const input = (): ReturnType<typeof answerInput> => answerInput({ synthesisMode: true, maxTokens: 600 });

  const ANSWER = `Vitamin D raised bone mineral density in women and in older adults [1, 3].

### Bone mineral density

Several documents report a rise in bone mineral density with vitamin D [1, 3]. It did not differ from placebo in men [4].

### Falls

Yearly high-dose vitamin D led to 15% more falls than placebo [5].`;

  const IDS = [['P1', 'P2'], ['P1', 'P2'], ['P4'], ['P5']];

  const NOTES = [
    'Bone mineral density; falls.',
    'Women rose [1]; men did not [4].',
    'Agree for women; differ for men.',
  ];

  const LINES = NOTES.join('\n');

  const COUNTED = NOTES.map((note, at) => `${at + 1}. ${note}`);

  test.each(
    Object.entries({
      'as asked': `<think>${LINES}</think>\nANSWER:\n${ANSWER}`,
      'as asked, with blank lines': `<think>\n${NOTES.join('\n\n')}\n</think>\n\nANSWER:\n\n${ANSWER}`,
      'without tags': `${LINES}\n\nANSWER:\n\n${ANSWER}`,
      'with a heading': `## Reasoning\n\n${LINES}\n\n## Answer\n\n${ANSWER}`,
      'with bold words': `**Reasoning:** ${NOTES.join(' ')}\n\n**Final answer:**\n${ANSWER}`,
      'in tags of its own': `<reasoning>\n${LINES}\n</reasoning>\n<answer>\n${ANSWER}\n</answer>\nDone [1].`,
      'after the end of thinking alone': `${LINES}\n</think>\n${ANSWER}`,
      'as counted steps': `${COUNTED.join('\n')}\n4. Answer by subtopics:\n\n${ANSWER}`,
      'as headings of steps': `### Step 1: Main subtopics\n${NOTES[0]}\n\n### Step 2: What each document says\n- ${NOTES[1]}\n\n### Step 3: Agree and differ\n- ${NOTES[2]}\n\n### Step 4: Answer by subtopics with citations\n\n${ANSWER}`,
      'as labels, without a last one': `**Subtopics:** ${NOTES[0]}\n**Each document says:** ${NOTES[1]}\n**Where documents agree and differ:** ${NOTES[2]}\n\n${ANSWER}`,
      'not at all': ANSWER,
    }),
  )('what a model thinks first never stands in the answer: %s', async (_how, text) => {
    const { output, warnings, server } = await written([answers(text)], input());
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual(IDS);
    expect(output.markdown).not.toMatch(/Women rose|Agree for|Reasoning|Step|Done|think/i);
    expect(output.markdown.startsWith('Vitamin D raised bone mineral density')).toBe(true);
    expect(output.uncited).toEqual([]);
    expect(warnings).toEqual([]);
    expect(server.asked).toHaveLength(1);
  });

  test('beside the text, as reasoning models send it, nothing of it is read', async () => {
    const { output } = await written([answers(ANSWER, { reasoning: NOTES.join(' ') })], input());
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual(IDS);
  });

  test('after the line the answer is streamed paragraph by paragraph, and nothing before it', async () => {
    const { chunks } = await written([answers(`${LINES}\nANSWER:\n${ANSWER}`)], input());
    expect(chunks.length).toBeGreaterThanOrEqual(3);
    expect(chunks[0]).toMatch(/^Vitamin D raised/);
  });

  test('notes that take all of the tokens are no answer: it is asked for alone', async () => {
    const notes = answers(`<think>${LINES}`, { finishReason: 'length' });
    const { output, server } = await written([notes, answers(ANSWER)], input());
    expect(output.sentences.map(({ passageIds }) => passageIds)).toEqual(IDS);
    // It is told what is wrong, and nothing of the notes.
    expect(promptText(server.asked[1])).not.toBe(promptText(server.asked[0]));
    for (const note of NOTES) expect(promptText(server.asked[1])).not.toContain(note);
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
