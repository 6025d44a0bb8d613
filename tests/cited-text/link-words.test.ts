import { readCitedReport } from '../../src/cited-text/read-cited-report';
import cases from './link-words.json';

interface LinkCase {
  side: string;
  text: string;
}

const LINK = /\[([^\]]+)\]\([^)]+\)/g;

function plainOf(text: string): string {
  return readCitedReport(text)
    .statements.map(({ plain }) => plain)
    .join(' ');
}

/** The words of its links are there where they are part of the sentence, and none of them where they are not. */
function isRight({ side, text }: LinkCase): boolean {
  const plain = plainOf(text);
  const words = [...text.matchAll(LINK)].map(([, told = '']) => told);
  return words.every((told) => plain.includes(told) === (side === 'part'));
}

describe('the words of a link at the end of a clause', () => {
  // Who keeps them always is right in as many as are part of the sentence: 25 of 46 and 10 of 20.
  it.each([
    ['development', cases.development, { kept: 25, right: 43, lost: 1 }],
    ['held out', cases.heldOut, { kept: 10, right: 18, lost: 0 }],
  ])('are told apart: %s', (_name, some: readonly LinkCase[], figures) => {
    const parts = some.filter(({ side }) => side === 'part');
    expect(parts).toHaveLength(figures.kept);
    expect(some.filter(isRight).length).toBeGreaterThanOrEqual(figures.right);
    expect(parts.filter((one) => !isRight(one)).length).toBeLessThanOrEqual(figures.lost);
  });

  it('are no words where several name their sources side by side, and are where one does not', () => {
    const said = 'Rents rose by 9 % in the capital';
    const bbc = '[BBC](https://www.bbc.co.uk/news/rents)';
    const guardian = '[The Guardian](https://www.theguardian.com/rents)';
    expect(plainOf(`${said} ${bbc}, ${guardian}.`)).toBe(`${said}.`);
    expect(plainOf(`${said} ${bbc}; [tenants](https://www.theguardian.com/rents).`)).toContain(
      'BBC; tenants',
    );
  });
});

describe('an address that is written out', () => {
  it.each([
    ['See https://www.iea.org/ratios for the ratios by country.', 'See iea.org for the ratios by country.'],
    ['All of the figures come from https://www.iea.org/ratios.', 'All of the figures come from iea.org.'],
    ['https://www.iea.org/ratios tells the ratios by country.', 'iea.org tells the ratios by country.'],
    ['Prices were taken from [iea.org](https://www.iea.org/x).', 'Prices were taken from iea.org.'],
    ['Costs fell by 4 % in a year https://www.iea.org/ratios.', 'Costs fell by 4 % in a year.'],
    ['Costs fell by 4 % (https://www.iea.org/ratios) in a year.', 'Costs fell by 4 % in a year.'],
    ['Costs fell by 4 % in a year [iea.org](https://www.iea.org/x).', 'Costs fell by 4 % in a year.'],
  ])('is told by its site where the sentence needs it: %s', (text, plain) => {
    expect(plainOf(text)).toBe(plain);
    expect(readCitedReport(text).citations).toHaveLength(1);
  });
});
