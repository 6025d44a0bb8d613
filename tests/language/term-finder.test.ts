import { termFinder } from '../../src/language/term-finder';
import { terms } from '../../src/language/words';

const TEXTS = [
  'The dying patients did not die of ties, tied ankles, lying or lies; skies, sky, ski, skis and flying flies fly.',
  'Ageing, aging and aged adults; using, used, uses; agreed, agrees. It was d’s and x\'s, "p’s" and A.B. 3.5 mg/kg.',
  "Vitamin-D's well-being was self-reported... end.- -start 'quoted' co-op. e.g. i.e. a-b-c -- x–y—z.",
  'Übergewicht und Ernährung, naïve café ΣΊΣΥΦΟΣ, İstanbul, 漢字 かな, 𝒜𝓑-𝒞 and \ud835 alone, ½ cup, ⅷ, x².',
  'COVID-19 in 2020–2021: β-carotene, ω-3, n-3, IL-6; P<0.05, 95 % CI 1.2-3.4, 12,000 people.',
  '',
];

describe('the finder of terms', () => {
  const all = new Set(TEXTS.flatMap(terms));

  it.each(TEXTS)('finds every term of a text: %s', (text) => {
    expect([...termFinder(all)(text)]).toEqual([...new Set(terms(text))]);
  });

  it('finds just the wanted terms, in the order of the text', () => {
    for (const term of all) {
      const wanted = new Set([term]);
      for (const text of TEXTS) {
        expect([...termFinder(wanted)(text)]).toEqual(terms(text).includes(term) ? [term] : []);
      }
    }
    expect([
      ...termFinder(new Set(terms('sleeps walking')))('He walked, then slept and walks in his sleep.'),
    ]).toEqual(['walk', 'sleep']);
  });
});
