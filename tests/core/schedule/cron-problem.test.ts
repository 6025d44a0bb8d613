import { cronProblem } from '../../../src/core/schedule/cron-problem';

test.each([
  '0 9 * * mon',
  '*/5 0-6 1,15 jan-mar ?',
  '59 23 29 2 *',
  '0 0 * * 1-5/2',
  '@daily',
  ' 0 9 * * * ',
])('%s is taken', (cron) => {
  expect(cronProblem(cron)).toBeNull();
});

test.each([
  ['60 * * * *', 'has "60" for the minute; allowed: 0 to 59'],
  ['* 24 * * *', 'has "24" for the hour; allowed: 0 to 23'],
  ['* * 0 * *', 'for the day of the month'],
  ['* * * 13 *', 'allowed: 1 to 12, or names such as jan and feb'],
  ['* * * * 8', 'for the day of the week'],
  ['5-1 * * * *', 'has "5-1"'],
  ['*/0 * * * *', 'has "*/0"'],
  ['* * * *', 'has 4 fields; allowed: five'],
  ['', 'has no fields'],
  ['0 9 31 feb,apr *', 'never comes due'],
  ['@often', 'is no shorthand; allowed: @yearly'],
])('%s is refused, and it is said why', (cron, why) => {
  expect(cronProblem(cron)).toContain(why);
});
