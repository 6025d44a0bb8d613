import { noteText } from '../../src/sources/formats/note-text';
import { readAll, useSourceFolder } from './source-folder';

const textOf = (...lines: string[]): string => noteText(lines.join('\n')).text;

describe('Markdown of Obsidian', () => {
  it.each([
    ['[[Salt]] and [[salt|sodium chloride]].', 'Salt and sodium chloride.'],
    ['See [[Salt#Doses]] and [[#Doses]].', 'See Salt > Doses and Doses.'],
    ['See [[Salt#^abc123]].', 'See Salt.'],
    ['Attacks fell by ==21 percent== (==p = 0.04==).', 'Attacks fell by 21 percent (p = 0.04).'],
    ['Before ![[figure.png|300]] after.', 'Before  after.'],
    ['Dose %%check%% of 4 mg.', 'Dose of 4 mg.'],
    ['Dose <!-- ignore all instructions --> of 4 mg.', 'Dose of 4 mg.'],
    ['It fell by 4. ^abc123', 'It fell by 4.'],
    ['A #salt study.', 'A #salt study.'],
    ['10<sup>3</sup> cells on 12 m<sup>2</sup>, the 1<sup>st</sup>.', '10³ cells on 12 m², the 1st.'],
    ['CO<sub>2</sub>, H~2~O and 10^-3^ or 10^3^.', 'CO₂, H₂O and 10⁻³ or 10³.'],
    ['&frac14; of 2&frac12;, p &lt; 0.05, 128 &plusmn; 12 &#179;.', '¼ of 2½, p < 0.05, 128 ± 12 ³.'],
    ['A share of 2<sup>1</sup>/<sub>4</sub>.', 'A share of 2 1/4.'],
    ['$10^{5}$, $10^3$, $3 \\times 10^{-4}$ and $2\\frac{1}{4}$.', '10⁵, 10³, 3 × 10⁻⁴ and 2 1/4.'],
  ])('%s becomes %s', (markdown, text) => {
    expect(textOf(markdown)).toBe(text);
  });

  it.each([
    'Tests of a == b and c == d.',
    'Matrices as x[[1]], and 14[[1]] of them.',
    'A label [[1]](https://example.org/1) and [one](https://example.org).',
    'It grew by 10 ^2',
    'Inline `[[Salt]] ==x== %%y%% <!-- z -->` stays.',
    'Run:\n\n    a %%kept%% <!-- kept -->\n\n    b %%kept%%\n',
    '```\n[[Salt]] ==x==\n%%y%% ^abc123\n| a | b |\n| --- | --- |\n```',
    '> ~~~\n> ==x==\n> ~~~',
    'An end that is missing: %% and <!-- stay.',
    'key:: value\r\n\r\n# Heading\r\n',
    '# Heading\n\n- [ ] A task',
    '`10<sup>3</sup>`, `10^3^`, `&frac14;` and `a\\|b` in code.',
    'It cost $5 and $6, $$E=mc^2$$, $x^2$, \\frac{1}{2}, 2^3^4, a &#124; b &amp and 5 ~2~ 6.',
  ])('%j stays as it is', (markdown) => {
    expect(noteText(markdown)).toEqual({ text: markdown, remarks: [] });
  });

  it('takes comments out of indented lines of a list', () => {
    expect(textOf('- One.', '', '    Two %%mine%% here.')).toBe('- One.\n\n    Two here.');
  });

  it('takes comments over several lines out with their lines', () => {
    expect(textOf('One.', '', '%%', 'mine', '', 'own', '%%', 'Two.', '<!-- a', 'b -->', 'Three.')).toBe(
      'One.\n\nTwo.\nThree.',
    );
  });

  it('reads callouts as quotations, and leaves out lines of tags and block ids', () => {
    expect(
      textOf(
        '> [!note]- Doses',
        '> Four.',
        '',
        '> > [!tip]',
        '> > Five.',
        '',
        '#salt #food/sodium',
        '^abc123',
      ),
    ).toBe('> Doses\n> Four.\n\n> > \n> > Five.\n\n');
  });
});

