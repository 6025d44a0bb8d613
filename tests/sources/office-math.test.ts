import { lowered, math, mathPart, paragraph, raised, run, wordText } from './made-office';

const half = mathPart('f', { num: '1', den: '2' });
const fraction = (num: string, den: string): string => mathPart('f', { num, den });
const power = (e: string, sup: string): string => mathPart('sSup', { e, sup });
const index = (e: string, sub: string): string => mathPart('sSub', { e, sub });
const brackets = (e: string): string => mathPart('d', { e });

describe('equations of Office', () => {
  it.each([
    ['a fraction', [fraction('1', '4')], '1/4'],
    ['a fraction of sums', [fraction('a+b', 'c−d')], '(a+b)/(c−d)'],
    ['a fraction with a product below', [fraction('2x', '3y')], '2x/(3y)'],
    ['a fraction of words', [fraction('cases per year', 'population')], '(cases per year)/population'],
    ['a fraction in a fraction', [fraction(fraction('1', '2'), '3')], '(1/2)/3'],
    ['a negative fraction', [fraction('−1', '4')], '−1/4'],
    ['a mixed number', ['2', fraction('1', '4')], '2 1/4'],
    ['a fraction before a letter', [half, 'm', power('v', '2')], '1/2 mv²'],
    ['a fraction in brackets', [brackets(half)], '(1/2)'],
    ['a power', [power('10', '3')], '10³'],
    ['a negative power', [power('10', '-3')], '10⁻³'],
    ['a power with a Unicode minus', [power('10', '−3')], '10⁻³'],
    ['a power without a character', [power('10', '0.5')], '10^(0.5)'],
    ['a power of letters', [power('e', '−kt')], 'e^(−kt)'],
    ['a power of a fraction', [power(half, '2')], '(1/2)²'],
    ['a power of a sum', [power(brackets('x+1'), '2')], '(x+1)²'],
    ['a power of a power', [power(power('x', '2'), '3')], '(x²)³'],
    ['a fraction as power', [power('x', fraction('1', '3'))], 'x^(1/3)'],
    ['a power of a long name', [power('time', '2')], 'time^(2)'],
    ['degrees', [power('45.0', '∘')], '45.0°'],
    ['a prime', [power('f', '′'), brackets('x')], 'f′(x)'],
    ['a formula', [index('H', '2'), 'O'], 'H₂O'],
    ['an ion', [mathPart('sSubSup', { e: 'SO', sub: '4', sup: '2−' })], 'SO₄²⁻'],
    ['an index of a letter', [index('x', 'i')], 'xᵢ'],
    ['an index of a word', [index('C', 'max')], 'C_(max)'],
    ['an isotope', ['2', mathPart('sPre', { sub: '6', sup: '14', e: 'C' })], '2 ¹⁴₆C'],
    ['a root', [mathPart('rad', { deg: '', e: 'x' }, { degHide: '1' })], '√x'],
    ['a root of a sum', [mathPart('rad', { deg: '', e: 'x+1' }, { degHide: '1' })], '√(x+1)'],
    ['a root before a letter', [mathPart('rad', { deg: '', e: '2' }, { degHide: 'on' }), 'x'], '√2 x'],
    ['a cube root', [mathPart('rad', { deg: '3', e: 'x' })], '∛x'],
    ['a fifth root', [mathPart('rad', { deg: '5', e: 'x+1' })], '(x+1)^(1/5)'],
    ['a sum', [mathPart('nary', { sub: 'i=1', sup: 'n', e: index('x', 'i') }, { chr: '∑' })], '∑_(i=1)ⁿ xᵢ'],
    ['an integral', [mathPart('nary', { sub: '0', sup: '1', e: 'x+1 dx' })], '∫₀¹ x+1 dx'],
    ['other brackets', [mathPart('d', { e: 'x' }, { begChr: '|', endChr: '|' })], '|x|'],
    ['a function', [mathPart('func', { fName: 'sin', e: 'x' })], 'sin x'],
    ['a function in brackets', ['2', mathPart('func', { fName: 'ln', e: brackets('x+1') })], '2ln(x+1)'],
    ['a function of a sum', [mathPart('func', { fName: index('log', '10'), e: 'a+b' })], 'log₁₀(a+b)'],
    [
      'a limit',
      [mathPart('func', { fName: mathPart('limLow', { e: 'lim', lim: 'x→0' }), e: 'x' })],
      'lim_(x→0) x',
    ],
    ['a mean', [mathPart('acc', { e: 'x' }, { chr: '\u0305' })], 'x\u0304'],
    ['a mean by a bar', [mathPart('bar', { e: '𝑥' }, { pos: 'top' })], 'x\u0304'],
    ['an estimate', [mathPart('acc', { e: 'p' })], 'p\u0302'],
    [
      'a binomial coefficient',
      [brackets(mathPart('f', { num: 'n', den: 'k' }, { type: 'noBar' }))],
      '(n choose k)',
    ],
    [
      'cases',
      [mathPart('d', { e: mathPart('eqArr', { e: 'x&amp;=1' }) }, { begChr: '{', endChr: '' })],
      '{x=1',
    ],
    ['letters of mathematical alphabets', ['𝑝 &lt; 𝟎.𝟎𝟓'], 'p < 0.05'],
  ])('reads %s', async (_name, parts, text) => {
    expect(await wordText(paragraph('It is ', math(...parts), '.'))).toBe(`It is ${text}.`);
  });

  it('reads matrices by their rows', async () => {
    const line = (...cells: string[]): string =>
      `<m:mr>${cells.map((cell) => `<m:e><m:r><m:t>${cell}</m:t></m:r></m:e>`).join('')}</m:mr>`;
    const matrix = `<m:m><m:mPr/>${line('1', '2')}${line('3', '4')}</m:m>`;
    expect(await wordText(paragraph(math(matrix), ' and ', math(brackets(matrix))))).toBe(
      '[1, 2; 3, 4] and (1, 2; 3, 4)',
    );
  });

  it('keeps a fraction apart from the number before it in the sentence', async () => {
    expect(await wordText(paragraph('It took 2', math(half), ' hours.'))).toBe('It took 2 1/2 hours.');
  });

  it('reads equations in lines of their own', async () => {
    const lines = `<m:oMathPara><m:oMathParaPr/>${math('x=1')}${math('y=', half)}</m:oMathPara>`;
    expect(await wordText(paragraph(lines))).toBe('x=1; y=1/2');
  });

  it('skips deleted and hidden parts of equations', async () => {
    const deleted = '<w:del><m:r><m:t>9</m:t></m:r></w:del>';
    const hidden = '<m:r><m:rPr/><w:rPr><w:vanish/></w:rPr><m:t>8</m:t></m:r>';
    const inserted = `<w:ins>${half}</w:ins>`;
    expect(await wordText(paragraph(math(deleted, hidden, 'x=', inserted)))).toBe('x=1/2');
  });
});

