import { stripUnsafe } from '../../lib/untrusted-text';
import {
  attributeOf,
  childrenOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isHiddenElement,
  rawTextOf,
  styleOf,
  textOf,
} from './html-tree';
import { mathText } from './office-math';
import { markApart } from './office-text';
import { type XmlElement, xmlText } from './xml';

// MathML as one line of text, by way of the equations of Office, which have the same structures; and formulas in other
// elements.

/** With the marks of `office-text.ts`. */
export function mathMarkupText(math: HtmlElement): string {
  return mathText(structure('oMath', ...convertChildren(math)), xmlText);
}

/** A formula that a page shows as an image: its markup, which is hidden, else the text of the image. */
export function imageFormulaText(element: HtmlElement): string | null {
  if (isFormulaImage(element)) {
    const before = elementBeside(element, -1);
    const isTold = before !== null && mathIn(before) !== undefined;
    return isTold ? null : markApart(stripUnsafe(attributeOf(element, 'alt') ?? ''));
  }
  const math = mathIn(element);
  const image = math === undefined ? null : elementBeside(element, 1);
  return math !== undefined && image !== null && isFormulaImage(image)
    ? markApart(mathMarkupText(math))
    : null;
}

function mathIn(element: HtmlElement): HtmlElement | undefined {
  return elementsIn(element, ({ tagName }) => tagName === 'math')[0];
}

function elementBeside(element: HtmlElement, step: 1 | -1): HtmlElement | null {
  const siblings = element.parentNode === null ? [] : childrenOf(element.parentNode);
  const at = siblings.indexOf(element) + step;
  const beside = [siblings[at], siblings[at + step]].find(
    (node) => node !== undefined && (isElement(node) || textOf(node) !== ''),
  );
  return beside !== undefined && isElement(beside) ? beside : null;
}

const FORMULA_CLASS = /(?:^|[\s_-])(?:math|tex|latex)(?:$|[\s_-])/i;

function isFormulaImage(element: HtmlElement): boolean {
  return element.tagName === 'img' && FORMULA_CLASS.test(attributeOf(element, 'class') ?? '');
}

const FRACTION_CLASS = /\b[a-z]{0,5}frac(?:tion)?\b/i;
const FRACTION_PART = /^[\p{L}\p{N}.,]+$/u;

/** `1/4` for two elements in one that is named a fraction, or with a line between them; null for other elements. */
export function stackedFractionText(element: HtmlElement): string | null {
  if (element.tagName !== 'span') return null;
  const isNamed = FRACTION_CLASS.test(attributeOf(element, 'class') ?? '');
  const [above, below] = childrenOf(element).filter(isElement);
  const isStacked = above !== undefined && below !== undefined && isBlock(above) && isBlock(below);
  if (!isNamed && !(isStacked && hasLineBetween(above, below))) return null;
  if (!isShort(element)) return null;
  const parts = shownParts(element);
  const texts = parts.map((part) => stripUnsafe(textOf(part)));
  const isFraction = parts.length === 2 && parts.every(isElement);
  return isFraction && texts.every((text) => FRACTION_PART.test(text)) ? markApart(texts.join('/')) : null;
}

const MAX_FRACTION_CHARS = 200;

/** Stops early, as fractions may be nested around a long text. */
function isShort(element: HtmlElement): boolean {
  let chars = 0;
  const look = (node: HtmlNode): boolean => {
    if (node.nodeName === '#text' && 'value' in node) chars += node.value.length;
    return chars <= MAX_FRACTION_CHARS && childrenOf(node).every(look);
  };
  return look(element);
}

function hasLineBetween(above: HtmlElement, below: HtmlElement): boolean {
  return styleOf(above).has('border-bottom') || styleOf(below).has('border-top');
}

export function isBlock(element: HtmlElement): boolean {
  return /^(?:block|flex|grid|table|table-row|list-item)$/.test(styleOf(element).get('display') ?? '');
}

const MAX_WRAPPERS = 2;

function shownParts(element: HtmlElement, wrappers = 0): HtmlNode[] {
  const parts = childrenOf(element).filter(
    (part) => stripUnsafe(textOf(part)) !== '' && !(isElement(part) && isHiddenElement(part)),
  );
  const [only] = parts;
  const isWrapper = parts.length === 1 && only !== undefined && isElement(only) && wrappers < MAX_WRAPPERS;
  return isWrapper ? shownParts(only, wrappers + 1) : parts;
}

const TOKENS = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);

function convertChildren(element: HtmlElement): XmlElement[] {
  return partsOf(element).flatMap(convert);
}

function partsOf(element: HtmlElement): HtmlElement[] {
  return childrenOf(element)
    .filter(isElement)
    .filter((part) => !isHiddenElement(part));
}

