import type { Conflict } from '../../../src/contracts/report/finding';
import { conflictParagraph } from '../../../src/core/report/conflict-paragraph';

const quotes = [
  'Rowing significantly improved balance, regardless of age.',
  'Depending on age, rowing significantly improved balance.',
] as const;

const conflict: Conflict = {
  id: 'conflict-1',
  topic: 'rowing and balance',
  kind: 'condition',
  viewpoints: quotes.map((quote, index) => ({
    statement: quote,
    citations: [`s${index + 1}`],
    evidence: [{ sourceId: `s${index + 1}`, quote, start: 0, end: quote.length }],
  })),
  resolution: 'present_both',
  reason:
    'On rowing and balance, one source reports the result regardless of age; one source reports the result depending on age.',
  findingIds: [],
};

it('reads as one source reporting this, while another reports that, and why', () => {
  const sources = new Map([
    ['s1', { title: 'Rowing in spring', author: 'Doe, Ann', publishedAt: '2005' }],
    ['s2', { title: 'Rowing in autumn', author: 'Roe, Bob', publishedAt: '2010' }],
  ]);
  expect(conflictParagraph(conflict, sources)).toBe(
    '**Rowing and balance.** Doe (2005) reports “Rowing significantly improved balance, regardless of age” [@s1], while Roe (2010) reports “Depending on age, rowing significantly improved balance” [@s2]. On rowing and balance, one source reports the result regardless of age; one source reports the result depending on age. Both views are presented.',
  );
});
