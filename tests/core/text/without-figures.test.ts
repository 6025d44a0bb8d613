import { withoutFigures } from '../../../src/core/text/without-figures';

test.each([
  ['It fell by 12.5% in 240 adults.', 'It fell by #% in # adults.'],
  ['5,000 IU a day (p < 0.001)', '# IU a day (p < #)'],
  [
    'Vitamin D3, 25-hydroxyvitamin D and COVID-19 in 2020',
    'Vitamin D3, 25-hydroxyvitamin D and COVID-19 in 2020',
  ],
])('%s', (text, without) => {
  expect(withoutFigures(text)).toBe(without);
});
