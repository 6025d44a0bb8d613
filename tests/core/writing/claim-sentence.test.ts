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

function sentence(claim: string, source: Facts = SOURCE, named?: ReadonlySet<string>): string {
  const found = finding('finding-1', 'section-1', [quoteOf('tax', claim)], 0.75);
  return claimSentence(found, new Map([['tax', source]]), named === undefined ? {} : { named });
}

test('is the source’s words, and behind them briefly whose they are and in whom, once in a text', () => {
  const claim = 'Carbon taxes raised the price of petrol by 11 %.';
  const quote = '“Carbon taxes raised the price of petrol by 11 %”';
  expect(sentence(claim)).toBe(`${quote} (Borges 2016, in Sweden) [@tax].`);
  expect(sentence(claim, SOURCE, new Set(['tax']))).toBe(`${quote} [@tax].`);
});

test('names the source by the beginning of its title where nobody is named as author', () => {
  const told = (source: Facts): string => sentence('It rose by 12 %.', source);
  const title = 'Petrol: what it cost in Sweden before and after the tax';
  expect(told({ title, site: 'Tax Reports', publishedAt: '2016' })).toBe(
    '“It rose by 12 %” (Petrol, 2016) [@tax].',
  );
  expect(told({ title: TITLE })).toBe(`“It rose by 12 %” (${TITLE}) [@tax].`);
});

test('quotes what agrees beside it, and counts the rest', () => {
  const quotes = ['tax', 'duty', 'levy', 'fee'].map((id, at) => quoteOf(id, `It rose by ${at + 12} %.`));
  const found = finding('finding-1', 'section-1', quotes, 0.9);
  expect(claimSentence(found, new Map())).toBe(
    '“It rose by 12 %” [@tax]; in agreement, “It rose by 13 %” [@duty]; “It rose by 14 %” [@levy]; the same is reported by one more source [@fee].',
  );
});

test('says of what date a quote is that means its own time, where its name has no year', () => {
  const claim = 'Carbon taxes are currently 11 % of the price of petrol.';
  const told = (publishedAt: string): string =>
    sentence(claim, { title: TITLE, author: 'Borges Cynthia', publishedAt });
  expect(told("Spring '16")).toContain("[@tax] (as of Spring '16).");
  expect(told('2016-05-01')).toContain('” (Cynthia 2016, in Sweden) [@tax].');
});

test('shows a row of a table without its bars', () => {
  expect(sentence('| Norway | 11 % of the price |', { title: 'T' })).toContain('“Norway; 11 % of the price”');
  expect(sentence('The share P(a | b) rose.', { title: 'T' })).toContain('P(a');
});
