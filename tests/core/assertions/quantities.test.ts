import { plainText } from '../../../src/core/assertions/plain-text';
import { quantitiesIn } from '../../../src/core/assertions/quantities';

const roles = (text: string): string[] =>
  quantitiesIn(plainText(text)).map(({ value, unit, role }) => `${role} ${value} ${unit}`.trim());

describe('what a number stands for', () => {
  test.each([
    ['fell by 12.5% (p = 0.03)', ['result 12.5 %', 'probability 0.03']],
    ['was 3,559 people', ['result 3559 peopl']],
    ['a mean of 48 ± 16 kg', ['result 48', 'spread 16 kg']],
    ['400 mg/day of magnesium for 12 weeks', ['dose 400 mg/day', 'duration 12 week']],
    ['the 12-week programme', ['duration 12 week']],
    ['After six months of rowing', ['duration 6 month']],
    ['in 240 patients (n = 120)', ['sample 240 patient', 'sample 120']],
    ['odds ratio 2.4 (95% CI 1.1 to 5.2)', ['ratio 2.4', 'interval 95 %', 'interval 1.1', 'interval 5.2']],
    ['built in 1888', ['year 1888']],
    ['a change of −3.1 mmol/L', ['result -3.1 mmol/l']],
    ['adults aged 65 years', ['age 65 year']],
    ['as Table 2 shows', ['reference 2 show']],
    ['at 3 and 6 months', ['duration 3 month', 'duration 6 month']],
    ['at 6 but not at 12 months', ['duration 6 month', 'duration 12 month']],
    ['from 5.3 to 6.6%', ['result 5.3 %', 'result 6.6 %']],
    ['at day 56', ['duration 56']],
    ['a mean concentration of 31 ng/mL', ['result 31 ng/ml']],
    ['by about 1700 mmol/kg', ['result 1700 mmol/kg']],
    ['zinc (30 mg/day for 9 days)', ['dose 30 mg/day', 'duration 9 day']],
    ['salt intake fell (2 g/day)', ['result 2 g/day']],
    ['rowing on 5 days/week', ['dose 5 day/week']],
    ['F(1, 33) = 4.2', ['statistic 1', 'statistic 33', 'statistic 4.2']],
  ])('%s', (text, expected) => {
    expect(roles(text)).toEqual(expected);
  });

  it('knows where it is and whether it is approximate', () => {
    const text = 'about 40 minutes';
    const [quantity] = quantitiesIn(text);
    expect(quantity).toMatchObject({ approximate: true });
    expect(text.slice(quantity?.start, quantity?.end)).toBe('40');
  });
});
