import fc from 'fast-check';
import { countWords, shorten } from '../../../src/core/writing/shorten';

describe('shorten', () => {
  it('leaves a sentence that is short enough as it is', () => {
    expect(shorten('Walking lowered blood pressure by 4 mmHg.', 20)).toBe(
      'Walking lowered blood pressure by 4 mmHg.',
    );
  });

  it('drops parentheses first and marks what it left out', () => {
    const sentence =
      'Walking lowered blood pressure (mean difference 4.1 mmHg, 95% CI 2.0 to 6.2, p = 0.002) in adults.';
    expect(shorten(sentence, 9)).toBe('Walking lowered blood pressure … in adults.');
  });

  it('cuts at a clause boundary and does not end on a function word', () => {
    const sentence =
      'Resistance training raised leg strength by 64 per cent in the group that trained, whereas the control group lost strength over the same twelve weeks of the study.';
    expect(shorten(sentence, 18)).toBe(
      'Resistance training raised leg strength by 64 per cent in the group that trained …',
    );
  });

  it('cuts where a sentence ends, of several', () => {
    expect(
      shorten(
        'After the training the workload and its duration increased. It was considered that it helps.',
        12,
      ),
    ).toBe('After the training the workload and its duration increased. …');
  });

  it('leaves out a parenthesis with those in it, also where the cut goes through it', () => {
    const nested =
      'Pain fell (mean difference (95% CI) -1.8 (-3.5 to -0.1)) in the group that walked every day.';
    expect(shorten(nested, 11)).toBe('Pain fell … in the group that walked every day.');
    const cut =
      'Pain fell in the group that walked every day of the week (but not on Sundays, when nobody walked at all or could have, as the paths were closed for the whole of the day and the night).';
    expect(shorten(cut, 14)).toBe('Pain fell in the group that walked every day of the week …');
  });

  it.each([
    'Proteinuria did not differ between the groups at the end of the trial, but its change from the start of it did.',
    'The supplement lowered the risk of falls by 12 per cent over two whole years (p = 0.31) in adults who walked.',
    'The supplement lowered the risk of falls by 12 per cent over two years (not significant) in adults who walked.',
  ])('does not leave out what turns the sentence round: %s', (sentence) => {
    expect(shorten(sentence, 14)).toBe(sentence);
  });

  it('keeps whole what grants something before it says the contrary, and what is whole in few words more', () => {
    const granting =
      'Although there were fewer cars in each of the streets of the town, the air was as bad as before.';
    expect(shorten(granting, 10)).toBe(granting);
    const plain =
      'Fewer cars were seen in the streets, of which most were quiet before, and the air was better.';
    expect(shorten(plain, 10, 20)).toBe(plain);
    expect(shorten(plain, 10)).toBe('Fewer cars were seen in the streets, of which most …');
  });

  it('is a little longer rather than broken off within a clause', () => {
    const sentence =
      'Fewer of those who walked every day of the week gained more than is advised for their age.';
    expect(shorten(sentence, 14)).toBe(sentence);
    expect(shorten(sentence, 8)).toBe('Fewer of those who walked every day …');
  });

  it('is at most half as long again as wanted, and only leaves words out', () => {
    const sentence = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(sentence, fc.integer({ min: 5, max: 40 }), (words, max) => {
        const short = shorten(`${words.join(' ')}.`, max);
        expect(countWords(short)).toBeLessThanOrEqual(max * 1.5);
        expect(words.join(' ').startsWith(short.replace(/[\s….]+$/, ''))).toBe(true);
      }),
    );
  });
});
