import { deniesEffect } from '../../src/language/negation';
import { effectTold, sideTold } from '../../src/reading/statements/effect-told';
import { intervalsIn } from '../../src/reading/statements/intervals';
import { roleOf } from '../../src/reading/statements/sentence-role';

describe('effectTold and sideTold', () => {
  test.each([
    ['There was no significant difference in weight gain between the groups.', 'none'],
    ['The programme did not result in statistically significant improvements in sleep.', 'none'],
    ['Those who walked gained 1 kg less, but this difference was not significant.', 'none'],
    ['In patients without plaques, pressure decreased significantly (p = 0.01).', 'effect'],
    ['Fewer of them fell than in the control group (OR: 0.5; 95% CI: 0.2 to 0.9).', 'effect'],
    ['Sleep improved independent of the treatment (p < 0.05).', null],
    ['The test was ended if they did not improve in pain or sleep.', null],
    ['Similar differences between the groups were seen in sleep (p < 0.001).', null],
    ['No detailed information was available on sleep.', null],
    ['Our hypothesis was that walking improves sleep.', null],
  ])('stands on a side: %s', (text, side) => expect(sideTold(text)).toBe(side));

  test('what authors conclude from their own results is counted', () => {
    expect(effectTold('These results show that walking improves sleep.')).toBe('effect');
    expect(effectTold('These results show that walking may improve sleep.')).toBeNull();
  });

  test.each([
    'Pedestrians increased their steps by 36% (p = 0.01), whereas those of the others did not change.',
    'Zinc reduced the rate of diarrhoea by 24% (95% CI 4 to 40%).',
    'Blood pressure was significantly lower in those who walked.',
  ])('tells of an effect: %s', (text) => expect(sideTold(text)).toBe('effect'));

  test('what is listed behind “none of” is denied, and not what is set against it', () => {
    const listed =
      'the markers of inflammation in blood, nor of the lipids and proteins that were measured beside it';
    expect(deniesEffect(`None of ${listed}, improved.`)).toBe(true);
    expect(deniesEffect(`None of ${listed} were lost, but weight improved.`)).toBe(false);
  });
});

describe('intervalsIn', () => {
  test.each([
    ['Fewer fell (OR: 0.5; 95% CI: 0.2 to 0.9).', [true]],
    ['Fewer fell (hazard ratio, 0.80; 95 % CI, 0.6–1.1).', [false]],
    ['Pain fell (mean difference −1.8 points, 95% CI −3.5 to −0.1).', [true]],
    ['Pain fell (mean difference −1.8 points, 95% confidence interval -3.5, 0.4).', [false]],
    // Of neither a ratio nor a difference nobody knows what no effect would be.
    ['The mean was 4.1 (95% CI 3.0 to 5.2).', []],
    ['The odds ratio is not given.', []],
  ])('%s', (text, expected) => {
    expect(intervalsIn(text).map(({ isSignificant }) => isSignificant)).toEqual(expected);
  });
});

describe('roleOf', () => {
  test.each([
    ['finding', 'Systolic blood pressure fell significantly more with walking than with placebo (p = 0.01).'],
    ['finding', 'There was no significant difference in body weight between the two groups.'],
    ['procedure', 'Participants were randomly assigned to walk for 30 minutes a day or to sit.'],
    ['procedure', 'Blood samples were collected at baseline and analysed using a commercial kit.'],
    ['background', 'Hypertension is a common disease and has often been associated with stroke [1].'],
  ])('a sentence that is there for a %s: %s', (role, text) => {
    expect(roleOf(text)).toBe(role);
  });

  test('goes by what is reported, not by how much it is', () => {
    const told = (amount: string): string =>
      roleOf(`Sales rose significantly by ${amount}% compared with last year.`);
    expect(told('12')).toBe(told('97'));
    for (const text of ['', '…', '12', 'ß']) expect(roleOf(text)).toMatch(/^(finding|procedure|background)$/);
  });
});
