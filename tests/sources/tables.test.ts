import {
  placeSpans,
  sheetParts,
  type SpannedCell,
  type TableRow,
  tableText,
} from '../../src/sources/formats/tables';

/** Cells between bars. `^` is the merged cell to the left, `"` the one above; two blanks indent. */
function grid(lines: readonly string[]): TableRow[] {
  const rows: TableRow[] = [];
  for (const [at, line] of lines.entries()) {
    const cells: TableRow['cells'][number][] = [];
    for (const text of line.split('|')) {
      const merged =
        text === '^' ? cells.at(-1) : text === '"' ? rows[at - 1]?.cells[cells.length] : undefined;
      cells.push(merged ?? { text });
    }
    rows.push({ number: at + 1, cells });
  }
  return rows;
}

function read(lines: readonly string[], isHeaderFirst = false): string[] {
  return sheetParts(grid(lines), (place) => place, isHeaderFirst).map(({ text }) => text);
}

describe('tables', () => {
  it.each<[string, string[], string[]]>([
    [
      'two header rows, merged',
      ['Country|Women|^|Men|^', '"|2019|2020|2019|2020', 'Norway|12|14|10|11', 'Chile|7|8|6|5'],
      [
        'Country: Norway; Women 2019: 12; Women 2020: 14; Men 2019: 10; Men 2020: 11.',
        'Country: Chile; Women 2019: 7; Women 2020: 8; Men 2019: 6; Men 2020: 5.',
      ],
    ],
    [
      'a table of a statistics office, with titles and notes',
      [
        'Table 3.1 Deaths by cause||||',
        'Number and rate per 100 000||||',
        '',
        '|2019||2020|',
        'Cause of death|Number|Rate|Number|Rate',
        'All causes|40 684|761.2|40 611|754.9',
        'Cancer|10 981|205.5|11 063|205.6',
        'COVID-19|–|–|470|8.7',
        'Source: Statistics Norway.||||',
        '1) Preliminary figures.||||',
      ],
      [
        'Table 3.1 Deaths by cause',
        'Number and rate per 100 000',
        'Cause of death: All causes; 2019 Number: 40 684; 2019 Rate: 761.2; 2020 Number: 40 611; 2020 Rate: 754.9.',
        'Cause of death: Cancer; 2019 Number: 10 981; 2019 Rate: 205.5; 2020 Number: 11 063; 2020 Rate: 205.6.',
        'Cause of death: COVID-19; 2019 Number: –; 2019 Rate: –; 2020 Number: 470; 2020 Rate: 8.7.',
        'Source: Statistics Norway.',
        '1) Preliminary figures.',
      ],
    ],
    [
      'a table of a trial, with an indented group',
      [
        'Table 1. Baseline characteristics',
        'Characteristic|Treated (n = 120)|Placebo (n = 118)|p',
        'Age, years|63 ± 12|62 ± 11|0.51',
        'Sex, n (%)|||',
        '  Female|54 (45.0)|51 (43.2)|0.78',
        '  Male|66 (55.0)|67 (56.8)|',
        'Systolic blood pressure, mm Hg|128 ± 12|131 ± 14|<0.001',
      ],
      [
        'Table 1. Baseline characteristics',
        'Characteristic: Age, years; Treated (n = 120): 63 ± 12; Placebo (n = 118): 62 ± 11; p: 0.51.',
        'Sex, n (%); Characteristic: Female; Treated (n = 120): 54 (45.0); Placebo (n = 118): 51 (43.2); p: 0.78.',
        'Sex, n (%); Characteristic: Male; Treated (n = 120): 66 (55.0); Placebo (n = 118): 67 (56.8).',
        'Characteristic: Systolic blood pressure, mm Hg; Treated (n = 120): 128 ± 12; Placebo (n = 118): 131 ± 14; p: <0.001.',
      ],
    ],
    [
      'an income statement with a row of units',
      [
        'Consolidated income statement|||',
        '|Note|2020|2019',
        '||EUR m|EUR m',
        'Revenue|4|1,204.5|1,180.2',
        'Cost of sales||(702.1)|(690.0)',
        'Gross profit||502.4|490.2',
      ],
      [
        'Consolidated income statement',
        'Revenue; Note: 4; 2020 EUR m: 1,204.5; 2019 EUR m: 1,180.2.',
        'Cost of sales; 2020 EUR m: (702.1); 2019 EUR m: (690.0).',
        'Gross profit; 2020 EUR m: 502.4; 2019 EUR m: 490.2.',
      ],
    ],
    [
      'years as headers, and missing values',
      ['Country|2018|2019|2020', 'Norway|3.4|3.5|3.6', 'Chile|2.1|..|2.3', 'Peru|n/a|1.9|2.0'],
      [
        'Country: Norway; 2018: 3.4; 2019: 3.5; 2020: 3.6.',
        'Country: Chile; 2018: 2.1; 2019: ..; 2020: 2.3.',
        'Country: Peru; 2018: n/a; 2019: 1.9; 2020: 2.0.',
      ],
    ],
    [
      'three columns of words',
      ['Drug|Class|Route', 'Salbutamol|SABA|inhaled', 'Prednisolone|Steroid|oral'],
      ['Drug: Salbutamol; Class: SABA; Route: inhaled.', 'Drug: Prednisolone; Class: Steroid; Route: oral.'],
    ],
    [
      'a sheet of facts',
      ['Title|Asthma in adults', 'Author|Ada Lund', 'Published|2020-05-04', 'Pages|31', 'Language|English'],
      [
        'Title: Asthma in adults.',
        'Author: Ada Lund.',
        'Published: 2020-05-04.',
        'Pages: 31.',
        'Language: English.',
      ],
    ],
    [
      'two tables',
      ['Country|Cases', 'Norway|120', 'Chile|75', '', 'Drug|Deaths', 'Alpha|3', 'Beta|4'],
      [
        'Country: Norway; Cases: 120.',
        'Country: Chile; Cases: 75.',
        'Drug: Alpha; Deaths: 3.',
        'Drug: Beta; Deaths: 4.',
      ],
    ],
    [
      'two tables with titles and the same headers',
      [
        'Table 1. Cases',
        'Country|2019|2020',
        'Norway|120|140',
        'Chile|75|81',
        '',
        'Table 2. Deaths',
        'Country|2019|2020',
        'Norway|3|4',
        'Chile|1|2',
      ],
      [
        'Table 1. Cases',
        'Country: Norway; 2019: 120; 2020: 140.',
        'Country: Chile; 2019: 75; 2020: 81.',
        'Table 2. Deaths',
        'Country: Norway; 2019: 3; 2020: 4.',
        'Country: Chile; 2019: 1; 2020: 2.',
      ],
    ],
    [
      'two tables side by side',
      ['Country|Cases||Drug|Deaths', 'Norway|120||Alpha|3', 'Chile|75||Beta|4'],
      [
        'Country: Norway; Cases: 120.',
        'Country: Chile; Cases: 75.',
        'Drug: Alpha; Deaths: 3.',
        'Drug: Beta; Deaths: 4.',
      ],
    ],
    [
      'a table that begins elsewhere',
      ['||', '||', '|Country|Cases|Share', '|Norway|120|61.5%', '|Chile|75|38.5%'],
      ['Country: Norway; Cases: 120; Share: 61.5%.', 'Country: Chile; Cases: 75; Share: 38.5%.'],
    ],
    [
      'labels over the whole row, and a total',
      [
        'Region|Cases|Deaths',
        'North|^|^',
        'Oslo|12|1',
        'Bergen|14|2',
        'South|^|^',
        'Lima|9|1',
        'Cusco|4|0',
        'Total|39|4',
      ],
      [
        'North; Region: Oslo; Cases: 12; Deaths: 1.',
        'North; Region: Bergen; Cases: 14; Deaths: 2.',
        'South; Region: Lima; Cases: 9; Deaths: 1.',
        'South; Region: Cusco; Cases: 4; Deaths: 0.',
        'Region: Total; Cases: 39; Deaths: 4.',
      ],
    ],
    [
      'labels alone in their row, over rows that repeat',
      [
        'Group|2019|2020',
        'Norway||',
        'Men|12|14',
        'Women|10|11',
        'Chile||',
        'Men|7|8',
        'Women|6|5',
        'Total|35|38',
      ],
      [
        'Norway; Group: Men; 2019: 12; 2020: 14.',
        'Norway; Group: Women; 2019: 10; 2020: 11.',
        'Chile; Group: Men; 2019: 7; 2020: 8.',
        'Chile; Group: Women; 2019: 6; 2020: 5.',
        'Group: Total; 2019: 35; 2020: 38.',
      ],
    ],
    [
      'missing values in the first row',
      ['Country|Cases|Deaths', 'Lima|n/a|–', 'Cusco|12|1', 'Puno|14|2'],
      [
        'Country: Lima; Cases: n/a; Deaths: –.',
        'Country: Cusco; Cases: 12; Deaths: 1.',
        'Country: Puno; Cases: 14; Deaths: 2.',
      ],
    ],
    [
      'age groups as headers',
      ['Country|0–4|5–9|65+', 'Norway|12|14|10', 'Chile|7|8|6'],
      ['Country: Norway; 0–4: 12; 5–9: 14; 65+: 10.', 'Country: Chile; 0–4: 7; 5–9: 8; 65+: 6.'],
    ],
    [
      'three header rows',
      [
        'Group|Cases|^|^|^',
        '"|Women|^|Men|^',
        '"|2019|2020|2019|2020',
        'Norway|12|14|10|11',
        'Chile|7|8|6|5',
      ],
      [
        'Group: Norway; Cases Women 2019: 12; Cases Women 2020: 14; Cases Men 2019: 10; Cases Men 2020: 11.',
        'Group: Chile; Cases Women 2019: 7; Cases Women 2020: 8; Cases Men 2019: 6; Cases Men 2020: 5.',
      ],
    ],
    ['numbers alone', ['1|2', '3|4'], ['1; 2.', '3; 4.']],
    [
      'a row that counts the columns',
      ['Country|Cases|Deaths|Rate', '1|2|3|4', 'Norway|120|3|2.5', 'Chile|75|1|1.3'],
      [
        'Country: Norway; Cases: 120; Deaths: 3; Rate: 2.5.',
        'Country: Chile; Cases: 75; Deaths: 1; Rate: 1.3.',
      ],
    ],
    [
      'a blank row below the header',
      ['Trial|Begun|Effect', '', 'Bone study|2020-05-04|12.50%', 'Heart study|2021-05-04|7.50%'],
      [
        'Trial: Bone study; Begun: 2020-05-04; Effect: 12.50%.',
        'Trial: Heart study; Begun: 2021-05-04; Effect: 7.50%.',
      ],
    ],
    [
      'blank rows in a table',
      ['Country|Cases', 'Norway|120', '', 'Chile|75', '', 'Peru|12'],
      ['Country: Norway; Cases: 120.', 'Country: Chile; Cases: 75.', 'Country: Peru; Cases: 12.'],
    ],
    [
      'notes with two cells',
      ['Country|Cases', 'Norway|120', 'Chile|75', '', 'a)|Preliminary figures', 'b)|Without islands'],
      [
        'Country: Norway; Cases: 120.',
        'Country: Chile; Cases: 75.',
        'a): Preliminary figures.',
        'b): Without islands.',
      ],
    ],
    [
      'quarters as headers',
      ['Item|Q1|Q2|Q3|Q4', 'Sales|10|12|13|14', 'Costs|7|8|9|9'],
      ['Item: Sales; Q1: 10; Q2: 12; Q3: 13; Q4: 14.', 'Item: Costs; Q1: 7; Q2: 8; Q3: 9; Q4: 9.'],
    ],
    [
      'a header over several columns that is not merged',
      ['|Number of cases||', 'Country|2018|2019|2020', 'Norway|1|2|3'],
      ['Country: Norway; Number of cases 2018: 1; Number of cases 2019: 2; Number of cases 2020: 3.'],
    ],
    [
      'headers in two languages, the second as a row of its own',
      ['Land|Fälle|Anteil', 'Country|Cases|Share', 'Norwegen|12|3.4', 'Chile|13|3.5'],
      [
        'Land: Country; Fälle: Cases; Anteil: Share.',
        'Land: Norwegen; Fälle: 12; Anteil: 3.4.',
        'Land: Chile; Fälle: 13; Anteil: 3.5.',
      ],
    ],
    [
      'a first row whose figures have marks or intervals',
      ['Country|Women|Men', 'Norway|14a|15 (3–5)', 'Sweden|16|17'],
      ['Country: Norway; Women: 14a; Men: 15 (3–5).', 'Country: Sweden; Women: 16; Men: 17.'],
    ],
    [
      'two header rows that repeat the name of the labels',
      ['Region|Treated|Treated|Placebo', 'Region|n|%|n', 'North|11|12|13', 'South|21|22|23'],
      [
        'Region: North; Treated n: 11; Treated %: 12; Placebo n: 13.',
        'Region: South; Treated n: 21; Treated %: 22; Placebo n: 23.',
      ],
    ],
    [
      'facts above the header',
      ['Source|Eurostat|', 'Extracted|2020-05-04|', 'Country|2019|2020', 'Norway|12|14', 'Chile|7|8'],
      [
        'Source: Eurostat.',
        'Extracted: 2020-05-04.',
        'Country: Norway; 2019: 12; 2020: 14.',
        'Country: Chile; 2019: 7; 2020: 8.',
      ],
    ],
    [
      'figures and words in one column',
      [
        'Indicator|Norway|Chile',
        'Population|5.4 million|19.1 million',
        'Capital|Oslo|Santiago',
        'Area, km²|385 207|756 102',
      ],
      [
        'Indicator: Population; Norway: 5.4 million; Chile: 19.1 million.',
        'Indicator: Capital; Norway: Oslo; Chile: Santiago.',
        'Indicator: Area, km²; Norway: 385 207; Chile: 756 102.',
      ],
    ],
    [
      'words behind a blank row, in doubt',
      ['Name|Role|Unit', 'Ada|Chair|A', 'Bob|Member|B', '', 'Drug|Class|Route', 'Salbutamol|SABA|inhaled'],
      [
        'Name: Ada; Role: Chair; Unit: A.',
        'Name: Bob; Role: Member; Unit: B.',
        'Drug; Class; Route.',
        'Salbutamol; SABA; inhaled.',
      ],
    ],
    [
      'answers numbered by columns, in doubt',
      ['Question|1|2|3|4|5', 'I sleep well|12|30|5|4|1', 'I eat well|2|3|50|40|10'],
      ['Question; 1; 2; 3; 4; 5.', 'I sleep well; 12; 30; 5; 4; 1.', 'I eat well; 2; 3; 50; 40; 10.'],
    ],
    [
      'two header rows, not merged',
      ['Group|Treated||Placebo|', '|n|%|n|%', 'Asthma|12|10.0|14|11.9', 'COPD|5|4.2|7|5.9'],
      [
        'Group: Asthma; Treated n: 12; Treated %: 10.0; Placebo n: 14; Placebo %: 11.9.',
        'Group: COPD; Treated n: 5; Treated %: 4.2; Placebo n: 7; Placebo %: 5.9.',
      ],
    ],
    [
      'blank columns between figures',
      ['Item||2020||2019', 'Revenue||1,204||1,180', 'Costs||702||690'],
      ['Item: Revenue; 2020: 1,204; 2019: 1,180.', 'Item: Costs; 2020: 702; 2019: 690.'],
    ],
    [
      'numbers of patients below the headers',
      ['Outcome|Treated|Placebo', '|(n = 120)|(n = 118)', 'Death|3 (2.5)|4 (3.4)', 'Stroke|1 (0.8)|0 (0)'],
      [
        'Outcome: Death; Treated (n = 120): 3 (2.5); Placebo (n = 118): 4 (3.4).',
        'Outcome: Stroke; Treated (n = 120): 1 (0.8); Placebo (n = 118): 0 (0).',
      ],
    ],
    [
      'facts above two columns, in doubt',
      ['Source|Eurostat', 'Country|Cases', 'Norway|120', 'Chile|75'],
      ['Source: Eurostat.', 'Country: Cases.', 'Norway: 120.', 'Chile: 75.'],
    ],
    [
      'dates in the first column',
      ['Date|Event|Attendees', '2020-05-04|Kick-off|12', '2020-06-01|Review|9'],
      ['Date: 2020-05-04; Event: Kick-off; Attendees: 12.', 'Date: 2020-06-01; Event: Review; Attendees: 9.'],
    ],
    [
      'numbers in the first column',
      ['id|name|score', '1|Ada|3.5', '2|Bob|4.1'],
      ['id: 1; name: Ada; score: 3.5.', 'id: 2; name: Bob; score: 4.1.'],
    ],
    ['plain numbers below letters', ['a|b|c', '1|2|3', '4|5|6'], ['a: 1; b: 2; c: 3.', 'a: 4; b: 5; c: 6.']],
    [
      'a unit above the last column',
      ['Balance sheet||', '||in thousands', 'Item|2019|2020', 'Cash|10|12', 'Debt|5|6'],
      ['Balance sheet', 'in thousands', 'Item: Cash; 2019: 10; 2020: 12.', 'Item: Debt; 2019: 5; 2020: 6.'],
    ],
    [
      'merged labels of rows',
      ['Country|Year|Cases', 'Norway|2019|120', '"|2020|140', '"|2021|155', 'Chile|2019|75', '"|2020|81'],
      [
        'Country: Norway; Year: 2019; Cases: 120.',
        'Country: Norway; Year: 2020; Cases: 140.',
        'Country: Norway; Year: 2021; Cases: 155.',
        'Country: Chile; Year: 2019; Cases: 75.',
        'Country: Chile; Year: 2020; Cases: 81.',
      ],
    ],
    [
      'a header that is repeated',
      [
        'Country|Cases|Deaths',
        'Norway|120|3',
        'Chile|75|1',
        'Country|Cases|Deaths',
        'Peru|12|0',
        'Cuba|13|1',
      ],
      [
        'Country: Norway; Cases: 120; Deaths: 3.',
        'Country: Chile; Cases: 75; Deaths: 1.',
        'Country: Peru; Cases: 12; Deaths: 0.',
        'Country: Cuba; Cases: 13; Deaths: 1.',
      ],
    ],
    [
      'a second table without a blank row',
      [
        'Table 1',
        'Country|Cases|Deaths',
        'Norway|120|3',
        'Chile|75|1',
        'Table 2',
        'Drug|Doses|Reactions',
        'Alpha|10|2',
        'Beta|20|4',
      ],
      [
        'Table 1',
        'Country: Norway; Cases: 120; Deaths: 3.',
        'Country: Chile; Cases: 75; Deaths: 1.',
        'Table 2',
        'Drug: Alpha; Doses: 10; Reactions: 2.',
        'Drug: Beta; Doses: 20; Reactions: 4.',
      ],
    ],
    ['headers alone', ['Country|Year'], ['Country: Year.']],
    [
      'figures and percentages',
      ['Measure|2019|2020', 'Turnover, EUR|1,204|1,310', 'Change, %|n/a|8.8%', 'Staff|12|14'],
      [
        'Measure: Turnover, EUR; 2019: 1,204; 2020: 1,310.',
        'Measure: Change, %; 2019: n/a; 2020: 8.8%.',
        'Measure: Staff; 2019: 12; 2020: 14.',
      ],
    ],
  ])('reads %s', (_name, lines, expected) => {
    expect(read(lines)).toEqual(expected);
  });

  it('has a header of words where the first row is one by convention', () => {
    const lines = ['Country|Capital', 'Norway|Oslo'];
    expect(read(lines)).toEqual(['Country: Capital.', 'Norway: Oslo.']);
    expect(read(lines, true)).toEqual(['Country: Norway; Capital: Oslo.']);
  });

  it('takes no row for a header whose words are found again below', () => {
    expect(read(['Norway|Oslo|Europe', 'Sweden|Stockholm|Europe'])).toEqual([
      'Norway; Oslo; Europe.',
      'Sweden; Stockholm; Europe.',
    ]);
  });

  it('keeps a value whose row has no label, and one without a header', () => {
    expect(read(['Country|Cases|', 'Norway|120|x', '|75|', 'Peru||'])).toEqual([
      'Country: Norway; Cases: 120; x.',
      'Cases: 75.',
      'Peru',
    ]);
  });

  it('reads headers that the document marks', () => {
    const mark = (text: string): SpannedCell => ({ text, isHeader: true });
    const rows = placeSpans([
      [
        { ...mark('Drug'), rows: 2 },
        { ...mark('Route'), columns: 2 },
      ],
      [mark('First'), mark('Second')],
      [mark('Alpha'), { text: 'oral' }, { text: 'inhaled' }],
      [mark('Dose'), mark('Day'), mark('Night')],
      [mark('Beta'), { text: 'low' }, { text: 'high' }],
    ]);
    expect(tableText(rows).split('\n\n')).toEqual([
      'Drug: Alpha; Route First: oral; Route Second: inhaled.',
      'Dose: Beta; Day: low; Night: high.',
    ]);
  });

  it('refuses cells that cover millions of places, and statements without end', () => {
    const cell = { text: 'a', columns: 16_384, rows: 1_000 };
    expect(() => placeSpans(Array.from({ length: 1_000 }, () => [cell]))).toThrow(
      'a table of it has more than 2,000,000 cells',
    );
    const long = 'x'.repeat(1_000_000);
    const row = (): TableRow => ({ number: 1, cells: [{ text: long }, { text: '1' }] });
    expect(() => tableText(Array.from({ length: 21 }, row))).toThrow(
      'its rows have more than 20,000,000 characters; split it into parts',
    );
  });

  it('cites the row and the columns with text', () => {
    const parts = sheetParts(grid(['Title', '|Country|Cases', '|Norway|120', '|Chile|']), (place) => place);
    expect(parts).toEqual([
      { text: 'Title', name: 'row 1, column A' },
      { text: 'Country: Norway; Cases: 120.', name: 'row 3, columns B–C' },
      { text: 'Chile', name: 'row 4, column B' },
    ]);
  });
});
