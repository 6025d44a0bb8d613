import { describeWithData, sharedFile } from '../support/shared-data';
import { readAll, type ReadRecord } from './source-folder';

const FOLDER = '../reported/documents';

const FILES = [
  'd01-equations.docx',
  'd02-symbols.docx',
  'd03-spans.docx',
  'd05-merges.xlsx',
  'd07-excel.csv',
  'd08-unicode.csv',
  'd09-aria-hidden.html',
  'd10b-opacity-half.html',
  'd13-columns-rowwise.pdf',
  'd16-own-codes.pdf',
  'd19-clipped.md',
  'm02-colon.md',
].map((name) => `${FOLDER}/${name}`);

async function read(name: string): Promise<ReadRecord> {
  const { records, problems } = await readAll(sharedFile(`${FOLDER}/${name}`));
  expect(problems).toEqual([]);
  const [record, ...others] = records;
  expect(others).toEqual([]);
  if (record === undefined) throw new Error(`${name} has no text`);
  return record;
}

describeWithData(FILES, 'documents that were reported to be read wrongly', () => {
  it('reads fractions and powers of Word', async () => {
    const { content } = await read('d01-equations.docx');
    expect(content).toContain('The dose was raised to 1/4 of the maximum');
    expect(content).toContain('Risk grew with the exposure as 10³ particles per litre');
  });

  it('reads symbol characters of Word', async () => {
    const { content } = await read('d02-symbols.docx');
    expect(content).toContain('was 128 ± 12 mm Hg');
    expect(content).toContain('p ≤ 0.05');
    expect(content).toContain('was −4 degrees');
  });

  it('puts each figure of a Word table under its own header', async () => {
    const { content } = await read('d03-spans.docx');
    for (const row of [
      'Region: North; Treated: 12; Treated: 14; Placebo: 31.',
      'Region: South; Treated: 9; Treated: 11; Placebo: 28.',
      'Country: Norway; Year: 2019; Cases: 120.',
      'Country: Norway; Year: 2020; Cases: 140.',
      'Country: Chile; Year: 2019; Cases: 75.',
    ])
      expect(content.split('\n')).toContain(row);
  });

  it('gives each row of Excel the country of its merged cell', async () => {
    const { content, pages } = await read('d05-merges.xlsx');
    expect(content).toContain('Country: Norway; Year: 2020; Cases: 140.');
    expect(content).toContain('Country: Norway; Year: 2021; Cases: 155.');
    expect(content).toContain('Country: Chile; Year: 2020; Cases: 81.');
    expect(pages?.at(-1)?.name).toMatch(/^sheet “.+”, row 6, columns A–C$/);
  });

  it('reads a CSV of Excel in cp1252 with its line sep=;', async () => {
    const { content } = await read('d07-excel.csv');
    expect(content).not.toContain('sep=');
    expect(content).toContain(
      'Land: Österreich; Fälle: 1.204; Anteil: 12,5; Bemerkung: erste Zeile zweite Zeile.',
    );
    expect(content).toContain('Land: Schweiz; Fälle: 980; Anteil: 9,1; Bemerkung: keine.');
  });

  it('reads a CSV in UTF-16', async () => {
    const { content } = await read('d08-unicode.csv');
    expect(content).toBe(
      'Country: Türkiye; Cases: 1204; Share: 12.5.\n\nCountry: Polska; Cases: 980; Share: 9.1.',
    );
  });

  it('reads the article behind an open consent dialog', async () => {
    const { content } = await read('d09-aria-hidden.html');
    expect(content).toContain('In 2015, researchers followed 305 adults');
    expect(content).not.toContain('cookies');
  });

  it('reads sections that scripts fade in', async () => {
    const { content } = await read('d10b-opacity-half.html');
    expect(content).toContain('In 2011, researchers followed 301 adults');
    expect(content).toContain('In 2015, researchers followed 305 adults');
  });

  it('reads two columns of a PDF one behind the other', async () => {
    const { content } = await read('d13-columns-rowwise.pdf');
    expect(content.replace(/\s+/g, ' ')).toBe(
      'The committee reviewed the annual report on asthma care and found that admissions fell by 18 percent in the northern districts. ' +
        'Spending on inhalers rose to 4.2 million euros in the same year, while deaths among adults stayed at 31 in the whole region.',
    );
  });

  it('refuses a PDF whose font has no letters', async () => {
    const { records, problems } = await readAll(sharedFile(`${FOLDER}/d16-own-codes.pdf`));
    expect(records).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain('font');
  });

  it('reads a page clipped by Obsidian', async () => {
    const { content, url, author, publishedAt, accessedAt } = await read('d19-clipped.md');
    expect({ author, publishedAt, accessedAt }).toEqual({
      author: 'Ada Lund',
      publishedAt: '2024-05-02',
      accessedAt: '2026-11-02',
    });
    expect(url).toMatch(/^https:\/\/example\.org\/steroids/);
    expect(content).toContain('found that steroids reduced attacks by 21 percent compared');
    expect(content).toContain('Serious adverse events occurred in 14 of 310 adults.');
    expect(content).not.toMatch(/==|%%|\[\[|my own note|figure-1/);
  });

  it('reads a note whose title has a colon', async () => {
    const { content, title } = await read('m02-colon.md');
    expect(title).toBe('Inhaled steroids in adults: a two-year trial');
    expect(content).toMatch(/^In 2011, researchers followed 301 adults/);
  });
});
