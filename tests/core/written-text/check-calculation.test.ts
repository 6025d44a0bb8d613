import { isRightCalculation } from '../../../src/core/written-text/check-calculation';

const TEXTS = [
  'Airports support 954 jobs per million passengers, and 1.37 million passengers came in 2,019.',
  'Of 250,000 people 1.14 % fell ill, 0.0114 of all; costs rose from 40 to 50 euros, and 2,315 and 410 were counted.',
];

const isRight = (calculation: string, ...numbers: string[]): boolean =>
  isRightCalculation(calculation, { numbers, texts: TEXTS });

test.each([
  ['a product', '250000 * 0.0114 = 2850', ['2,850']],
  ['a percentage as a factor', '250000 * 1.14% = 2850', ['2,850']],
  ['a sum', '2,315 + 410 = 2,725', ['2,725']],
  ['a difference below zero', '40 - 50 = -10', ['10']],
  ['a share', '410 / 2315 = 0.177', ['17.7 %']],
  ['a share told as a bare number', '410 / 2315', ['18']],
  ['a growth in percent', '(50 - 40) / 40 * 100 = 25', ['25 percent']],
  ['brackets and a sign', '-(40 - 50) = 10', ['10']],
  ['signs of print', '(50 − 40) × 2 ÷ 40 ≈ 0.5', ['0.5']],
  ['a power', '10 ^ (-0.0114 * 2) = 0.949', ['94.9 %']],
  ['growth over years', '40 * 1.0114 ^ 6 = 42.8', ['42.8']],
  ['decibels', '10 * log10(0.0114) = -19.4', ['19.4']],
  ['a constant of time', '1370000 / 365 = 3753', ['3,750']],
  ['a rounded result', '954 * 1.37 = 1306.98', ['1,300']],
  ['a result in millions', '1370000 * 2 = 2740000', ['2.7 million']],
  ['steps of which one uses the result of another', '954 / 2 = 477; 477 / 12 = 39.75', ['39.8']],
  ['two results', '2315 + 410 = 2725; 410 / 2725 = 0.15', ['2,725', '15 %']],
  ['no result of its own', '2315 + 410', ['2,725']],
])('%s is right', (_what, calculation, numbers) => {
  expect(isRight(calculation, ...numbers)).toBe(true);
});

test.each([
  ['a wrong result', '250000 * 0.0114 = 3850', ['3,850']],
  ['a right one that the sentence does not give', '250000 * 0.0114 = 2850', ['2,950']],
  ['a right one of another number', '40 + 50 = 90', ['7,531']],
  ['one of two numbers', '40 + 50 = 90', ['90', '7,531']],
  ['a foreign operand', '250000 * 0.02 = 5000', ['5,000']],
  ['a foreign operand in a later step', '40 + 50 = 90; 90 * 3.3 = 297', ['297']],
  ['constants alone', '2 + 2 = 4', ['4']],
  ['a number alone', '7531', ['7,531']],
  ['a number that is its own result', '7531 = 7531', ['7,531']],
  ['nothing', '', ['5']],
  ['words', 'forty plus fifty = 90', ['90']],
  ['units', '40 euros + 50 euros = 90', ['90']],
  ['an open bracket', '(40 + 50 = 90', ['90']],
  ['a division by zero', '40 / (50 - 50) = 0', ['0']],
  ['a result a hundred times as large', '50 / 40 = 1.25', ['125 times']],
  ['one that is rounded by a third', '50 + 40 + 50 = 140', ['100']],
  ['one that is rounded to the wrong side', '410 / 2315 = 0.177', ['17 %']],
  ['code', 'process.exit(40 + 50)', ['90']],
])('%s is not', (_what, calculation, numbers) => {
  expect(isRight(calculation, ...numbers)).toBe(false);
});
