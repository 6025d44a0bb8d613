import { parseXlsx } from '../../src/sources/formats/parse-xlsx';
import type { Parsed } from '../../src/sources/formats/parsed-document';
import { madeWorkbook } from './made-workbook';
import { readAll, toldProblems, useSourceFolder } from './source-folder';

type Book = Parameters<typeof madeWorkbook>[0];

interface ReadBook {
  texts: string[];
  places: (string | undefined)[];
  remarks: string[];
}

async function read(book: Book): Promise<ReadBook> {
  const parsed: Parsed = await parseXlsx(await madeWorkbook(book), () => undefined);
  if (!parsed.ok) throw new Error(parsed.message);
  const [document] = parsed.documents;
  const parts = document?.parts ?? [];
  return {
    texts: parts.map(({ text }) => text),
    places: parts.map(({ name }) => name),
    remarks: document?.remarks ?? [],
  };
}

/** The value that a cell shows, under the header `Value`. */
async function shown(v: number, format: string, is1904 = false): Promise<string> {
  const { texts } = await read({
    is1904,
    sheets: [
      {
        rows: [
          ['Item', 'Value', 'Count'],
          ['A', { v, format }, 1],
        ],
      },
    ],
  });
  return /Value: (.*); Count: 1\.$/.exec(texts[1] ?? '')?.[1] ?? '';
}

const folder = useSourceFolder();

