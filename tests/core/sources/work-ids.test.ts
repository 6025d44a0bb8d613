import { bareArxivId, bareDoi, barePmid } from '../../../src/core/sources/work-ids';

test.each([
  ['10.1000/XYZ', '10.1000/xyz'],
  ['https://doi.org/10.1000/XYZ', '10.1000/xyz'],
  ['http://dx.doi.org/10.1000/xyz?utm_source=x#top', '10.1000/xyz'],
  ['doi: 10.1000/xyz.', '10.1000/xyz'],
  [
    'https://doi.org/10.1002%2F%28SICI%291097-0258%2819980815%2917%3A15%3C1661%3A%3AAID-SIM968%3E3.0.CO%3B2-2',
    '10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2',
  ],
  [
    '10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2',
    '10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2',
  ],
  ['https://example.org/10.1000/xyz', null],
  ['11.1000/xyz', null],
  ['https://doi.org/10.1000/%zz', '10.1000/%zz'],
  ['', null],
])('the DOI of %s', (text, doi) => {
  expect(bareDoi(text)).toBe(doi);
});

test.each([
  ['2101.00001v2', '2101.00001'],
  ['arXiv:2101.00001', '2101.00001'],
  ['http://arxiv.org/abs/2101.00001v3', '2101.00001'],
  ['https://arxiv.org/pdf/2101.00001v3.pdf', '2101.00001'],
  ['https://doi.org/10.48550/arXiv.2101.00001', '2101.00001'],
  ['10.48550/arxiv.2101.00001', '2101.00001'],
  ['http://arxiv.org/abs/hep-ex/0307015v1', 'hep-ex/0307015'],
  ['math.GT/0309136', 'math.gt/0309136'],
  ['10.1000/xyz', null],
  ['https://example.org/abs/2101.00001', null],
])('the number at arXiv of %s', (text, id) => {
  expect(bareArxivId(text)).toBe(id);
});

test.each([
  ['28202713', '28202713'],
  ['https://pubmed.ncbi.nlm.nih.gov/28202713', '28202713'],
  ['https://www.ncbi.nlm.nih.gov/pubmed/28202713/', '28202713'],
  ['PMID: 28202713', '28202713'],
  ['PMC5310969', null],
])('the number at PubMed of %s', (text, pmid) => {
  expect(barePmid(text)).toBe(pmid);
});
