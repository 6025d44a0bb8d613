import fc from 'fast-check';
import { withoutCitationMarks } from '../../src/evidence/support-score';
import { isBackMatter } from '../../src/text/collection';
import { splitPassages, splitSentences } from '../../src/text/sentences';

describe('splitSentences', () => {
  const texts = (text: string): string[] => splitSentences(text).map((span) => span.text);

  it('keeps the row of a table in one piece', () => {
    const row = 'Country: Iran, Islamic Rep. Of; No. of cases: 120; Note: see p. 4. Revised.';
    expect(texts(`${row}\n\nGroup B; Country: Chile; Cases: 7.\n\nIt rose. It fell; that was all.`)).toEqual([
      row,
      'Group B; Country: Chile; Cases: 7.',
      'It rose.',
      'It fell; that was all.',
    ]);
    expect(
      texts('No effect: it was 2 (n = 3; p = 0.4), but one rose: by 70. Then it fell. It ended.'),
    ).toHaveLength(3);
    expect(texts('We looked; it worked. The next: a trial. It ended.')).toHaveLength(3);
  });

  it.each([
    ['two sentences', 'Walking helped. Running did not.', ['Walking helped.', 'Running did not.']],
    [
      'decimals',
      'Weight fell by 2.5 kg. Nothing else changed.',
      ['Weight fell by 2.5 kg.', 'Nothing else changed.'],
    ],
    [
      'abbreviations',
      'It was 3.1 vs. 2.9 in Dr. Lee’s group. The end.',
      ['It was 3.1 vs. 2.9 in Dr. Lee’s group.', 'The end.'],
    ],
    [
      'a lower-case continuation',
      'The pre (48 kg. and more) value rose. Good.',
      ['The pre (48 kg. and more) value rose.', 'Good.'],
    ],
    ['closing quotes', 'He said “it works.” Then he left.', ['He said “it works.”', 'Then he left.']],
    [
      'sentences that were glued together',
      'Training shortened the paths.Walking did not change them.',
      ['Training shortened the paths.', 'Walking did not change them.'],
    ],
    [
      'names with points',
      'It runs on node.js and Buffer.from today. Fine.',
      ['It runs on node.js and Buffer.from today.', 'Fine.'],
    ],
    [
      'a line that was wrapped by hand',
      'The participants of the study walked for thirty minutes on most days of the\nweek. They slept well.',
      [
        'The participants of the study walked for thirty minutes on most days of the\nweek.',
        'They slept well.',
      ],
    ],
    [
      'a caption on its own line',
      'Weight fell.\nFigure 1Effect of walking\nSleep improved.',
      ['Weight fell.', 'Figure 1Effect of walking', 'Sleep improved.'],
    ],
    [
      'list items without their marks',
      '- Fast and small\n- Handles errors',
      ['Fast and small', 'Handles errors'],
    ],
  ])('splits %s', (_name, text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it('returns ordered spans that cover every word, for any text', () => {
    const piece = fc.constantFrom(
      ...'Walking|fell by 2.5| |. |.|\n|\n\n|- |(p < 0.05)|e.g.|“|”|!|…|😀|The| and '.split('|'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        let end = 0;
        for (const span of splitSentences(text)) {
          expect(text.slice(span.start, span.end)).toBe(span.text);
          expect(span.text).toBe(span.text.trim());
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(text.slice(end, span.start)).toMatch(/^[\s-]*$/);
          end = span.end;
        }
        expect(text.slice(end)).toMatch(/^[\s-]*$/);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('splitPassages', () => {
  it('keeps a label within the part before it', () => {
    const content =
      'BODY.RESULTS:\nAll walked.\nBODY.LEG PRESS:\nStrength rose.\n\nBODY.DISCUSSION:\nWe discuss.';
    expect(splitPassages(content).map(({ text, headings }) => [text, headings])).toEqual([
      ['All walked.', ['BODY.RESULTS']],
      ['Strength rose.', ['BODY.RESULTS', 'BODY.LEG PRESS']],
      ['We discuss.', ['BODY.DISCUSSION']],
    ]);
  });

  it('reads Markdown headings and omits code', () => {
    const content =
      'Tool\n====\n\nIt works.\n\n## Errors\n\nIt throws.\n\n```js\nthrow 1;\n```\n\nUsage\n-----\nCall it.';
    const passages = splitPassages(content);
    expect(passages.map(({ text, headings }) => [text, headings])).toEqual([
      ['It works.', ['Tool']],
      ['It throws.', ['Tool', 'Errors']],
      ['Call it.', ['Tool', 'Usage']],
    ]);
    for (const { start, end, text } of passages) expect(content.slice(start, end)).toBe(text);
  });
});

describe('isBackMatter', () => {
  it.each([
    [['Article', 'References']],
    [['References', 'Trials']],
    [['BODY.COMPETING INTERESTS']],
    [['BODY.FUNDING AND ACKNOWLEDGEMENTS']],
    [['BODY.AUTHORS’ CONTRIBUTIONS']],
    [['7. List of abbreviations']],
    [['Conflict of interest statement']],
    [['Availability of data and materials', 'Data availability']],
    [['See also']],
    [['LICENSE']],
  ])('is true under %j', (headings) => {
    expect(isBackMatter(headings)).toBe(true);
  });

  it.each([
    [[]],
    [['ABSTRACT.RESULTS']],
    [['BODY.2. MATERIALS AND METHODS.2.1. PARTICIPANTS']],
    [['Funding of small firms', 'Who lends']],
    [['Conflicts']],
    [['Reference levels']],
    [['Licences for software']],
    [['Notes']],
    [['参考']],
  ])('is false under %j', (headings) => {
    expect(isBackMatter(headings)).toBe(false);
  });
});

describe('withoutCitationMarks', () => {
  test.each([
    ['It rose [3].', 'It rose.'],
    ['It rose[1][2], and fell [1, 4-6; 9].', 'It rose, and fell.'],
    ['It rose.[^2]', 'It rose.'],
    ['The first [sic] rose by [a lot].', 'The first [sic] rose by [a lot].'],
    ['', ''],
  ])('%j without its marks is %j', (text, plain) => expect(withoutCitationMarks(text)).toBe(plain));
});
