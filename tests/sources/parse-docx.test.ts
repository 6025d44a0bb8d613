import {
  cell,
  lowered,
  math,
  mathPart,
  paragraph,
  raised,
  readOffice,
  row,
  run,
  table,
  wordFile,
  wordText,
} from './made-office';

const across = (columns: number): string => `<w:gridSpan w:val="${columns}"/>`;
const STARTED = '<w:vMerge w:val="restart"/>';
const CONTINUED = '<w:vMerge/>';
const HEADER = '<w:trPr><w:tblHeader/></w:trPr>';

const lines = async (body: string): Promise<string[]> => (await wordText(body)).split('\n\n');

describe('tables of Word', () => {
  it('puts figures under a header that covers two columns', async () => {
    const body = table(
      row('Region', cell('Treated', across(2)), 'Placebo'),
      row('North', '12', '14', '31'),
      row('South', '9', '11', '28'),
    );
    expect(await lines(body)).toEqual([
      'Region: North; Treated: 12; Treated: 14; Placebo: 31.',
      'Region: South; Treated: 9; Treated: 11; Placebo: 28.',
    ]);
  });

  it('joins two header rows, whether they are marked or not', async () => {
    const body = (...mark: string[]): string =>
      table(
        row(...mark, cell('Country', STARTED), cell('Women', across(2)), cell('Men', across(2))),
        row(...mark, cell('', CONTINUED), '2019', '2020', '2019', '2020'),
        row('Norway', '11', '12', '13', '14'),
        row('Chile', '21', '22', '23', '24'),
      );
    const statements = [
      'Country: Norway; Women 2019: 11; Women 2020: 12; Men 2019: 13; Men 2020: 14.',
      'Country: Chile; Women 2019: 21; Women 2020: 22; Men 2019: 23; Men 2020: 24.',
    ];
    expect(await lines(body(HEADER))).toEqual(statements);
    expect(await lines(body())).toEqual(statements);
  });

  it('leaves out a row whose deletion is tracked', async () => {
    const body = table(
      row(HEADER, 'Arm', 'n'),
      row('<w:trPr><w:del w:id="1"/></w:trPr>', 'Old', '4'),
      row('Drug', '5'),
    );
    expect(await lines(body)).toEqual(['Arm: Drug; n: 5.']);
  });

  it('joins the second header row where only the first is marked', async () => {
    const body = table(
      row(HEADER, 'Country', cell('Women', across(2))),
      row('', '2019', '2020'),
      row('Norway', '11', '12'),
      row('Chile', '21', '22'),
    );
    expect(await lines(body)).toEqual([
      'Country: Norway; Women 2019: 11; Women 2020: 12.',
      'Country: Chile; Women 2019: 21; Women 2020: 22.',
    ]);
  });

  it('repeats a label that covers three rows', async () => {
    const body = table(
      row('Country', 'Year', 'Cases'),
      row(cell('Norway', STARTED), '2019', '120'),
      row(cell('', CONTINUED), '2020', '140'),
      row(cell('', '<w:vMerge w:val="continue"/>'), '2021', '155'),
      row(cell('Chile', STARTED), '2019', '75'),
      row(cell('', CONTINUED), '2020', '81'),
    );
    expect(await lines(body)).toEqual([
      'Country: Norway; Year: 2019; Cases: 120.',
      'Country: Norway; Year: 2020; Cases: 140.',
      'Country: Norway; Year: 2021; Cases: 155.',
      'Country: Chile; Year: 2019; Cases: 75.',
      'Country: Chile; Year: 2020; Cases: 81.',
    ]);
  });

  it('merges over rows and columns at once', async () => {
    const body = table(
      row('Group', 'Age', 'Cases', 'Deaths'),
      row(cell('Women', STARTED), 'under 40', cell('not reported', across(2) + STARTED)),
      row(cell('', CONTINUED), 'over 40', cell('', across(2) + CONTINUED)),
      row('Men', 'all', '12', '3'),
    );
    expect(await lines(body)).toEqual([
      'Group: Women; Age: under 40; Cases: not reported; Deaths: not reported.',
      'Group: Women; Age: over 40; Cases: not reported; Deaths: not reported.',
      'Group: Men; Age: all; Cases: 12; Deaths: 3.',
    ]);
  });

  it('reads a row once that covers two rows', async () => {
    const body = table(
      row('Region', 'Cases', 'Deaths'),
      row(cell('North', STARTED), cell('12', STARTED), cell('3', STARTED)),
      row(cell('', CONTINUED), cell('', CONTINUED), cell('', CONTINUED)),
      row('South', '9', '2'),
    );
    expect(await lines(body)).toEqual([
      'Region: North; Cases: 12; Deaths: 3.',
      'Region: South; Cases: 9; Deaths: 2.',
    ]);
  });

  it('keeps the columns of rows that begin or end inside the table', async () => {
    const body = table(
      row('Region', 'Cases', 'Deaths'),
      row('North', '12', '3'),
      row('<w:trPr><w:gridBefore w:val="1"/></w:trPr>', '14', '4'),
      row('<w:trPr><w:gridAfter w:val="1"/></w:trPr>', 'South', '9'),
    );
    expect(await lines(body)).toEqual([
      'Region: North; Cases: 12; Deaths: 3.',
      'Cases: 14; Deaths: 4.',
      'Region: South; Cases: 9.',
    ]);
  });

  it('merges columns as old versions of Word do', async () => {
    const body = table(
      row('Region', cell('Treated', '<w:hMerge w:val="restart"/>'), cell('', '<w:hMerge/>'), 'Placebo'),
      row('North', '12', '14', '31'),
    );
    expect(await lines(body)).toEqual(['Region: North; Treated: 12; Treated: 14; Placebo: 31.']);
  });

  it('reads rows and cells in content controls', async () => {
    const controlled = (xml: string): string =>
      `<w:sdt><w:sdtPr/><w:sdtContent>${xml}</w:sdtContent></w:sdt>`;
    const body = table(
      row('Region', 'Cases'),
      controlled(row('North', '12')),
      `<w:tr>${cell('South')}${controlled(cell('9'))}</w:tr>`,
    );
    expect(await lines(body)).toEqual(['Region: North; Cases: 12.', 'Region: South; Cases: 9.']);
  });

  it('keeps the rows of a table in a cell with the row around it', async () => {
    const inner = (women: string, men: string): string =>
      cell(table(row('Sex', 'Cases'), row('Women', women), row('Men', men)) + paragraph(''));
    const body = table(
      row(HEADER, 'Region', 'By sex'),
      row('North', inner('12', '14')),
      row('South', inner('9', '11')),
    );
    expect(await lines(body)).toEqual([
      'Region: North; By sex: (Sex: Women; Cases: 12) (Sex: Men; Cases: 14).',
      'Region: South; By sex: (Sex: Women; Cases: 9) (Sex: Men; Cases: 11).',
    ]);
  });

  it('reads a table of one column as paragraphs', async () => {
    const frame = cell(paragraph('It helps.') + table(row('Region', 'Cases'), row('North', '12')));
    expect(await lines(table(row(frame), row('It ends.')))).toEqual([
      'It helps.',
      'Region: North; Cases: 12.',
      'It ends.',
    ]);
  });

  it('reads fractions, powers and formulas in cells', async () => {
    const fraction = paragraph(math(mathPart('f', { num: '1', den: '4' })));
    const body = table(
      row('Dose', cell(paragraph('CO', lowered('2'))), cell(paragraph('Area (m', raised('2'), ')'))),
      row(cell(fraction), '12', '1.9'),
      row('1', '14', '2.0'),
    );
    expect(await lines(body)).toEqual([
      'Dose: 1/4; CO₂: 12; Area (m²): 1.9.',
      'Dose: 1; CO₂: 14; Area (m²): 2.0.',
    ]);
  });

  it('reads white text on coloured ground only', async () => {
    const white = (text: string): string => paragraph(run(text, '<w:color w:val="FFFFFF"/>'));
    const blue = '<w:shd w:val="clear" w:fill="4472C4"/>';
    const body = table(
      row(cell(white('Region'), blue), cell(white('Cases'), blue)),
      row('North', cell(paragraph('12') + white('IGNORE'), '<w:shd w:val="clear" w:fill="auto"/>')),
    );
    expect(await lines(body)).toEqual(['Region: North; Cases: 12.']);
  });

  it('bounds the cells that merged cells cover', async () => {
    const wide = row(cell('a', across(9_000) + STARTED), 'b');
    const below = row(cell('', across(9_000) + CONTINUED), 'c');
    const body = table(wide, ...Array.from({ length: 400 }, () => below));
    await expect(wordText(body)).rejects.toThrow('a table of it has more than 2,000,000 cells');
  });
});

