import type { Finding } from '../../../src/contracts/report/finding';
import { claimSentence } from '../../../src/core/writing/claim-sentence';

const TITLE = 'Carbon taxes and the price of petrol in Sweden';
const SOURCES = new Map([
  [
    'tax',
    { title: TITLE, author: 'Borges Cynthia; Doe Jo; Roe Al', site: 'Tax Reports', publishedAt: '2016' },
  ],
]);

function finding(claim: string, citations = ['tax']): Finding {
  return {
    id: 'finding-1',
    sectionId: 'section-1',
    claim,
    citations,
    evidence: [{ sourceId: 'tax', quote: claim, start: 0, end: claim.length }],
    confidence: 0.75,
  };
}

const sentence = (claim: string): string =>
  claimSentence(finding(claim), SOURCES, { turn: 0, introduced: false, contrast: false });

test('says whose claim it is from the source’s own metadata', () => {
  expect(sentence('Carbon taxes raised the price of petrol by 11 %.')).toBe(
    'Borges and colleagues (Tax Reports, 2016) report: “Carbon taxes raised the price of petrol by 11 %” [@tax].',
  );
});

test('tells the title of the source where the quote does not say what it is about', () => {
  expect(sentence('It rose by 12 %.')).toContain(`, in “${TITLE}”, report: “It rose`);
});

test('leaves the title out where the quote says it itself', () => {
  expect(sentence('Carbon taxes raised the price of petrol by 11 %.')).not.toContain(', in “');
});

test('tells of a long title its first part, and of one without parts nothing: what is in quotation marks is not cut', () => {
  const told = (title: string): string =>
    claimSentence(finding('It rose by 12 %.'), new Map([['tax', { title, author: 'Borges Cynthia' }]]), {
      turn: 0,
      introduced: false,
      contrast: false,
    });
  const long = 'and what became of households, firms and roads '.repeat(6).trim();
  expect(told(`${TITLE}: ${long}`)).toContain(`in “${TITLE}”, report`);
  expect(told(`${TITLE} ${long}`)).not.toContain(', in “');
});

test('says of what date a quote is that means its own time, where the attribution names no year', () => {
  const claim = 'Carbon taxes are currently 11 % of the price of petrol.';
  const told = (publishedAt: string): string =>
    claimSentence(
      finding(claim),
      new Map([['tax', { title: TITLE, author: 'Borges Cynthia', publishedAt }]]),
      {
        turn: 0,
        introduced: false,
        contrast: false,
      },
    );
  expect(told("Spring '16")).toContain("” [@tax] (as of Spring '16).");
  expect(told('2016-05-01')).toContain('Cynthia (2016) report');
  expect(told('2016-05-01')).not.toContain('as of');
});
