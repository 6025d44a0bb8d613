import type { DocumentTree } from '../../src/document/document';
import { documentOf } from '../../src/document/document-of';
import { withShownTexts } from '../../src/document/shown-texts';
import { PDF_TEXT, smallAnswer, smallBrief, vitaminReport } from './results';

let report: DocumentTree;
beforeAll(async () => {
  const { report: written, textOf } = await vitaminReport();
  report = documentOf(written, textOf);
});

const placesOf = (tree: DocumentTree): DocumentTree['claims'][number]['evidence'] =>
  tree.claims.flatMap(({ evidence }) => evidence);
const quotesOf = (tree: DocumentTree): unknown[] =>
  placesOf(tree).map(({ quote, start, end }) => [quote, start, end]);
const aroundOf = (tree: DocumentTree): string =>
  placesOf(tree)
    .map(({ before, after }) => before + after)
    .join('');

test('texts of an open licence are shown, those of another or of none that is known are cut to what is cited', () => {
  const [first] = report.sources;
  if (first === undefined) throw new Error('The report has sources.');
  const tree = withShownTexts(report, 'open', (id) => (id === first.sourceId ? 'CC BY 4.0' : null));
  expect(quotesOf(tree)).toEqual(quotesOf(report));
  for (const [at, place] of placesOf(tree).entries())
    expect(place).toEqual(
      place.source === first.n
        ? placesOf(report)[at]
        : { ...placesOf(report)[at], before: '', after: '', withheld: { by: 'licence', licence: null } },
    );
});

test('what has no address is the reader’s own, unless its licence says otherwise', () => {
  const own: DocumentTree = {
    ...report,
    sources: report.sources.map((source) => ({ ...source, url: null })),
  };
  expect(withShownTexts(own, 'open', () => null)).toEqual(own);
  const reserved = withShownTexts(own, 'open', () => 'All rights reserved');
  expect(aroundOf(reserved)).toBe('');
  expect(placesOf(reserved)[0]?.withheld).toEqual({ by: 'licence', licence: 'All rights reserved' });
});

test('all texts are shown, or none, where that is wanted', () => {
  expect(withShownTexts(report, 'all', () => null)).toEqual(report);
  const none = withShownTexts(report, 'none', () => 'CC0');
  expect(quotesOf(none)).toEqual(quotesOf(report));
  expect(aroundOf(none)).toBe('');
  expect(placesOf(none)[0]?.withheld).toEqual({ by: 'setting' });
});

test('a passage that an answer cites is shown as cited, without the rest of it', () => {
  const answer = documentOf(smallAnswer(), () => null);
  const none = withShownTexts(answer, 'none', () => null);
  expect(aroundOf(answer)).not.toBe('');
  expect(aroundOf(none)).toBe('');
  expect(quotesOf(none)).toEqual(quotesOf(documentOf(smallAnswer(), () => PDF_TEXT)));
});

test('nothing is said where there was no more to show', () => {
  const brief = documentOf(smallBrief(), () => null);
  expect(withShownTexts(brief, 'none', () => null)).toEqual(brief);
});
