import { readCitedReport } from '../../src/cited-text/read-cited-report';

describe('citations of a report', () => {
  const SOURCES = `
## Sources

[1] https://a.example/one - The first text
[2] https://a.example/two - The second text
[3] https://a.example/three - The third text
`;

  /** What a text cites: form, label and the address of the entry, `-` where there is none. */
  function cited(body: string, sources = SOURCES): string[] {
    const { citations, entries } = readCitedReport(`${body}\n${sources}`);
    return citations.map(({ form, label, entry }) => {
      const url = entry === null ? '-' : (entries[entry]?.url ?? entries[entry]?.text ?? '');
      return `${form} ${label} ${url.replace('https://a.example/', '')}`;
    });
  }

  describe('citations by author and year', () => {
    const WORKS = `
## References

- Smith, J., & Lee, K. (2019). Rice and people. *Journal of Rice*, 3(1).
- Okafor, A. (2020). Wheat in dry years. https://a.example/wheat
- 张伟，《水稻史》，商务印书馆，2018年
`;
    it.each([
      ['Rice feeds many (Smith & Lee, 2019).', ['Smith & Lee, 2019'], [0]],
      ['Rice feeds many (Smith et al., 2019; Okafor 2020).', ['Smith et al., 2019', 'Okafor 2020'], [0, 1]],
      ['Rice feeds many (see Okafor, 2020, p. 4).', ['see Okafor, 2020, p. 4'], [1]],
      ['Okafor (2020) saw wheat.', ['Okafor, 2020'], [1]],
      ['Smith and Lee (2019) saw rice.', ['Smith and Lee, 2019'], [0]],
      ['Rice feeds many [Okafor, 2020].', ['Okafor, 2020'], [1]],
      ['水稻养活了许多人（张伟，2018）。', ['张伟，2018'], [2]],
      ['Maize is old (Brown et al., 2001).', ['Brown et al., 2001'], [null]],
    ])('are read in %j', (body, labels, entries) => {
      const { citations } = readCitedReport(`${body}\n${WORKS}`);
      expect(citations.map(({ label }) => label)).toEqual(labels);
      expect(citations.map(({ entry }) => entry)).toEqual(entries);
      expect(citations.every(({ form }) => form === 'author-year')).toBe(true);
    });

    it.each([
      ['Rice feeds many (Lee & Roe, 2019a).', [0]],
      ['Rice feeds many (Lee & Roe, 2019b).', [1]],
      ['Rice feeds many (Lee et al., 2019a, 2019b).', [0, 1]],
      ['Lee et al. (2019b) saw rice.', [1]],
      ['Rice feeds many (Lee & Roe, 2019).', [null]],
      ['Rice feeds many (Lee & Roe, 2019c).', [null]],
    ])('are told apart by the letter of their year: %s', (body, expected) => {
      const list =
        '## References\n\n- Lee, K., & Roe, A. (2019a). Rice. *Crops*.\n- Lee, K., & Roe, A. (2019b). Wheat. *Crops*.';
      expect(readCitedReport(`${body}\n\n${list}`).citations.map(({ entry }) => entry)).toEqual(expected);
    });

    it.each([
      'It began (March 2019).',
      'The firm (founded 2019) grew.',
      'The Great War (1914) began.',
      'Over years (2019-2021).',
    ])('are not taken for one: %j', (body) => {
      expect(readCitedReport(`${body}\n${WORKS}`).citations).toEqual([]);
    });

    it('are what a report tells where it cites by number', () => {
      expect(cited('Ma et al. (2023) saw rice [1].')).toEqual(['number 1 one']);
    });
  });
});
