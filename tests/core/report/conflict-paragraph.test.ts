import { ENGLISH } from '../../../src/texts/texts';
import type { Conflict } from '../../../src/contracts/report/finding';
import { conflictParagraph } from '../../../src/core/report/conflict-paragraph';
import { quoteOf } from './report-fixture';

const SOURCES = new Map(
  ['Doe', 'Roe', 'Poe', 'Loe'].map((author, at) => [
    author.toLowerCase(),
    { title: `On ${author}`, author: `Jane ${author}`, publishedAt: `200${at}` },
  ]),
);

function conflict(views: string[][], resolution = 'present_both', reason = 'They differ.'): Conflict {
  return {
    id: 'conflict-1',
    topic: 'tea and sleep.',
    kind: 'direction',
    viewpoints: views.map((citations) => {
      const [sourceId = ''] = citations;
      const statement = `Tea says ${sourceId}.`;
      return { statement, citations, evidence: [quoteOf(sourceId, statement)] };
    }),
    resolution,
    reason,
    findingIds: [],
  };
}

test('one source reports one thing, while the other reports another', () => {
  expect(conflictParagraph(conflict([['doe'], ['roe', 'poe']]), SOURCES, ENGLISH)).toBe(
    '**Tea and sleep.** Doe (2000) reports “Tea says doe” [@doe], while Roe (2001) and one more source report “Tea says roe” [@roe; @poe]. They differ.',
  );
});

test('three and four views follow one another', () => {
  expect(conflictParagraph(conflict([['doe'], ['roe'], ['poe']]), SOURCES, ENGLISH)).toBe(
    '**Tea and sleep.** Doe (2000) reports “Tea says doe” [@doe], while Roe (2001) reports “Tea says roe” [@roe], and Poe (2002) reports “Tea says poe” [@poe]. They differ.',
  );
  expect(conflictParagraph(conflict([['doe'], ['roe'], ['poe'], ['loe']]), SOURCES, ENGLISH)).toContain(
    ', while Roe (2001) reports “Tea says roe” [@roe], Poe (2002) reports “Tea says poe” [@poe], and Loe (2003) reports',
  );
});

test('a view that is favoured is named by its source', () => {
  expect(
    conflictParagraph(conflict([['doe'], ['roe']], 'favor_viewpoint_2', 'Why.'), SOURCES, ENGLISH),
  ).toMatch(/\. Why\. The evidence favours the second view, that of Roe \(2001\)\.$/);
});

test('what two quotes show beside each other is not said again, and what a section quotes whole is shorter', () => {
  const one =
    'Tea significantly lengthened the sleep of forty nurses, as watches measured it on seven nights.';
  const given = conflict(
    [['doe'], ['roe']],
    'present_both',
    'On tea, the sides report opposite effects. Why.',
  );
  const [, ...others] = given.viewpoints;
  const viewpoints = [{ statement: one, citations: ['doe'], evidence: [quoteOf('doe', one)] }, ...others];
  const told = (isTold: (quoted: string) => boolean): string =>
    conflictParagraph({ ...given, topic: 'tea', viewpoints }, SOURCES, ENGLISH, isTold);
  expect(told(() => false)).toContain(`reports “${one.slice(0, -1)}” [@doe]`);
  expect(told((quoted) => quoted.includes('nurses'))).toBe(
    '**Tea.** Doe (2000) reports “Tea significantly lengthened the sleep of forty nurses …” [@doe], while Roe (2001) reports “Tea says roe” [@roe]. Why.',
  );
});
