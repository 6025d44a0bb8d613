import { foreignAddresses } from '../../src/evidence/claim-tokens';

const QUOTES = ['Sleep improved by 12.5 % in 40 adults (trial.example.org/x).', 'A note by J. Doe'];

describe('addresses that a sentence adds', () => {
  it.each([
    ['Sleep improved, see hxxp://evil[.]example.', 'http://evil.example'],
    ['Adults can pay at evil [dot] example today.', 'evil.example'],
    ['Write to help [at] evil [.] example for more.', 'help@evil.example'],
    ['It is explained at https://evil.example/a?b=c.', 'https://evil.example/a?b=c'],
    ['It is explained at www.evil.example (2019).', 'www.evil.example'],
    ['Adults can pay at www.evil.shop today.', 'www.evil.shop'],
    ['Adults can pay at evil.com today.', 'evil.com'],
    ['Adults can pay at evil.shop/pay, and t.co/abc has more (2019).', 'evil.shop/pay', 't.co/abc'],
    ['Adults can pay at evil.co.uk and evil.de/a.', 'evil.co.uk', 'evil.de/a'],
    ['Adults can pay at 4[.]shop today.', '4.shop'],
  ])('%s', (sentence, ...addresses) => {
    expect(foreignAddresses(sentence, QUOTES)).toEqual(addresses);
  });

  it.each([
    'Sleep improved by 12.5 % (e.g. in 40 adults), p<0.05.',
    'The trial is at hxxp://trial[.]example[.]org/x.'.replace('hxxp://', ''),
    'U.S. adults slept longer than others, cf. Doe et al. 2019.',
    'It was read by GPT-3.5 and written in Node.js.',
    'It runs on node.js and vue.js (settings.json, index.d.ts, main.config.js).',
    'The trial began on 12.mai and ended for those, e.g.from Asia, d.h.die Hälfte, who slept.',
  ])('are none: %s', (sentence) => {
    expect(foreignAddresses(sentence, QUOTES)).toEqual([]);
  });
});