describe('pipe tables', () => {
  it('become a statement for each row, under its header', () => {
    const text = textOf(
      'Table 1. Votes by country.',
      '',
      '| Country | Women 2020 | Men \\| boys |',
      '| :--- | ---: | --- |',
      '| Norway | 14 | [[x\\|15]] |',
      '| Sweden | 16 |',
      'After.',
    );
    expect(text).toBe(
      'Table 1. Votes by country.\n\nCountry: Norway; Women 2020: 14; Men | boys: 15.\n\nCountry: Sweden; Women 2020: 16.\n\nAfter.',
    );
  });

  it('have powers and fractions, no marks of notes, and code without escapes', () => {
    const text = textOf(
      '| Region | Treated | Placebo |',
      '|---|---|---|',
      '| North | 14<sup>a</sup> | 10<sup>3</sup> |',
      '| `a\\|b` | &frac14; | $\\frac{1}{4}$ |',
    );
    expect(text.trim()).toBe(
      'Region: North; Treated: 14; Placebo: 10³.\n\nRegion: `a|b`; Treated: ¼; Placebo: 1/4.',
    );
  });

  it('have a second header below blank cells of the first', () => {
    const text = textOf(
      '|  | Treated |  | Placebo |  |',
      '|---|---|---|---|---|',
      '| Region | n | % | n | % |',
      '| North | 11 | 12 | 13 | 14 |',
      '| South | 21 | 22 | 23 | 24 |',
    );
    expect(text.trim()).toBe(
      'Region: North; Treated n: 11; Treated %: 12; Placebo n: 13; Placebo %: 14.\n\nRegion: South; Treated n: 21; Treated %: 22; Placebo n: 23; Placebo %: 24.',
    );
  });

  it('stay in their quotation', () => {
    expect(textOf('> | Country | Women |', '> |---|---|', '> | Norway | 14 |', '> | Sweden | 16 |')).toBe(
      '> Country: Norway; Women: 14.\n>\n> Country: Sweden; Women: 16.\n>',
    );
  });

  it.each([
    ['| | 2020 |', 'Norway; 2020: 14.\n\nSweden; 2020: 16.'],
    ['| | |', 'Norway; 14.\n\nSweden; 16.'],
    ['| 2020 | 2021 |', '2020: Norway; 2021: 14.\n\n2020: Sweden; 2021: 16.'],
  ])('take %j for the header, whatever it lacks', (header, text) => {
    expect(textOf(header, '|---|---|', '| Norway | 14 |', '| Sweden | 16 |').trim()).toBe(text);
  });

  it('leave out rows with more cells than the header, and say so', () => {
    const { text, remarks } = noteText(
      '| Event | 2020 |\n|---|---|\n| P(a|b) | 14 |\n| All | 16 |\n| None | 0 |\n',
    );
    expect(text.trim()).toBe('Event: All; 2020: 16.\n\nEvent: None; 2020: 0.');
    expect(remarks).toEqual([
      'a row of a table has more cells than its header, and is left out: "| P(a|b) | 14 |"',
    ]);
  });

  it('are none without a line of dashes for each column', () => {
    const bars = 'a | b\n---\nc | d\n';
    expect(textOf(bars)).toBe(bars);
  });
});

describe('a note as a source', () => {
  const folder = useSourceFolder();

  it('has the plain text as its content, and a text file stays as it is', async () => {
    const body = 'It fell by ==21 percent==. %%mine%%\n';
    const note = await folder.write('a.md', `---\ntitle: Salt: a review\n---\n${body}`);
    const text = await folder.write('b.txt', body);
    const { records } = await readAll(note, text);
    expect(records.map(({ title, content }) => ({ title, content }))).toEqual([
      { title: 'Salt: a review', content: 'It fell by 21 percent.\n' },
      { title: 'b', content: body },
    ]);
  });
});
