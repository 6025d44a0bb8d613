import fc from 'fast-check';
import { splitSentences } from '../../src/language/sentences';

const texts = (text: string): string[] => splitSentences(text).map((span) => span.text);

describe('splitting text into sentences', () => {
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
  ])('parts %s', (_name, text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it('gives spans whose offsets are those of the text, in order, without overlap, and loses no word', () => {
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
