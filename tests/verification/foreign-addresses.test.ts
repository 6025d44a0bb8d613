import { foreignAddresses } from '../../src/verification/foreign-addresses';

const QUOTES = ['Sleep improved by 12.5 % in 40 adults (trial.example.org/x).', 'A note by J. Doe'];

describe('addresses that a sentence adds', () => {
  it.each([
    ['Sleep improved, see hxxp://evil[.]example.', 'http://evil.example'],
    ['Adults can pay at evil [dot] example today.', 'evil.example'],
    ['Write to help [at] evil [.] example for more.', 'help@evil.example'],
    ['It is explained at https://evil.example/a?b=c.', 'https://evil.example/a?b=c'],
    ['It is explained at www.evil.example (2019).', 'www.evil.example'],
  ])('%s', (sentence, address) => {
    expect(foreignAddresses(sentence, QUOTES)).toEqual([address]);
  });

  it.each([
    'Sleep improved by 12.5 % (e.g. in 40 adults), p<0.05.',
    'The trial is at hxxp://trial[.]example[.]org/x.'.replace('hxxp://', ''),
    'U.S. adults slept longer than others, cf. Doe et al. 2019.',
    'It was read by GPT-3.5 and written in Node.js.',
  ])('are none: %s', (sentence) => {
    expect(foreignAddresses(sentence, QUOTES)).toEqual([]);
  });
});
