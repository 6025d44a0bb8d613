import { toSubscript, toSuperscript } from './document-text';
import { finishLine, markApart } from './office-text';
import { attributeByName, childElements, type XmlElement } from './xml';

// Equations of Office (OMML) as one line of text, such as `x̄ = (x₁+x₂)/2`.

/** `readRun` reads `m:r` and `w:r`. The text has the marks of `office-text.ts`. */
export function mathText(math: XmlElement, readRun: (run: XmlElement) => string): string {
  const texts = (element: XmlElement, local: string): string[] =>
    childElements(element, local).map((part) => finishLine(mathText(part, readRun)));
  return childElements(math)
    .map((child) => {
      if (child.local === 'r') return plainLetters(readRun(child));
      if (SKIPPED_ELEMENTS.has(child.local) || child.local.endsWith('Pr')) return '';
      const write = STRUCTURES.get(child.local);
      if (write === undefined) return mathText(child, readRun);
      return write({ element: child, texts, part: (local) => texts(child, local).join('') });
    })
    .join('');
}

/** The equations of a paragraph of equations have lines of their own. */
export function mathParagraphText(paragraph: XmlElement, readRun: (run: XmlElement) => string): string {
  return childElements(paragraph, 'oMath')
    .map((math) => mathText(math, readRun))
    .filter((text) => finishLine(text) !== '')
    .join('; ');
}

const SKIPPED_ELEMENTS = new Set(['del', 'moveFrom', 'Fallback']);

interface Structure {
  element: XmlElement;
  /** Texts of the children with a name. */
  texts: (element: XmlElement, local: string) => string[];
  part: (local: string) => string;
}

const STRUCTURES: ReadonlyMap<string, (structure: Structure) => string> = new Map([
  ['f', writeFraction],
  ['sSup', ({ part }: Structure) => base(part('e')) + raised(part('sup'), part('e'))],
  ['sSub', ({ part }: Structure) => base(part('e')) + lowered(part('sub'))],
  ['sSubSup', ({ part }: Structure) => base(part('e')) + lowered(part('sub')) + raised(part('sup'))],
  ['sPre', ({ part }: Structure) => markApart(raised(part('sup')) + lowered(part('sub')) + part('e'))],
  ['rad', writeRoot],
  ['nary', writeOperator],
  ['d', writeDelimited],
  ['func', writeFunction],
  ['limLow', ({ part }: Structure) => `${base(part('e'))}_(${part('lim')})`],
  ['limUpp', ({ part }: Structure) => `${base(part('e'))}^(${part('lim')})`],
  ['acc', ({ element, part }: Structure) => accented(part('e'), setting(element, 'chr') ?? '\u0302')],
  ['bar', writeBar],
  ['m', writeMatrix],
  ['eqArr', ({ element, texts }: Structure) => texts(element, 'e').join('; ').replace(/&/g, '')],
  ['phant', ({ element, part }: Structure) => (isOff(setting(element, 'show')) ? '' : part('e'))],
]);

function setting(element: XmlElement, local: string): string | undefined {
  const [properties] = childElements(element, `${element.local}Pr`);
  const [found] = properties === undefined ? [] : childElements(properties, local);
  return found === undefined ? undefined : (attributeByName(found, 'val') ?? '');
}

function isOff(value: string | undefined): boolean {
  return /^(?:0|false|off)$/.test(value ?? '');
}

/** Letters of the mathematical alphabets become plain; invisible operators keep their sides apart. */
function plainLetters(text: string): string {
  return text
    .replace(/[\u{1d400}-\u{1d7ff}\u210e]/gu, (letter) => letter.normalize('NFKC'))
    .replace(/[\u2061-\u2064]/g, markApart(''));
}

function writeFraction({ element, part }: Structure): string {
  const [above, below] = [part('num'), part('den')];
  if (setting(element, 'type') === 'noBar') return `${above}¦${below}`;
  const dividend = /[/^]/.test(outsideBrackets(above)) || isSum(above) ? `(${above})` : above;
  return markApart(`${dividend}/${isSingle(below) ? below : `(${below})`}`);
}