describe('workbooks', () => {
  it('cites each row with its sheet and columns', async () => {
    const { texts, places } = await read({
      sheets: [
        {
          name: 'Trials',
          rows: [
            ['Trial', 'Begun', null, 'Effect'],
            ['Bone study', 'May', null, 12.5],
          ],
        },
      ],
    });
    expect(texts).toEqual(['## Trials', 'Trial: Bone study; Begun: May; Effect: 12.5.']);
    expect(places).toEqual(['sheet “Trials”', 'sheet “Trials”, row 2, columns A–D']);
  });

  it('says of a workbook without any text that it has none', async () => {
    await folder.write('a.xlsx', await madeWorkbook({ sheets: [{ rows: [] }] }));
    expect(toldProblems((await readAll(folder.path)).problems, folder)).toEqual(['a.xlsx: it has no text']);
  });

  describe('merged cells', () => {
    it('belong to each row that they cover', async () => {
      const { texts } = await read({
        sheets: [
          {
            rows: [
              ['Country', 'Year', 'Cases'],
              ['Norway', 2019, 120],
              [null, 2020, 140],
              [null, 2021, 155],
              ['Chile', 2019, 75],
              [null, 2020, 81],
            ],
            merges: ['A2:A4', 'A5:A6'],
          },
        ],
      });
      expect(texts.slice(1)).toEqual([
        'Country: Norway; Year: 2019; Cases: 120.',
        'Country: Norway; Year: 2020; Cases: 140.',
        'Country: Norway; Year: 2021; Cases: 155.',
        'Country: Chile; Year: 2019; Cases: 75.',
        'Country: Chile; Year: 2020; Cases: 81.',
      ]);
    });

    it('of headers name each column below them', async () => {
      const { texts, places } = await read({
        sheets: [
          {
            name: 'A',
            rows: [
              ['Cases by sex'],
              ['Country', 'Women', null, 'Men', null],
              [null, 2019, 2020, 2019, 2020],
              ['Norway', 12, 14, 10, 11],
            ],
            merges: ['A1:E1', 'A2:A3', 'B2:C2', 'D2:E2'],
          },
        ],
      });
      expect(texts.slice(1)).toEqual([
        'Cases by sex',
        'Country: Norway; Women 2019: 12; Women 2020: 14; Men 2019: 10; Men 2020: 11.',
      ]);
      expect(places.at(-1)).toBe('sheet “A”, row 4, columns A–E');
    });

    it('end with the used cells, and hide the values that they cover', async () => {
      const { texts } = await read({
        sheets: [
          {
            rows: [
              ['Country', 'Cases', 'Deaths'],
              ['Norway', 120, 3],
              ['IGNORE', 75, 1],
            ],
            merges: ['A2:A1048576', 'D1:XFD1048576'],
          },
        ],
      });
      expect(texts.slice(1)).toEqual([
        'Country: Norway; Cases: 120; Deaths: 3.',
        'Country: Norway; Cases: 75; Deaths: 1.',
      ]);
    });

    it('over the whole row name the rows below, but not the total', async () => {
      const { texts } = await read({
        sheets: [
          {
            rows: [
              ['Region', 'Cases', 'Deaths'],
              ['North'],
              ['Oslo', 12, 1],
              ['Bergen', 14, 2],
              ['South'],
              ['Lima', 9, 1],
              ['Total', 35, 4],
            ],
            merges: ['A2:C2', 'A5:C5'],
          },
        ],
      });
      expect(texts.slice(1)).toEqual([
        'North; Region: Oslo; Cases: 12; Deaths: 1.',
        'North; Region: Bergen; Cases: 14; Deaths: 2.',
        'South; Region: Lima; Cases: 9; Deaths: 1.',
        'Region: Total; Cases: 35; Deaths: 4.',
      ]);
    });
  });

  it('names indented rows by the label above them', async () => {
    const { texts } = await read({
      sheets: [
        {
          rows: [
            ['Characteristic', 'Treated', 'Placebo'],
            ['Sex'],
            [{ v: 'Female', indent: 1 }, 54, 51],
            ['Age', 63, 62],
          ],
        },
      ],
    });
    expect(texts.slice(1)).toEqual([
      'Sex; Characteristic: Female; Treated: 54; Placebo: 51.',
      'Characteristic: Age; Treated: 63; Placebo: 62.',
    ]);
  });

  it('takes the first row of a filter for the header', async () => {
    const { texts } = await read({
      sheets: [
        {
          rows: [
            ['Country', 'Capital'],
            ['Norway', 'Oslo'],
          ],
          autoFilter: 'A1:B2',
        },
      ],
    });
    expect(texts.slice(1)).toEqual(['Country: Norway; Capital: Oslo.']);
  });

  it('reads two tables of a sheet under their own headers', async () => {
    const { texts, places } = await read({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Country', 'Cases'],
            ['Norway', 120],
            null,
            null,
            [null, 'Drug', 'Deaths'],
            [null, 'Alpha', 3],
          ],
        },
      ],
    });
    expect(texts.slice(1)).toEqual(['Country: Norway; Cases: 120.', 'Drug: Alpha; Deaths: 3.']);
    expect(places.at(-1)).toBe('sheet “A”, row 6, columns B–C');
  });

  it('leaves out hidden sheets, rows and columns, and says so', async () => {
    const { texts, remarks } = await read({
      sheets: [
        {
          rows: [
            ['Country', 'Year', 'IGNORE', 'Drug', 'Cases'],
            ['Norway', 2019, 'IGNORE', 'Alpha', 120],
            ['IGNORE', 2020, 'IGNORE', 'Beta', 140],
            ['Chile', 2019, 'IGNORE', 'Alpha', 75],
          ],
          hiddenRows: [3],
          hiddenColumns: [
            [3, 3],
            [9, 16_384],
          ],
        },
        { state: 'veryHidden', rows: [['IGNORE']] },
      ],
    });
    expect(texts.slice(1)).toEqual([
      'Country: Norway; Year: 2019; Drug: Alpha; Cases: 120.',
      'Country: Chile; Year: 2019; Drug: Alpha; Cases: 75.',
    ]);
    expect(remarks).toEqual([
      '1 hidden sheet is left out',
      '1 hidden row is left out',
      '1 hidden column is left out',
    ]);
  });

  describe('values', () => {
    it.each([
      [3.4000000000000004, 'General', '3.4'],
      [1 / 3, 'General', '0.333333333'],
      [9_780_306_406_157, 'General', '9780306406157'],
      [1234.5, '"$"#,##0.00', '$1,234.50'],
      [1234.5, '#,##0.00\\ [$€-407]', '1.234,50 €'],
      [-1234, '#,##0;[Red](#,##0)', '(1,234)'],
      [-1234.5, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', '$(1,234.50)'],
      [0.12500000000000003, '0.00%', '12.50%'],
      [0.125, '0%', '13%'],
      [12_345, '0.00E+00', '1.23E+04'],
      [1.5, '# ?/?', '1 1/2'],
      [0.25, '# ?/?', '1/4'],
      [12, '0" kg"', '12 kg'],
      [12_345_678, '0.0,,"M"', '12.3M'],
      [5, 'broken[', '5'],
    ])('shows %d in %s as %s', async (v, format, expected) => {
      expect(await shown(v, format)).toBe(expected);
    });

    it.each([
      [43_955, 'dd\\.mm\\.yyyy', '2020-05-04'],
      [43_955, '[$-409]d\\-mmm\\-yy;@', '2020-05-04'],
      [43_955, 'mmm yyyy', '2020-05'],
      [43_955, 'd mmmm', '4 May'],
      [43_955.5, 'm/d/yy h:mm', '2020-05-04 12:00'],
      [43_955.70833333333, 'yyyy-mm-dd hh:mm:ss', '2020-05-04 17:00:00'],
      [0.6041666667, 'h:mm AM/PM', '14:30'],
      [1.25, '[h]:mm', '30:00'],
      [1, 'yyyy-mm-dd', '1900-01-01'],
    ])('shows the date %d in %s as %s', async (v, format, expected) => {
      expect(await shown(v, format)).toBe(expected);
    });

    it('counts days from 1904 where the workbook does', async () => {
      expect(await shown(42_493, 'dd/mm/yyyy', true)).toBe('2020-05-04');
      expect(await shown(0.5, 'h:mm', true)).toBe('12:00');
    });

    it('keeps superscripts and subscripts of rich text', async () => {
      const run = (place: string, text: string): string =>
        `<r><rPr><vertAlign val="${place}"/></rPr><t>${text}</t></r>`;
      const { texts } = await read({
        shared: [
          `<r><t>10</t></r>${run('superscript', '3')}<r><t> t CO</t></r>${run('subscript', '2')}<rPh><t>x</t></rPh>`,
        ],
        sheets: [
          {
            rows: [
              ['Unit', 'Sum', 'Note'],
              ['A', 12, { v: 0, type: 's', xml: '<v>0</v>' }],
            ],
          },
        ],
      });
      expect(texts[1]).toBe('Unit: A; Sum: 12; Note: 10³ t CO₂.');
    });

    it('reads booleans, stored results of formulas and dates in words, and no errors', async () => {
      const { texts, remarks } = await read({
        sheets: [
          {
            rows: [
              ['Name', 'Blinded', 'Sum', 'Word', 'Day', 'Error'],
              [
                'A',
                { v: true },
                { v: 0, xml: '<f>1+2</f><v>3</v>' },
                { v: 0, type: 'str', xml: '<f>"a"</f><v>a_x000D_b</v>' },
                { v: 0, type: 'd', xml: '<v>2020-05-04T00:00:00</v>' },
                { v: 0, type: 'e', xml: '<v>#N/A</v>' },
              ],
            ],
          },
        ],
      });
      expect(texts[1]).toBe('Name: A; Blinded: TRUE; Sum: 3; Word: a b; Day: 2020-05-04.');
      expect(remarks).toEqual([
        expect.stringMatching(/^1 formula without a stored value, or with an error, is left out/),
      ]);
    });

    it('leaves out formulas that no program has computed, and says so', async () => {
      const { texts, remarks } = await read({
        sheets: [
          {
            rows: [
              ['Name', 'Cases', 'Sum'],
              ['A', 12, { v: 0, xml: '<f>B2*2</f>' }],
            ],
          },
        ],
      });
      expect(texts[1]).toBe('Name: A; Cases: 12.');
      expect(remarks).toEqual([
        '1 formula without a stored value, or with an error, is left out; open the workbook in a spreadsheet program, and save it',
      ]);
    });
  });
});
