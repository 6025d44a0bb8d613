import { roleOf } from '../../../src/reading/statements/sentence-role';

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
