import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

const TABLE = 'Land;Fälle;Anteil\r\nÖsterreich;1.204;12,5\r\n';
const STATEMENT = 'Land: Österreich; Fälle: 1.204; Anteil: 12,5.';

function utf16(text: string, isBigEndian = false): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
}

async function read(
  csv: string | Uint8Array,
  name = 'a.csv',
): Promise<{ content: string | undefined; places: (string | undefined)[] }> {
  const { records, problems } = await readAll(await folder.write(name, csv));
  expect(problems).toEqual([]);
  return { content: records[0]?.content, places: records[0]?.pages?.map((page) => page.name) ?? [] };
}

describe('CSV', () => {
  it('reads each row as a statement with its header, and cites row and columns', async () => {
    const csv = 'Country,Year,"Rate, in %"\r\nNorway,2019,3.4\r\n"Kongo, Dem. Rep.",2020,\r\n\r\n';
    const { records, problems } = await readAll(await folder.write('rates.csv', csv));
    expect(problems).toEqual([]);
    const [record] = records;
    expect(record).toMatchObject({ title: 'rates', file: 'rates.csv', mediaType: 'text/csv' });
    expect(record?.content).toBe(
      'Country: Norway; Year: 2019; Rate, in %: 3.4.\n\nCountry: Kongo, Dem. Rep.; Year: 2020.',
    );
    expect(record?.pages?.map(({ name }) => name)).toEqual(['row 2, columns A–C', 'row 3, columns A–B']);
  });

  it.each([
    ['semicolons', 'Land;Wert\nNorwegen;3,4'],
    ['tabs', 'Land\tWert\nNorwegen\t3,4'],
    ['the sign that its first line names', 'sep=^\nLand^Wert\nNorwegen^3,4'],
  ])('finds out that cells are separated by %s', async (_name, csv) => {
    expect(await read(csv)).toEqual({
      content: 'Land: Norwegen; Wert: 3,4.',
      places: ['row 2, columns A–B'],
    });
  });

  it('reads titles above the header, and has no header of numbers alone', async () => {
    expect((await read('Rates of 2019,\nCountry,Rate\nNorway,3.4')).content).toBe(
      'Rates of 2019\n\nCountry: Norway; Rate: 3.4.',
    );
    expect((await read('1,2\n3,4')).content).toBe('1; 2.\n\n3; 4.');
  });

  it('joins header rows that were merged in a spreadsheet', async () => {
    const { content, places } = await read('Country,Women,,Men,\n,2019,2020,2019,2020\nNorway,12,14,10,11');
    expect(content).toBe('Country: Norway; Women 2019: 12; Women 2020: 14; Men 2019: 10; Men 2020: 11.');
    expect(places).toEqual(['row 3, columns A–E']);
  });

  it('counts blank rows, and reads a second table under its own header', async () => {
    const { content, places } = await read('Country,Cases\nNorway,120\n\nDrug,Deaths\nAlpha,3\n');
    expect(content).toBe('Country: Norway; Cases: 120.\n\nDrug: Alpha; Deaths: 3.');
    expect(places).toEqual(['row 2, columns A–B', 'row 5, columns A–B']);
  });

  it('counts a row with line ends in quotes once', async () => {
    const { content, places } = await read('Land;Wert;Notiz\nA;1;"erste\r\nzweite"\nB;2;keine');
    expect(content).toBe('Land: A; Wert: 1; Notiz: erste zweite.\n\nLand: B; Wert: 2; Notiz: keine.');
    expect(places).toEqual(['row 2, columns A–C', 'row 3, columns A–C']);
  });

  it.each([
    ['Windows-1252', Buffer.from(TABLE, 'latin1')],
    ['Windows-1252 with sep=', Buffer.from(`sep=;\r\n${TABLE}`, 'latin1')],
    ['UTF-8', Buffer.from(TABLE)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TABLE}`)],
    ['UTF-8 with a byte order mark and sep=', Buffer.from(`\ufeffsep=;\r\n${TABLE}`)],
    ['UTF-16 LE', utf16(`\ufeff${TABLE}`)],
    ['UTF-16 BE', utf16(`\ufeff${TABLE}`, true)],
    ['UTF-16 LE without a byte order mark', utf16(TABLE)],
    ['UTF-16 BE without a byte order mark', utf16(TABLE, true)],
  ])('reads %s', async (_name, bytes) => {
    expect(await read(bytes)).toEqual({ content: STATEMENT, places: ['row 2, columns A–C'] });
  });

  it('reads the text that Excel saves as Unicode', async () => {
    const { content } = await read(utf16('\ufeffCountry\tCases\r\nTürkiye\t1204\r\n'), 'a.tsv');
    expect(content).toBe('Country: Türkiye; Cases: 1204.');
  });

  it('refuses binary files and encodings that cannot be told apart', async () => {
    await folder.write('a.csv', Buffer.from('Country,Cases\n\0\u0001\0'));
    await folder.write('b.csv', Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x3b, 0x31, 0x0a]));
    await folder.write('c.csv', Buffer.from('ca\xb3y;1\nNorway;2\n', 'latin1'));
    expect(toldProblems((await readAll(folder.path)).problems, folder)).toEqual([
      'a.csv: it is no table, whatever its name says; give it with the ending of what it is',
      'b.csv: broken UTF-8; save the file as UTF-8',
      'c.csv: broken UTF-8; save the file as UTF-8',
    ]);
  });

  it('cites several rows together where there are very many', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `Name ${at},${at}`).join('\n');
    const { places } = await read(`Name,Number\n${rows}`);
    expect(places.length).toBeLessThanOrEqual(2_000);
    expect(places[0]).toBe('rows 2–4, columns A–B');
    expect(places.at(-1)).toBe('rows 5000–5001, columns A–B');
  });
});

describe('text files', () => {
  const TEXT = 'Die Fälle in Österreich sanken um 12 % – von 40 auf 35.';

  it.each([
    ['a.txt', 'Windows-1252', Buffer.from(TEXT.replace('–', '\x96'), 'latin1')],
    ['a.md', 'Windows-1252', Buffer.from(TEXT.replace('–', '\x96'), 'latin1')],
    ['a.txt', 'UTF-16 LE', utf16(`\ufeff${TEXT}`)],
    ['a.md', 'UTF-16 BE', utf16(`\ufeff${TEXT}`, true)],
    ['a.txt', 'UTF-16 without a byte order mark', utf16(TEXT)],
    ['a.json', 'UTF-16', utf16(`\ufeff${JSON.stringify({ content: TEXT })}`)],
  ])('%s is read in %s', async (name, _encoding, bytes) => {
    expect((await read(bytes, name)).content).toBe(TEXT);
  });

  it('is refused if it is binary', async () => {
    await folder.write('a.txt', Buffer.from('one\n\0\u0001'));
    await folder.write('b.md', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]));
    await folder.write('c.txt', Buffer.from('\x89PIC\x05\x06text', 'latin1'));
    expect(toldProblems((await readAll(folder.path)).problems, folder)).toEqual([
      'a.txt:2: a binary file, not text',
      'b.md: broken UTF-16; save the file as UTF-8',
      'c.txt:1: broken UTF-8; save the file as UTF-8',
    ]);
  });
});
