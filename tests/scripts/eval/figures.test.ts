import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

/** What a function of the evaluation makes of values; its files are modules, which Jest does not read. */
function computed(file: string, name: string, ...values: unknown[]): unknown {
  const script = `import { ${name} } from './scripts/eval/${file}';
    console.log(JSON.stringify(${name}(...${JSON.stringify(values)})));`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }));
}

describe('the area under the curve', () => {
  it.each([
    ['1 where all that are so have more', [3, 2], [1, 0], 1],
    ['a half where all have the same', [1, 1], [1, 1], 0.5],
    ['the share of pairs that stand right', [3, 1], [2], 0.5],
    ['nothing where there are no others', [3, 1], [], null],
  ])('is %s', (_what, so, others, area) => {
    const scored = [
      ...so.map((score) => ({ score, isSo: true })),
      ...others.map((score) => ({ score, isSo: false })),
    ];
    expect(computed('graded/graded-figures.mjs', 'areaUnderCurve', scored)).toBe(area);
  });
});

describe('the error of confidence', () => {
  const answers = (confidence: number, ...right: number[]): { confidence: number; isRight: boolean }[] =>
    right.map((isRight) => ({ confidence, isRight: isRight === 1 }));

  it.each([
    ['none where each fifth answers as often as it says', [...answers(0, 0, 0), ...answers(1, 1, 1)], 0],
    ['the distance where all say the same', answers(0.9, 1, 0), 0.4],
    ['all of it where the sure are wrong and the others right', [...answers(1, 0), ...answers(0, 1)], 1],
    ['nothing without answers', [], null],
  ])('is %s', (_what, records, error) => {
    expect(computed('answers/confidence.mjs', 'confidenceError', records)).toBe(error);
  });

  it('does not depend on the order in which answers of the same confidence stand', () => {
    const records = [...answers(0.5, 1, 1, 1, 0, 0, 0), ...answers(0.8, 1, 0)];
    const turned = [...records].reverse();
    const of = (list: unknown): unknown => computed('answers/confidence.mjs', 'confidenceError', list);
    expect(of(turned)).toBe(of(records));
  });
});

describe('the figures of talk', () => {
  const judgement = (overall: number): object => ({
    overall,
    scores: { by: 'measures', coverage: { score: overall } },
  });
  it('are of how much lower it is, and how low', () => {
    const pairs = [
      { original: judgement(4.5), talk: judgement(2.5), exchanged: 4, citing: 4 },
      { original: judgement(4.5), talk: judgement(4), exchanged: 2, citing: 4 },
    ];
    expect(computed('talk/talk-figures.mjs', 'talkFigures', pairs)).toMatchObject({
      n: 2,
      talkScore: 3.25,
      originalScore: 4.5,
      lower: 1.25,
      lowerBy15: 0.5,
      atMost25: 0.5,
      exchangedShare: 0.75,
      perDimension: { coverage: { talk: 3.25, original: 4.5 } },
    });
  });
});

describe('the exchange of what was found for talk', () => {
  const content =
    'The aim of this study was to examine rest in nurses. Rest lowered stress in nurses by a fifth. Nurses were recruited for rest.';
  const found = 'Rest lowered stress in nurses by a fifth.';
  const sentence = (text: string): object => ({ text, sourceIds: ['rest'] });
  const report = {
    text: [{ id: 'one', paragraphs: [[sentence(`They report: “${found.slice(0, -1)}”.`)]] }],
    material: {
      question: 'Does rest lower stress in nurses?',
      topics: [{ id: 'one', title: 'Rest', statements: [sentence(found)] }],
      conflicts: [],
    },
  };

  it('puts a sentence of the source that asserts nothing in the place of each quote, and of what it was made from', () => {
    const script = `import { exchangeTalk } from './scripts/eval/talk/exchange-talk.mjs';
      const sources = new Map([['rest', { id: 'rest', title: 'Rest', content: ${JSON.stringify(content)} }]]);
      console.log(JSON.stringify(exchangeTalk(${JSON.stringify(report)}, sources)));`;
    const args = ['--input-type=module', '--eval', script];
    const talked = JSON.parse(
      execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }),
    ) as unknown;
    const talk = 'The aim of this study was to examine rest in nurses';
    expect(talked).toMatchObject({
      citing: 1,
      exchanged: 1,
      text: [{ paragraphs: [[{ text: `They report: “${talk}”.` }]] }],
      material: { topics: [{ statements: [{ text: `${talk}.` }] }] },
    });
  });
});
