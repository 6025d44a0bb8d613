import { madeZip } from './made-zip';
import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

describe('CSV', () => {
  it('reads each row as a statement with its header, and cites the row', async () => {
    const csv = 'Country,Year,"Rate, in %"\r\nNorway,2019,3.4\r\n"Kongo, Dem. Rep.",2020,\r\n\r\n';
    const { records, problems } = await readAll(await folder.write('rates.csv', csv));
    expect(problems).toEqual([]);
    const [record] = records;
    expect(record).toMatchObject({ title: 'rates', file: 'rates.csv', mediaType: 'text/csv' });
    expect(record?.content).toBe(
      'Country: Norway; Year: 2019; Rate, in %: 3.4.\n\nCountry: Kongo, Dem. Rep.; Year: 2020.',
    );
    expect(record?.pages?.map(({ name }) => name)).toEqual(['row 2', 'row 3']);
  });

  it.each([
    ['semicolons', 'Land;Wert\nNorwegen;3,4'],
    ['tabs', 'Land\tWert\nNorwegen\t3,4'],
  ])('finds out that cells are parted by %s', async (_name, csv) => {
    const { records } = await readAll(await folder.write('a.csv', csv));
    expect(records[0]?.content).toBe('Land: Norwegen; Wert: 3,4.');
  });

  it('says what is before the header, and has none of numbers alone', async () => {
    await folder.write('a.csv', 'Rates of 2019,\nCountry,Rate\nNorway,3.4');
    await folder.write('b.csv', '1,2\n3,4');
    const { records } = await readAll(folder.path);
    expect(records.map(({ content }) => content)).toEqual([
      'Rates of 2019\n\nCountry: Norway; Rate: 3.4.',
      '1; 2.\n\n3; 4.',
    ]);
  });

  it('cites several rows together where there are very many', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `Name ${at},${at}`).join('\n');
    const { records } = await readAll(await folder.write('a.csv', `Name,Number\n${rows}`));
    const pages = records[0]?.pages ?? [];
    expect(pages.length).toBeLessThanOrEqual(2_000);
    expect(pages[0]?.name).toBe('rows 2–4');
    expect(pages.at(-1)?.name).toBe('rows 5000–5001');
  });
});

describe('workbooks', () => {
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="http://x/${kind}" Target="${target}"/>`;
  const files = {
    '_rels/.rels': `<Relationships>${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Trials" sheetId="1" r:id="r1"/><sheet name="Old" state="hidden" r:id="r2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'worksheet', 'worksheets/sheet2.xml')}${relation('s', 'sharedStrings', 'sharedStrings.xml')}${relation('f', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml':
      '<sst><si><t>Trial</t></si><si><r><t>Bone </t></r><r><t>study</t></r><rPh><t>x</t></rPh></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/></numFmts><cellXfs><xf/><xf numFmtId="170"/><xf numFmtId="10"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData>' +
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Begun</t></is></c><c r="D1" t="str"><v>Effect</v></c></row>' +
      '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>43955</v></c><c r="C3" t="e"><v>#N/A</v></c><c r="D3" s="2"><v>0.12500000000000003</v></c></row>' +
      '<row r="4" hidden="1"><c r="A4" t="inlineStr"><is><t>IGNORE</t></is></c></row></sheetData></worksheet>',
    'xl/worksheets/sheet2.xml':
      '<worksheet><sheetData><row><c t="inlineStr"><is><t>IGNORE</t></is></c></row></sheetData></worksheet>',
  };

  it('reads rows with their header, dates and shares as they are shown, and nothing hidden', async () => {
    const { records, problems } = await readAll(await folder.write('trials.xlsx', await madeZip(files)));
    expect(problems).toEqual([]);
    expect(records[0]?.content).toBe('## Trials\n\nTrial: Bone study; Begun: 2020-05-04; Effect: 12.5%.');
    expect(records[0]?.pages?.map(({ name }) => name)).toEqual(['sheet “Trials”', 'sheet “Trials”, row 3']);
  });

  it('says of one without any text that it has none', async () => {
    const empty = { ...files, 'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>' };
    const { problems } = await readAll(await folder.write('a.xlsx', await madeZip(empty)));
    expect(toldProblems(problems, folder)).toEqual(['a.xlsx: it has no text']);
  });
});