function convert(element: HtmlElement): XmlElement[] {
  const { tagName } = element;
  if (TOKENS.has(tagName)) return [run(stripUnsafe(rawTextOf(element)).replace(/\s+/g, ' ').trim())];
  if (tagName === 'mspace') return [run(' ')];
  if (tagName === 'mphantom') return [];
  const parts = partsOf(element);
  if (tagName === 'semantics' || tagName === 'maction') return parts.slice(0, 1).flatMap(convert);
  const write = STRUCTURES.get(tagName);
  return write === undefined ? convertChildren(element) : write(element, parts);
}

type Convert = (element: HtmlElement, parts: readonly HtmlElement[]) => XmlElement[];

const STRUCTURES: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ['mfrac', convertFraction],
  ['msup', (_element, parts) => [structure('sSup', ...named(parts, 'e', 'sup'))]],
  ['msub', (_element, parts) => [structure('sSub', ...named(parts, 'e', 'sub'))]],
  ['msubsup', (_element, parts) => [structure('sSubSup', ...named(parts, 'e', 'sub', 'sup'))]],
  ['mmultiscripts', convertScripts],
  ['munder', (_element, parts) => [structure('limLow', ...named(parts, 'e', 'lim'))]],
  ['mover', (_element, [content, above]) => [over(part('e', content), above)]],
  [
    'munderover',
    (_element, [content, below, above]) => [
      over({ ...part('e'), children: [structure('limLow', part('e', content), part('lim', below))] }, above),
    ],
  ],
  ['msqrt', (element) => [structure('rad', { ...part('e'), children: convertChildren(element) })]],
  ['mroot', (_element, parts) => [structure('rad', ...named(parts, 'e', 'deg'))]],
  ['mfenced', convertFenced],
  ['mtable', convertTable],
]);

function convertFraction(element: HtmlElement, parts: readonly HtmlElement[]): XmlElement[] {
  const isBare = /^0(?:\D|$)/.test(attributeOf(element, 'linethickness') ?? '');
  return [structure('f', ...settings('f', isBare ? { type: 'noBar' } : {}), ...named(parts, 'num', 'den'))];
}

/** The scripts before the base stand behind `mprescripts`. */
function convertScripts(_element: HtmlElement, [content, ...scripts]: readonly HtmlElement[]): XmlElement[] {
  const end = scripts.findIndex(({ tagName }) => tagName === 'mprescripts');
  const [behind, before] = end < 0 ? [scripts, []] : [scripts.slice(0, end), scripts.slice(end + 1)];
  const base = structure('sSubSup', part('e', content), ...named(behind, 'sub', 'sup'));
  if (before.length === 0) return [base];
  return [structure('sPre', ...named(before, 'sub', 'sup'), { ...part('e'), children: [base] })];
}

function over(content: XmlElement, above: HtmlElement | undefined): XmlElement {
  const text = above === undefined ? '' : rawTextOf(above).trim();
  const accent = ACCENTS.get(text);
  if (accent === undefined) return structure('limUpp', content, part('lim', above));
  return structure('acc', ...settings('acc', { chr: accent }), content);
}

const ACCENTS: ReadonlyMap<string, string> = new Map([
  ['¯', '\u0305'],
  ['‾', '\u0305'],
  ['_', '\u0305'],
  ['^', '\u0302'],
  ['ˆ', '\u0302'],
  ['~', '\u0303'],
  ['˜', '\u0303'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['→', '\u20d7'],
]);

function convertFenced(element: HtmlElement, parts: readonly HtmlElement[]): XmlElement[] {
  const chosen = {
    begChr: attributeOf(element, 'open') ?? '(',
    endChr: attributeOf(element, 'close') ?? ')',
    sepChr: attributeOf(element, 'separators')?.charAt(0) ?? ',',
  };
  return [structure('d', ...settings('d', chosen), ...parts.map((one) => part('e', one)))];
}

function convertTable(_element: HtmlElement, rows: readonly HtmlElement[]): XmlElement[] {
  return [
    structure('m', ...rows.map((row) => structure('mr', ...partsOf(row).map((cell) => part('e', cell))))),
  ];
}

function named(parts: readonly HtmlElement[], ...names: readonly string[]): XmlElement[] {
  return names.map((name, at) => part(name, parts[at]));
}

function part(name: string, content?: HtmlElement): XmlElement {
  return structure(name, ...(content === undefined ? [] : convert(content)));
}

function run(text: string): XmlElement {
  return { ...structure('r'), children: [text] };
}

function settings(name: string, values: Readonly<Record<string, string>>): XmlElement[] {
  const children = Object.entries(values).map(([local, val]) => ({
    ...structure(local),
    attributes: { val },
  }));
  return [structure(`${name}Pr`, ...children)];
}

function structure(local: string, ...children: readonly XmlElement[]): XmlElement {
  return { name: local, local, attributes: {}, children: [...children] };
}