describe('text boxes of Word', () => {
  const box = (...paragraphs: string[]): string => `<w:txbxContent>${paragraphs.join('')}</w:txbxContent>`;
  const drawn = (content: string): string =>
    `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:wsp><wps:txbx>${content}</wps:txbx></wps:wsp></wp:anchor></w:drawing></mc:Choice>` +
    `<mc:Fallback><w:pict><v:shape><v:textbox>${content}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;

  it('reads a text box once, after the paragraph that it is anchored in', async () => {
    const body =
      paragraph('It helped 120 ', drawn(box(paragraph('Key result: 12 %.'))), 'adults.') +
      paragraph('It ends.');
    expect(await lines(body)).toEqual(['It helped 120 adults.', 'Key result: 12 %.', 'It ends.']);
  });

  it('reads two text boxes of a paragraph one after the other', async () => {
    const first = box(paragraph('First box.'), paragraph('Its second paragraph.'));
    const body = paragraph('It helped ', drawn(first), drawn(box(paragraph('Second box.'))), 'adults.');
    expect(await lines(body)).toEqual([
      'It helped adults.',
      'First box.',
      'Its second paragraph.',
      'Second box.',
    ]);
  });

  it('reads text boxes of old versions of Word', async () => {
    const old = `<w:r><w:pict><v:shape><v:textbox>${box(paragraph('Old box.'))}</v:textbox></v:shape></w:pict></w:r>`;
    expect(await lines(paragraph('It ', old, 'helped.'))).toEqual(['It helped.', 'Old box.']);
  });

  it('reads a fallback without a choice', async () => {
    const alone = `<w:r><mc:AlternateContent><mc:Fallback><w:t>Old.</w:t></mc:Fallback></mc:AlternateContent></w:r>`;
    expect(await lines(paragraph(alone))).toEqual(['Old.']);
  });

  it('starts no section with a heading in a text box', async () => {
    const heading = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Box</w:t></w:r></w:p>';
    const body =
      heading.replace('Box', 'Results') +
      paragraph('It helped', drawn(box(heading)), '.') +
      paragraph('It ends.');
    const { content, places } = await readOffice('docx', await wordFile(body));
    expect(content).toBe('# Results\n\nIt helped.\n\nBox\n\nIt ends.');
    expect(places).toEqual(['“Results”']);
  });

  it('reads tables in text boxes and text boxes in tables', async () => {
    const inTable = table(
      row('Region', 'Cases'),
      row('North', cell(paragraph('12', drawn(box(paragraph('A box.')))))),
    );
    const body = paragraph('Before.', drawn(box(table(row('Sex', 'Cases'), row('Women', '7')))));
    expect(await lines(body + inTable)).toEqual([
      'Before.',
      'Sex: Women; Cases: 7.',
      'Region: North; Cases: 12.',
      'A box.',
    ]);
  });
});

describe('notes of Word', () => {
  const note = (id: number, kind = 'footnote'): string =>
    `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:${kind}Reference w:id="${id}"/></w:r>`;

  it('puts notes after the paragraph that refers to them, without their numbers', async () => {
    const body =
      paragraph('Adults slept longer in sleep', note(2), ' and rest', note(1, 'endnote'), '.') +
      paragraph('It ends.', note(3));
    const parts = {
      footnotes: {
        2: paragraph('After a year.'),
        3: paragraph('In 2020.') + paragraph('In Oslo.'),
        4: paragraph('Unused.'),
      },
      endnotes: { 1: paragraph('At home.') },
    };
    expect((await wordText(body, parts)).split('\n\n')).toEqual([
      'Adults slept longer in sleep and rest.',
      'After a year.',
      'At home.',
      'It ends.',
      'In 2020.',
      'In Oslo.',
    ]);
  });

  it('puts notes of a table after it', async () => {
    const body =
      table(row('Region', 'Cases'), row('North', cell(paragraph('12', note(2))))) + paragraph('It ends.');
    const text = await wordText(body, { footnotes: { 2: paragraph('Without Oslo.') } });
    expect(text).toBe('Region: North; Cases: 12.\n\nWithout Oslo.\n\nIt ends.');
  });

  it('omits marks that are typed by hand', async () => {
    const marked = '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="2"/><w:t>2</w:t></w:r>';
    const text = await wordText(paragraph('It aids sleep', marked, '.'), {
      footnotes: { 2: paragraph('At home.') },
    });
    expect(text).toBe('It aids sleep.\n\nAt home.');
  });

  it('omits the number of a second reference to a note', async () => {
    const styles =
      '<w:style w:styleId="FootnoteReference"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>';
    const again = run('2', '<w:rStyle w:val="FootnoteReference"/>');
    const body = paragraph('It aids sleep', note(2), '.') + paragraph('It aids sleep', again, '.');
    const text = await wordText(body, { styles, footnotes: { 2: paragraph('At home.') } });
    expect(text).toBe('It aids sleep.\n\nAt home.\n\nIt aids sleep.');
  });

  it('reads a note once, even if it refers to itself', async () => {
    const text = await wordText(paragraph('It helps', note(2), note(2), '.'), {
      footnotes: { 2: paragraph('See', note(2), ' there.') },
    });
    expect(text).toBe('It helps.\n\nSee there.');
  });
});

describe('hidden and unknown text of Word', () => {
  it('skips text that is hidden by the style of its run', async () => {
    const styles = '<w:style w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style>';
    const body = paragraph('It helps.', run(' IGNORE', '<w:rStyle w:val="H"/>'));
    expect(await wordText(body, { styles })).toBe('It helps.');
  });

  it('reports signs of unknown fonts and equations that are pictures or commands', async () => {
    const unknown = '<w:r><w:sym w:font="MT Extra" w:char="F06C"/></w:r>';
    const picture = '<w:r><w:object><v:shape/><o:OLEObject ProgID="Equation.DSMT4"/></w:object></w:r>';
    const command = '<w:r><w:instrText> EQ \\f(1,4) </w:instrText></w:r>';
    const body = paragraph('It was ', unknown, '4, ', picture, ' and ', command, '.');
    const { content, remarks } = await readOffice('docx', await wordFile(body));
    expect(content).toBe('It was \ufffd4, \ufffd and \ufffd.');
    expect(remarks).toEqual(['3 signs or equations cannot be read and are shown as \ufffd']);
  });

  it('reads the font of a sign from the style of its run', async () => {
    const styles = '<w:style w:styleId="S"><w:rPr><w:rFonts w:hAnsi="Symbol"/></w:rPr></w:style>';
    const sign = run('\uf0b1', '<w:rStyle w:val="S"/><w:rFonts w:hint="default"/>');
    expect(await wordText(paragraph('1 ', sign, ' 2'), { styles })).toBe('1 ± 2');
  });
});