describe('raised and lowered text', () => {
  it.each([
    ['a power', ['10', raised('3'), ' per litre'], '10³ per litre'],
    ['a power in several runs', ['10', raised('-'), raised('3'), ' per litre'], '10⁻³ per litre'],
    ['a power with a dash', ['10', raised('–6 '), 'm'], '10⁻⁶ m'],
    ['a power without a character', ['10', raised('0.5')], '10^(0.5)'],
    ['a power of a letter', ['e', raised('-kt')], 'e^(-kt)'],
    ['an area', ['28.1 kg/m', raised('2')], '28.1 kg/m²'],
    ['an ordinal', ['the 19', raised('th'), ' century'], 'the 19th century'],
    ['an ion', ['Ca', raised('2+')], 'Ca²⁺'],
    ['the letter of a note', ['Norway', raised('a'), ' and endnotes', raised('iv')], 'Norway and endnotes'],
    ['a gas', ['CO', lowered('2')], 'CO₂'],
    ['particles', ['PM', lowered('2.5')], 'PM₂.₅'],
    ['oxygen uptake', ['VO', lowered('2max')], 'VO₂max'],
    ['a peak', ['C', lowered('max')], 'Cmax'],
    ['a half-life', ['t', lowered('1/2')], 't_(1/2)'],
    ['an index', ['x', lowered('i')], 'xᵢ'],
    ['a degree in the style of the run', ['m', run('2', '<w:rStyle w:val="Up"/>')], 'm²'],
  ])('reads %s', async (_name, parts, text) => {
    const styles =
      '<w:style w:styleId="Base"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>' +
      '<w:style w:styleId="Up"><w:basedOn w:val="Base"/></w:style>';
    expect(await wordText(paragraph(...parts), { styles })).toBe(text);
  });
});

describe('symbol fonts', () => {
  const symbol = (font: string, char: string): string =>
    `<w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>`;
  const inSymbol = (text: string): string => run(text, '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>');

  it.each([
    ['F0B1', '±'],
    ['F0A3', '≤'],
    ['F0B3', '≥'],
    ['F02D', '−'],
    ['F06D', 'μ'],
    ['F0B4', '×'],
    ['F0B0', '°'],
    ['F061', 'α'],
    ['F077', 'ω'],
    ['00B1', '±'],
    ['F0B9', '≠'],
    ['F0A5', '∞'],
  ])('reads %s of Symbol as %s', async (code, sign) => {
    expect(await wordText(paragraph('a ', symbol('Symbol', code), ' b'))).toBe(`a ${sign} b`);
  });

  it('reads signs of Wingdings and of ordinary fonts', async () => {
    const signs = [
      symbol('Wingdings', 'F0E0'),
      ' ',
      symbol('Wingdings', 'F0FC'),
      ' ',
      symbol('Arial', '2265'),
    ];
    expect(await wordText(paragraph(...signs))).toBe('→ ✓ ≥');
  });

  it('reads text that is set in Symbol', async () => {
    expect(await wordText(paragraph('5 ', inSymbol('m'), 'g, ', inSymbol('\uf062 £'), ' 0.05'))).toBe(
      '5 μg, β ≤ 0.05',
    );
  });

  it('shows that a sign is unknown', async () => {
    expect(await wordText(paragraph('It was ', symbol('MT Extra', 'F06C'), '4 degrees.'))).toBe(
      'It was \ufffd4 degrees.',
    );
  });

  it('keeps the Unicode minus', async () => {
    expect(await wordText(paragraph('It was −4 degrees.'))).toBe('It was −4 degrees.');
  });
});