function writeRoot({ element, part }: Structure): string {
  const content = part('e');
  const degree = isOff(setting(element, 'degHide') ?? '0') ? part('deg') : '';
  const sign = ROOTS.get(degree);
  if (sign === undefined) return `${base(content)}^(1/${isSingle(degree) ? degree : `(${degree})`})`;
  const isClear = isSingle(content) && !/^\p{L}{2}/u.test(content);
  return `${sign}${isClear ? content : `(${content})`}${markApart('')}`;
}

const ROOTS = new Map([
  ['', '√'],
  ['2', '√'],
  ['3', '∛'],
  ['4', '∜'],
]);

function writeOperator({ element, part }: Structure): string {
  const sign = setting(element, 'chr') ?? '∫';
  const content = part('e');
  const isIntegral = /[∫-∳]/.test(sign);
  const operand = isSum(content) && !isIntegral ? `(${content})` : content;
  return `${sign}${lowered(part('sub'))}${raised(part('sup'))} ${operand}`;
}

function writeDelimited({ element, texts }: Structure): string {
  const content = texts(element, 'e').join(setting(element, 'sepChr') ?? '|');
  const [only, ...others] = childElements(element, 'e').flatMap((part) =>
    childElements(part).filter(({ local }) => !local.endsWith('Pr')),
  );
  const isOnly = (local: string): boolean => others.length === 0 && only?.local === local;
  const inside = isOnly('m')
    ? content.slice(1, -1)
    : isOnly('f')
      ? content.replace('¦', ' choose ')
      : content;
  return `${setting(element, 'begChr') ?? '('}${inside}${setting(element, 'endChr') ?? ')'}`;
}

function writeFunction({ part }: Structure): string {
  const [name, operand] = [part('fName'), part('e')];
  if (isEnclosed(operand)) return `${name}${operand}`;
  return markApart(isSingle(operand) ? `${name} ${operand}` : `${name}(${operand})`);
}

function writeBar({ element, part }: Structure): string {
  return accented(part('e'), setting(element, 'pos') === 'top' ? '\u0305' : '\u0332');
}

function accented(text: string, accent: string): string {
  const letters = Array.from(text);
  // The macron is how `x̄` is written outside of equations.
  const mark = accent === '\u0305' && letters.length === 1 ? '\u0304' : accent;
  return /^\p{M}*$/u.test(mark) ? letters.map((letter) => letter + mark).join('') : text + mark;
}

function writeMatrix({ element, texts }: Structure): string {
  const rows = childElements(element, 'mr').map((row) => texts(row, 'e').join(', '));
  return `[${rows.join('; ')}]`;
}

/** Raised digits after long words are removed as note numbers when documents are cleaned. */
function raised(text: string, before = ''): string {
  if (text === '∘') return '°';
  if (text === '' || /^[′″‴'*∗†°]+$/.test(text)) return text;
  const converted = /\p{L}{4}$/u.test(before) ? text : toSuperscript(text);
  return converted === text ? `^(${text})` : converted;
}

function lowered(text: string): string {
  const converted = toSubscript(text);
  return text === '' || converted !== text ? converted : `_(${text})`;
}

/** What an exponent or an index belongs to. */
function base(text: string): string {
  const open = outsideBrackets(text);
  return isSum(text) || /[/^√∛∜⁰¹²³⁴-ⁿ]/.test(open) ? `(${text})` : text;
}

/** A sum, a product with signs or words with blanks, which need brackets as a part of something else. */
function isSum(text: string): boolean {
  return /[\s+±∓=<>≤≥≠≈·×]|.[-−]/.test(outsideBrackets(text));
}

/** A number, a name or something in brackets, with its indices. */
function isSingle(text: string): boolean {
  return /^(?:\d[\d.,]*|\p{L}\p{M}*|\p{L}{2,}|⟨⟩)[\p{No}ⁱ⁺-ⁿ₊-₎ₐ-ₜᵢ-ᵪ]*(?:[_^]⟨⟩)*$/u.test(
    outsideBrackets(text, '⟨⟩'),
  );
}

function isEnclosed(text: string): boolean {
  return outsideBrackets(text, '⟨⟩') === '⟨⟩';
}

/** The text with `instead` for each part in brackets. */
function outsideBrackets(text: string, instead = ''): string {
  const bare = text.replace(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|\|[^|]*\|/g, instead);
  return bare === text || bare === instead ? bare : outsideBrackets(bare, instead);
}
