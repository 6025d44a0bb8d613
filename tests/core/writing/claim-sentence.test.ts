import { claimSentence } from '../../../src/core/writing/claim-sentence';
import { finding, quoteOf } from '../report/report-fixture';

const TITLE = 'Carbon taxes and the price of petrol in Sweden';
const SOURCE = {
  title: TITLE,
  author: 'Borges Cynthia; Doe Jo; Roe Al',
  site: 'Tax Reports',
  publishedAt: '2016',
};

type Facts = Parameters<typeof claimSentence>[1] extends ReadonlyMap<string, infer Source> ? Source : never;

function sentence(claim: string, source: Facts = SOURCE): string {
  const found = finding('finding-1', 'section-1', [quoteOf('tax', claim)], 0.75);
  const place = { turn: 0, introduced: false, contrast: false };
  return claimSentence(found, new Map([['tax', source]]), place);
}

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
  const told = (title: string): string => sentence('It rose by 12 %.', { title, author: 'Borges Cynthia' });
  const long = 'and what became of households, firms and roads '.repeat(6).trim();
  expect(told(`${TITLE}: ${long}`)).toContain(`in “${TITLE}”, report`);
  expect(told(`${TITLE} ${long}`)).not.toContain(', in “');
});

test('says of what date a quote is that means its own time, where the attribution names no year', () => {
  const claim = 'Carbon taxes are currently 11 % of the price of petrol.';
  const told = (publishedAt: string): string =>
    sentence(claim, { title: TITLE, author: 'Borges Cynthia', publishedAt });
  expect(told("Spring '16")).toContain("” [@tax] (as of Spring '16).");
  expect(told('2016-05-01')).toContain('Cynthia (2016) report');
  expect(told('2016-05-01')).not.toContain('as of');
});
