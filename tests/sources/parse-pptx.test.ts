import {
  mathPart,
  math,
  readOffice,
  slide,
  slideCell,
  slideFile,
  slideParagraph,
  slideRow,
  slideShape,
  slideTable,
  slideText,
} from './made-office';

const slideRun = (text: string, properties: string): string => `<a:r>${properties}<a:t>${text}</a:t></a:r>`;
const atBaseline = (text: string, baseline: number): string =>
  slideRun(text, `<a:rPr baseline="${baseline}"/>`);

describe('PowerPoint slides', () => {
  it('reads slides in their order with titles, tables and notes, and cites each', async () => {
    const pptx = await slideFile(
      [
        slide(
          slideShape('title', 'Vitamin D') +
            slideShape('body', 'It helps.', 'It is cheap.') +
            slideShape('sldNum', '1'),
        ),
        slide(slideShape('title', 'Secret'), 'show="0"'),
        slide(slideTable('firstRow="1"', slideRow('Group', 'Change'), slideRow('All', '+1'))),
        slide('<p:pic/>'),
      ],
      'Said aloud.',
    );
    const { content, places, remarks } = await readOffice('pptx', pptx);
    expect(content).toBe(
      '## Vitamin D\n\nIt helps.\n\nIt is cheap.\n\nNotes: Said aloud.\n\nGroup: All; Change: +1.',
    );
    expect(places).toEqual(['slide 1', 'slide 3', 'slide 4']);
    expect(remarks).toEqual(['1 of its 3 slides has no text', '1 hidden slide is left out']);
  });

  it('rejects slides that are only images', async () => {
    await expect(slideText(slide('<p:pic/>'))).rejects.toThrow(
      'its 1 slide has no text, only images, it seems; have its text recognised (OCR) first',
    );
  });

  it('puts figures under merged headers and beside merged labels', async () => {
    const covered = slideCell('', 'hMerge="1"');
    const table = slideTable(
      'firstRow="1" bandRow="1"',
      slideRow(
        slideCell('Country', 'rowSpan="2"'),
        slideCell('Year', 'rowSpan="2"'),
        slideCell('Cases', 'gridSpan="2"'),
        covered,
      ),
      slideRow(slideCell('', 'vMerge="1"'), slideCell('', 'vMerge="1"'), 'Women', 'Men'),
      slideRow(slideCell('Norway', 'rowSpan="3"'), '2019', '11', '12'),
      slideRow(slideCell('', 'vMerge="1"'), '2020', '13', '14'),
      slideRow(slideCell('', 'vMerge="1"'), '2021', '15', '16'),
      slideRow('Chile', '2019', slideCell('not reported', 'gridSpan="2"'), covered),
    );
    expect((await slideText(slide(table))).split('\n\n')).toEqual([
      'Country: Norway; Year: 2019; Cases Women: 11; Cases Men: 12.',
      'Country: Norway; Year: 2020; Cases Women: 13; Cases Men: 14.',
      'Country: Norway; Year: 2021; Cases Women: 15; Cases Men: 16.',
      'Country: Chile; Year: 2019; Cases Women: not reported; Cases Men: not reported.',
    ]);
  });

  it('takes the first row of years as headers where the table marks it', async () => {
    const table = slideTable(
      'firstRow="1"',
      slideRow('Country', '2019', '2020'),
      slideRow('Norway', '1201', '1302'),
    );
    expect(await slideText(slide(table))).toBe('Country: Norway; 2019: 1201; 2020: 1302.');
  });

  it('reads raised and lowered text', async () => {
    const text = slideParagraph(
      '10',
      atBaseline('-', 30_000),
      atBaseline('3', 30_000),
      ' mol CO',
      atBaseline('2', -25_000),
      ' per m',
      atBaseline('2', 30_000),
    );
    expect(await slideText(slide(slideShape('body', text)))).toBe('10⁻³ mol CO₂ per m²');
  });

  it('reads equations once, without the picture for older programs', async () => {
    const equation = `<a14:m><m:oMathPara>${math('𝑥=', mathPart('f', { num: '1', den: '4' }))}</m:oMathPara></a14:m>`;
    const shape = (paragraph: string): string => slideShape('body', paragraph);
    const both =
      `<mc:AlternateContent><mc:Choice Requires="a14">${shape(slideParagraph('So ', equation, '.'))}</mc:Choice>` +
      `<mc:Fallback>${shape('So x=14.')}</mc:Fallback></mc:AlternateContent>`;
    expect(await slideText(slide(both))).toBe('So x=1/4.');
  });

  it('reads symbol fonts and fields, and no slide numbers', async () => {
    const symbol = slideRun('\uf0b1', '<a:rPr><a:latin typeface="Arial"/><a:sym typeface="Symbol"/></a:rPr>');
    const letter = slideRun('m', '<a:rPr><a:latin typeface="Symbol"/></a:rPr>');
    const text = slideParagraph(
      '128 ',
      symbol,
      ' 12 ',
      letter,
      'g in ',
      '<a:fld type="datetime1"><a:rPr/><a:t>2020</a:t></a:fld>',
      '<a:fld type="slidenum"><a:rPr/><a:t>7</a:t></a:fld>',
    );
    expect(await slideText(slide(slideShape('body', text)))).toBe('128 ± 12 μg in 2020');
  });
});
