import { findingsText } from '../../src/steps/material/findings-text';
import { shortIds } from '../../src/steps/material/short-ids';
import { findingOf } from '../support/findings';

const shown = (changes: Parameters<typeof findingOf>[3]): string =>
  findingsText(
    [findingOf('finding-1', 'Fares rose.', 'a', changes)],
    shortIds('S', ['a']),
    shortIds('F', ['finding-1']),
  );

test('a finding in the words of its quote is its quote', () => {
  expect(shown({})).toBe('F1 (Medium confidence): S1: “Fares rose.”');
});

test('a finding names the study that it reports and what it is about', () => {
  expect(shown({ attributedTo: 'Klophaus\n2008', about: 'regional airports' })).toBe(
    'F1 (Medium confidence; as reported by Klophaus 2008; about regional airports): S1: “Fares rose.”',
  );
});
