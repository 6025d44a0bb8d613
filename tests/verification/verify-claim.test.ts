import type { ClaimVerdict } from '../../src/contracts/verification/claim-verdict';
import { createVerifier } from '../../src/verification/create-verifier';
import { verifyClaim } from '../../src/verification/verify-claim';

const TEXT =
  'The port handled 1,200,000 containers in 2019. Exports of copper rose by 12.4 per cent, while imports of machinery did not change. ' +
  'Mayor Elena Brandt opened the northern quay after two months of repairs. About a third of the dock workers joined the union. ' +
  'The World Health Organization praised the quarantine station.';

function told(claim: string, attribution: readonly string[] = []): string {
  const cited = [{ sourceId: 'port', text: TEXT, start: 0 }];
  const { verdict, code } = verifyClaim(claim, { cited, attribution });
  return `${verdict}: ${code}`;
}

test.each(
  Object.entries({
    'Exports of copper rose by 12.4 per cent.': 'supported: same-words',
    'Exports of copper rose by 12 %, while imports of machinery did not change.': 'supported: same-words',
    'The port handled 1.2 million containers in 2019.': 'supported: same-words',
    'Exports of copper rose by 17.4 per cent.': 'contradicted: number-exchanged',
    'Exports of copper fell by 12.4 per cent.': 'contradicted: contrary',
    'Imports of machinery changed while exports of copper rose by 12.4 per cent.': 'unchecked: open',
    'Mayor Elena Santos opened the northern quay after two months of repairs.':
      'contradicted: name-exchanged',
    'Mayor Elena Brandt did not open the northern quay after two months of repairs.':
      'contradicted: negation',
    'Mayor Elena Brandt bombed the northern quay after two months of repairs.': 'partial: word-exchanged',
    'Nearly 45 % of those who work on the docks are now organised.': 'unsupported: number-absent',
    'Some 33 % of those who work on the docks are now organised.': 'unchecked: open',
    'Repairs on the quay kept it shut for 2 weeks.': 'unsupported: number-absent',
    'Dock workers said that Rotterdam would have done better.': 'partial: name-absent',
    'The quarantine station found favour with the WHO inspectors.': 'unchecked: open',
    'It did so.': 'unchecked: too-short',
  }),
)('%s: %s', (claim, expected) => expect(told(claim)).toBe(expected));

/** A claim held against one text. */
const heldAgainst = (text: string, claim: string): ClaimVerdict =>
  verifyClaim(claim, { cited: [{ sourceId: 'one', text, start: 0 }], attribution: [] });

test.each(['1932.', '1932 .', '1932'])(
  'a sentence of a few words stands where its source says them, whatever a citation left before its full stop: %s',
  (year) => {
    const claim = `The bridge was opened in ${year}`;
    expect(heldAgainst('The bridge was opened in 1932.', claim).verdict).toBe('supported');
    expect(heldAgainst('The bridge was opened in 1934.', claim).verdict).toBe('unsupported');
  },
);

test('what names the other group denies nothing', () => {
  const text = 'The use of diesel was 26 % lower with the new line than without it after three months.';
  const verdictOf = (claim: string): string => heldAgainst(text, claim).verdict;
  expect(verdictOf('The use of diesel was 26 % lower after three months.')).not.toBe('contradicted');
  expect(verdictOf('The use of diesel was not 26 % lower after three months.')).toBe('contradicted');
});

test('who says it and when may be named', () => {
  const claim = 'Okafor wrote in 2021 that dock workers joined the union in large numbers.';
  expect(told(claim)).toBe('unsupported: number-absent');
  expect(told(claim, ['Ngozi Okafor', '2021'])).toBe('unchecked: open');
});

test('a claim without the text of what it cites is unchecked', () => {
  const unread = { verdict: 'unchecked', code: 'no-passage', evidence: null, probability: null };
  const told = verifyClaim('The port handled many containers.', { cited: [], attribution: [] });
  expect(told).toMatchObject(unread);
});

test('a reason names the words, and evidence shows the place', () => {
  const cited = [{ sourceId: 'port', text: TEXT, start: 100 }];
  const claim = 'Exports of copper fell by 12.4 per cent.';
  const { reason, evidence } = verifyClaim(claim, { cited, attribution: [] });
  expect(reason).toContain('“fell”');
  expect(reason).toContain('“rose”');
  expect(evidence).toMatchObject({ sourceId: 'port', start: 147 });
});

test('a claim that another source bears is misattributed, and says to which', () => {
  const mill =
    'The mill burned down in the winter. Its owner Tobias Lehn rebuilt the wheel from oak within a year.';
  const sources = Object.entries({ port: TEXT, mill }).map(([sourceId, content]) => ({
    sourceId,
    content,
    attribution: [],
  }));
  const claim = 'Tobias Lehn rebuilt the wheel of the mill from oak.';
  const verdict = createVerifier({ sources }).verify(claim, ['port']);
  expect(verdict).toMatchObject({ verdict: 'unsupported', code: 'misattributed', betterSourceId: 'mill' });
});

test('a name may be joined otherwise than where it is named', () => {
  const text =
    'Crawls of Common Crawl were sampled, and GPT3 was trained on what was left of them for weeks.';
  const code = (name: string): string =>
    heldAgainst(text, `What was left of the sampled CommonCrawl was fed for weeks to ${name}.`).code;
  expect(code('GPT-3')).not.toBe('name-absent');
  expect(code('GPT-4')).toBe('name-absent');
});
