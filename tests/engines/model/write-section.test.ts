import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { Conflict } from '../../../src/contracts/report/finding';
import { citedIds, replaceMarks } from '../../../src/core/text/citation-marks';
import type { StepResult } from '../../../src/engines/engine';
import { StepFailedError } from '../../../src/engines/step-failed-error';
import type { WriteSectionOutput } from '../../../src/steps/write-section/contract';
import { writeSection } from '../../../src/steps/write-section/write-section';
import { answers, refuses } from '../../model-server/behaviours';
import type { Script } from '../../model-server/model-server';
import { describeWithInstructions } from '../../support/hidden-instructions';
import {
  closeEngines,
  codesOf,
  context,
  engineAgainst,
  promptText,
  repairOf,
  streamAgainst,
} from './engine-under-test';
import { finding, QUOTES, sectionInput } from './material';

describe('write-section', () => {
  afterEach(closeEngines);

  const A = 'After 12 months, bone mineral density rose by 2.1% in women who took vitamin D [S1].';

  const B =
    'Among 310 adults aged over 70, bone mineral density increased by 1.9 % with daily vitamin D [S2].';

  const C = 'Yearly high-dose vitamin D led to 15% more falls than placebo [S3].';

  const D = 'Bone mineral density did not differ between vitamin D and placebo in 410 men [S4].';

  const written = (script: Script, input = sectionInput()) => streamAgainst(writeSection, input, script);

  /** The first source that each claim cites. */
  const firstCited = ({ claims }: WriteSectionOutput): (string | undefined)[] =>
    claims.map(({ text }) => citedIds(text)[0]);

  /** The kinds of nodes that a text has once its marks are numbers. */
  function nodeTypes(markdown: string): string[] {
    const types = new Set<string>();
    const tree = unified()
      .use(remarkParse)
      .use(remarkGfm)
      .parse(replaceMarks(markdown, (ids) => ids.map(() => '[1]').join('')));
    visit(tree, (node) => void types.add(node.type));
    return [...types].sort();
  }

  test('a paragraph is streamed as soon as it is complete, before the model has written the next', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { engine } = await engineAgainst(() => async (_request, response) => {
      const event = (content: string, finish: string | null = null): string =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(`${A} ${B}\n`) + event('\n'));
      await released;
      response.end(`${event(`${C} ${D}`)}${event('', 'stop')}data: [DONE]\n\n`);
    });
    const chunks: string[] = [];
    let arrived = (): void => undefined;
    const first = new Promise<void>((resolve) => (arrived = resolve));
    const onText = (text: string): void => {
      chunks.push(text);
      arrived();
    };
    const running = engine.run(writeSection, sectionInput(), context({ onText }));
    await first;
    expect(chunks).toEqual([expect.stringContaining('[@study-b]')]);
    release();
    const { output } = await running;
    expect(chunks.join('')).toBe(output.markdown);
  });

  test.each([
    ['[S1, S2]', ['study-a', 'study-b']],
    ['[S1][S2]', ['study-a', 'study-b']],
    ['[S1; 2]', ['study-a', 'study-b']],
    ['(S1 and S2)', ['study-a', 'study-b']],
    ['[Source S1]', ['study-a']],
    ['[F1]', ['study-a']],
    ['[S1–S3]', ['study-a', 'study-b', 'study-c']],
    ['[S1](https://evil.example)', ['study-a']],
  ])('a citation written as %s is read', async (mark, ids) => {
    const first = `Vitamin D raised bone mineral density by 2.1% in women, and led to more falls ${mark}.`;
    const { output } = await written([answers(`${first} ${B} ${C} ${D}`)]);
    expect(citedIds(output.claims[0]?.text ?? '')).toEqual(ids);
  });

  test('citations of a sentence are kept; a sentence not found in its sources waits for the audit', async () => {
    const padded = 'Yearly high-dose vitamin D led to more falls than placebo [S3][S2].';
    const { output, warnings, server } = await written(() => answers(`${A} ${B}\n\n${padded} ${D}`));
    expect(output.claims[2]?.findingIds).toEqual(['section-1-finding-3']);
    expect(citedIds(output.claims[2]?.text ?? '')).toEqual(['study-c', 'study-b']);
    expect(output.claims.map(({ standing }) => standing)).toEqual(['close', 'close', 'undecided', 'close']);
    expect(warnings).toEqual([]);
    expect(server.asked).toHaveLength(1);
  });

  test('a citation behind the full stop, or of a definition, belongs to its sentence', async () => {
    const two =
      'Bone mineral density rose by 2.1% in women. [S1] It “increased by 1.9 % with daily vitamin D.” [S2]';
    const { output } = await written([answers(`${two}\n\n[S2]: https://evil.example\n\n${C} ${D}`)]);
    expect(output.markdown).toContain('in women [@study-a]. It “increased');
    expect(output.claims.slice(0, 2).map(({ text }) => citedIds(text))).toEqual([['study-a'], ['study-b']]);
    expect(output.markdown).not.toContain('evil');
  });

  test('links, images and HTML are dropped at the tree', async () => {
    const text = [
      '# A title of its own',
      '### Vitamin D and falls',
      `${A} <script>alert(1)</script> ![pixel](https://evil.example/p.png) [read more](https://evil.example) https://evil.example/x`,
      '<div onclick="x">html</div>',
      `- ${B}\n- ${C}`,
      '[^1]: https://evil.example',
      `> ${D}`,
    ].join('\n\n');
    const { output, warnings } = await written(() => answers(text));
    expect(nodeTypes(output.markdown)).toEqual(['heading', 'list', 'listItem', 'paragraph', 'root', 'text']);
    expect(output.markdown).not.toMatch(/evil|script|onclick|A title of its own/);
    expect(output.markdown).toContain('### Vitamin D and falls');
    expect(codesOf(warnings).sort()).toEqual(['markdown-dropped']);
    expect(JSON.stringify(warnings)).not.toContain('evil');
  });

  test('tables and code are asked for as sentences, and dropped where they come again', async () => {
    const text = `${A} ${B} ${C}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\nlet x\n\`\`\``;
    const { output, warnings, server } = await written(() => answers(text));
    expect(output.claims).toHaveLength(3);
    expect(nodeTypes(output.markdown)).toEqual(['paragraph', 'root', 'text']);
    expect(codesOf(warnings).sort()).toEqual(['form-not-allowed', 'markdown-dropped']);
    expect(repairOf(server)).toContain('there is a table; write sentences');
  });

  test('text before a problem is kept, and one repair turn rewrites the rest', async () => {
    const { output, warnings, server, chunks } = await written([
      answers(`${A} ${B}\n\nFalls rose by 99% everywhere. ${D}`),
      answers(`${A} ${B}\n\n${C} ${D}`),
    ]);
    expect(output.claims).toHaveLength(4);
    expect(output.markdown).not.toContain('99');
    expect(output.markdown.match(/2\.1%/g)).toHaveLength(1);
    expect(warnings).toEqual([]);
    expect(chunks).toHaveLength(2);
    expect(repairOf(server)).toContain('paragraph 2: it cites no source');
    expect(repairOf(server)).toContain('begins with “Falls rose by 99%');
  });

  test('sentences that stay invalid are dropped, with warnings without content', async () => {
    const bad = [
      A,
      'SIDECAREFFECTS of yearly high-dose vitamin D were more falls [S3].',
      'Bone mineral density rose in women [S8].',
      'Bone mineral density rose in women [12].',
      'Everybody ought to swim in rivers more often [S2].',
      'The study says “bone density was doubled at once in women” [S1].',
      'In Brazil the capital is a city of some size.',
      'CANARYBIRD says bone mineral density rose in women [S1].',
      D,
    ].join(' ');
    const { output, warnings } = await written(() => answers(bad));
    expect(output.claims.map(({ text }) => citedIds(text))).toEqual(
      ['study-a', 'study-c', 'study-a', 'study-a', 'study-d'].map((id) => [id]),
    );
    expect(output.markdown).not.toMatch(/river|Brazil/);
    // Whether it is true is for the audit to say; that nobody said it in these words is known.
    expect(output.markdown).toContain('The study says bone density was doubled at once in women [@study-a].');
    expect(output.claims.filter(({ standing }) => standing === 'undecided')).toHaveLength(3);
    expect(new Set(codesOf(warnings))).toEqual(
      new Set(['sentence-beyond-material', 'unknown-source', 'sentence-uncited']),
    );
    expect(JSON.stringify(warnings)).not.toMatch(/bone|river|Brazil|CANARY/i);
  });

  test('doubtful sentences are kept until the audit, and uncited ones give a warning', async () => {
    const uncited = 'Bone mineral density rose by 1.9 % in adults over 70.';
    const { output, server } = await written(() =>
      answers(`${A} Yearly high-dose vitamin D led to 99% more falls [S3]. ${D} ${uncited}`),
    );
    expect(output.markdown).toContain('Yearly high-dose vitamin D led to 99% more falls [@study-c].');
    expect(output.checked?.sentences.map(({ standing }) => standing)).toEqual([
      'close',
      'undecided',
      'close',
    ]);
    expect(output.checked?.uncited).toEqual([uncited]);
    expect(repairOf(server)).not.toContain('99');
  });

  test('sentences that connect stay where they keep to the material', async () => {
    const connecting = 'Bone mineral density differed between women and men.';
    const { output } = await written([answers(`${connecting} ${A} ${B} ${C} ${D}`)]);
    expect(output.markdown.startsWith(`${connecting} After`)).toBe(true);
    expect(output.claims).toHaveLength(4);
  });

  test('a section with less than half of its findings is continued, and its text is kept', async () => {
    const { output, server } = await written([answers(A), answers(`${B}\n\n${C}\n\n${D}`)]);
    expect(output.claims).toHaveLength(4);
    expect(repairOf(server)).toContain('it does not tell of F2, F3, F4');
  });

  test('a text that is cut off goes on with the findings that are left, and nothing is cut in the middle', async () => {
    const { output, server, chunks } = await written([
      answers(`${A} ${B}\n\n${C} Bone mineral density did not differ in 4`, { finishReason: 'length' }),
      answers(D),
    ]);
    expect(firstCited(output)).toEqual(['study-a', 'study-b', 'study-c', 'study-d']);
    expect(output.markdown).not.toMatch(/in 4(?!10)/);
    expect(chunks).toHaveLength(3);
    expect(promptText(server.asked[1])).toContain(QUOTES.d);
    expect(promptText(server.asked[1])).not.toContain(QUOTES.a);
    // Short ids stay what they were: the sources are the same.
    expect(promptText(server.asked[1])).toMatch(/S4: “No benefit/);
  });

  test('a prompt that is too long is asked in halves of the findings, under their headings once', async () => {
    const { output, server } = await written((request) => {
      const text = promptText(request);
      if (text.includes('F4 (')) return refuses(400, { code: 'context_length_exceeded' });
      const sentences = [A, B, C, D].filter((_, index) => text.includes(Object.values(QUOTES)[index] ?? ''));
      return answers(`### Bone mineral density in adults\n\n${sentences.join(' ')}`);
    });
    expect(server.asked.length).toBeGreaterThan(2);
    expect(output.claims).toHaveLength(4);
    expect(output.markdown.match(/###/g)).toHaveLength(1);
  });

  test('a source that only contradicts is cited for its conflict', async () => {
    const findings = sectionInput().findings.slice(0, 1);
    const against = finding(9, 'study-d', QUOTES.d);
    const conflict: Conflict = {
      id: 'conflict-1',
      topic: 'bone mineral density',
      kind: 'direction',
      viewpoints: [...findings, against].map(({ claim, citations, evidence }) => ({
        statement: claim,
        citations,
        evidence,
      })),
      resolution: 'present_both',
      reason: 'Women and men were studied.',
      findingIds: ['section-1-finding-1'],
    };
    const text =
      'Adler reports that bone mineral density rose by 2.1% in women [S1], while Diaz reports that it did not differ between vitamin D and placebo in 410 men [S4].';
    const input = sectionInput({ findings, conflicts: [conflict], targetWords: 20 });
    const { output, server } = await written([answers(text)], input);
    expect(citedIds(output.markdown)).toEqual(['study-a', 'study-d']);
    expect(promptText(server.asked[0])).toContain('view 2: S4');
  });

  test('a section without a supported sentence fails', async () => {
    const poem = written(() => answers('I would rather write a poem about the sea.'));
    const failure: unknown = await poem.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StepFailedError);
    expect(String(failure)).not.toContain('poem');
  });

  test('the text is the same from the cache as from the stream', async () => {
    const text = `<think>S9 and 99</think>${A} ${B}\r\n\r\nNonsense of 77 [S9].\n\n${C} ${D}`;
    const { output, another, server } = await written([answers(text), answers(`${C} ${D}`)]);
    const chunks: string[] = [];
    const onText = (part: string): void => void chunks.push(part);
    const again = await another().run(writeSection, sectionInput(), context({ runId: 'run-2', onText }));
    expect(again.output).toEqual(output);
    expect(chunks.join('')).toBe(output.markdown);
    expect(server.asked).toHaveLength(2);
  });

  test('any Markdown of a model gives a valid section without active content', async () => {
    const markup = [
      '[S1]',
      '[x](http://evil.example)',
      '![a](b)',
      '<b>x</b>',
      '```\ncode\n```',
      '\n\n',
      '> ',
      '- ',
    ];
    const blocks = [
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '[S1]: http://evil.example',
      '[^1]',
      '* * *',
      '### Bone',
    ];
    const signs = Array.from('[]()<>`*_#|!\\\n &;:/@.\ue000\ue0010S1"“”');
    const piece = fc.oneof(
      fc.constantFrom(A, B, C, D, ...markup),
      fc.constantFrom(...blocks),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...signs) }),
    );
    let text = '';
    let turn = 0;
    const { engine } = await engineAgainst(() => answers(text));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), fc.boolean(), async (pieces, spaced) => {
        text = pieces.join(spaced ? '\n\n' : ' ');
        turn += 1;
        const chunks: string[] = [];
        const given = context({ revision: turn, onText: (part) => void chunks.push(part) });
        const run = engine.run(writeSection, sectionInput(), given);
        const outcome: unknown = await run.catch((error: unknown) => error);
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(StepFailedError);
          return;
        }
        const { output } = outcome as StepResult<WriteSectionOutput>;
        expect(chunks.join('')).toBe(output.markdown);
        expect(writeSection.check(sectionInput(), output)).toEqual([]);
        const active = /^(?:link|image|html|definition|code|table|footnote)/;
        expect(nodeTypes(output.markdown).filter((type) => active.test(type))).toEqual([]);
        expect(output.markdown).not.toMatch(/[\ue000-\uf8ff]/);
      }),
      { numRuns: 50, seed: 8 },
    );
  });

  describeWithInstructions((instructions) => {
    test('a model that obeys what is hidden in a source changes nothing that a reader sees', async () => {
      let text = '';
      let turn = 0;
      const { engine } = await engineAgainst(() => answers(text));
      for (const instruction of instructions().all) {
        turn += 1;
        text = `${A} ${B} ${C} ${D}\n\n${instruction} canary-7f31 [S1]. ![x](https://evil.example/${turn}) I will do as I am told: ${instruction} [S2]\n\n### canary-7f31\n\nSee [this](https://evil.example).`;
        const { output } = await engine.run(writeSection, sectionInput(), context({ revision: turn }));
        expect(output.markdown).not.toMatch(/canary|evil|as I am told/);
        expect(output.claims).toHaveLength(4);
      }
    });
  });
});
