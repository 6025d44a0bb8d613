import {
  defaultTreeAdapter,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  Parser,
  Tokenizer,
} from 'parse5';

export type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlTree = DefaultTreeAdapterTypes.Document;

/** Real pages have a few thousand elements, a few dozen deep. Browsers stop at 512. */
const MAX_ELEMENTS = 400_000;
const MAX_DEPTH = 400;
/** The parser compares each attribute with all others. */
const MAX_ATTRIBUTES = 1_000;

class TooMuch extends Error {}

/** Deep nesting takes the parser hours and overflows the stack of tree walkers. */
export function parseHtml(html: string): { ok: true; tree: HtmlTree } | { ok: false; message: string } {
  let depth = 0;
  let elements = 0;
  const parser = new Parser<DefaultTreeAdapterMap>({
    treeAdapter: {
      ...defaultTreeAdapter,
      onItemPush: () => {
        depth += 1;
        elements += 1;
        if (depth > MAX_DEPTH)
          throw new TooMuch(`its elements stand more than ${MAX_DEPTH} deep in each other`);
        if (elements > MAX_ELEMENTS)
          throw new TooMuch(`it has more than ${MAX_ELEMENTS.toLocaleString('en')} elements`);
      },
      onItemPop: () => void (depth -= 1),
    },
  });
  parser.tokenizer = new BoundedTokenizer({}, parser);
  try {
    parser.tokenizer.write(html, true);
  } catch (error) {
    if (error instanceof TooMuch) return { ok: false, message: error.message };
    throw error;
  }
  return { ok: true, tree: parser.document };
}

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    super._leaveAttrName();
    if (this.currentToken !== null && 'attrs' in this.currentToken)
      if (this.currentToken.attrs.length > MAX_ATTRIBUTES)
        throw new TooMuch(`an element of it has more than ${MAX_ATTRIBUTES.toLocaleString('en')} attributes`);
  }
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function childrenOf(node: HtmlNode): HtmlNode[] {
  return 'childNodes' in node ? node.childNodes : [];
}

export function elementsIn(node: HtmlNode, isWanted: (element: HtmlElement) => boolean): HtmlElement[] {
  const found: HtmlElement[] = [];
  const look = (within: HtmlNode): void => {
    for (const child of childrenOf(within)) {
      if (isElement(child) && isWanted(child)) found.push(child);
      look(child);
    }
  };
  look(node);
  return found;
}

export function attributeOf({ attrs }: HtmlElement, name: string): string | null {
  return attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

function hasClass(element: HtmlElement, name: string): boolean {
  return (attributeOf(element, 'class') ?? '').split(/\s+/).includes(name);
}

export function rawTextOf(node: HtmlNode): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  return childrenOf(node).map(rawTextOf).join('');
}

export function textOf(node: HtmlNode): string {
  return rawTextOf(node).replace(/\s+/g, ' ').trim();
}

export function isWithin(element: HtmlNode, outer: HtmlNode): boolean {
  for (let at: HtmlNode | null = element; at !== null; at = 'parentNode' in at ? at.parentNode : null)
    if (at === outer) return true;
  return false;
}

const HIDDEN_ELEMENTS = new Set(
  'head script style template noscript nav select button textarea option datalist svg canvas iframe object audio video dialog annotation annotation-xml'.split(
    ' ',
  ),
);
const SCREEN_READER_CLASSES = ['sr-only', 'visually-hidden', 'visuallyhidden', 'screen-reader-text'];

const MIN_FONT_PX = 3;
const OFFSCREEN = /^-\d{3,}/;

/** Only inline styles and attributes are checked, not style sheets. */
export function isHiddenElement(element: HtmlElement): boolean {
  const isOpen = element.tagName === 'dialog' && attributeOf(element, 'open') !== null;
  if (HIDDEN_ELEMENTS.has(element.tagName) && !isOpen) return true;
  // Browsers show `until-found` to readers who search the page.
  if ((attributeOf(element, 'hidden') ?? 'until-found').toLowerCase() !== 'until-found') return true;
  if (attributeOf(element, 'aria-hidden') === 'true') return true;
  return isForScreenReaders(element) || isHiddenByStyle(element);
}

export function isForScreenReaders(element: HtmlElement): boolean {
  return SCREEN_READER_CLASSES.some((name) => hasClass(element, name));
}

function isHiddenByStyle(element: HtmlElement): boolean {
  const style = styleOf(element);
  const value = (name: string): string => style.get(name) ?? '';
  const isNothing = (name: string): boolean => NOTHING.test(value(name));
  return (
    value('display') === 'none' ||
    /^(?:hidden|collapse)$/.test(value('visibility')) ||
    hasNoOpacity(element) ||
    isTiny(value('font-size')) ||
    ['left', 'top', 'right', 'text-indent', 'margin-left'].some((name) => OFFSCREEN.test(value(name))) ||
    /^rect\(\s*[01](?:px)?[\s,]/.test(value('clip')) ||
    /^inset\((?:50|100)%/.test(value('clip-path')) ||
    (value('overflow') === 'hidden' && ['width', 'height', 'max-height'].some(isNothing)) ||
    /\bscale(?:x|y|3d)?\(\s*0(?:\.0*)?\s*[,)]/.test(value('transform')) ||
    isTransparent(style) ||
    hasBackgroundColour(element, style)
  );
}

/** `sup` and `sub`, also where a style says so. */
export function scriptOf(element: HtmlElement): 'sup' | 'sub' | null {
  const { tagName } = element;
  if (tagName === 'sup' || tagName === 'sub') return tagName;
  const align = styleOf(element).get('vertical-align') ?? '';
  if (align === 'super') return 'sup';
  return align === 'sub' ? 'sub' : null;
}

const NOTHING = /^0(?:\.0*)?[a-z%]*$/;

const MIN_OPACITY = 0.1;

/** Scripts fade text in, so this may hide it for a moment only. */
export function hasNoOpacity(element: HtmlElement): boolean {
  const [, amount, percent] = /^([\d.]+)(%?)$/.exec(styleOf(element).get('opacity') ?? '') ?? [];
  return amount !== undefined && Number(amount) < MIN_OPACITY * (percent === '%' ? 100 : 1);
}

const TRANSPARENT = /^(?:transparent|#[\da-f]{3}0|#[\da-f]{6}00|(?:rgb|hsl)a?\(.*[,/]\s*0(?:\.0*)?%?\s*\))$/;

/** Letters that are cut out of a background are seen. */
function isTransparent(style: ReadonlyMap<string, string>): boolean {
  const colour = style.get('-webkit-text-fill-color') ?? style.get('color') ?? '';
  const clips = ['background-clip', '-webkit-background-clip'].map((name) => style.get(name));
  return (
    TRANSPARENT.test(colour) && !clips.includes('text') && !/\btext\b/.test(style.get('background') ?? '')
  );
}

function isTiny(size: string): boolean {
  const [, amount, unit] = /^([\d.]+)([a-z%]*)$/.exec(size) ?? [];
  if (amount === undefined) return false;
  return Number(amount) === 0 || (/^p[xt]$/.test(unit ?? '') && Number(amount) < MIN_FONT_PX);
}

/** Text in the background colour; the default background is white. */
function hasBackgroundColour(element: HtmlElement, style: ReadonlyMap<string, string>): boolean {
  const colour = colourOf(style.get('color') ?? attributeOf(element, 'color') ?? '');
  return colour !== null && colour === backgroundOf(element);
}

function backgroundOf(element: HtmlElement): string {
  const style = styleOf(element);
  const said =
    style.get('background-color') ?? style.get('background') ?? attributeOf(element, 'bgcolor') ?? undefined;
  if (said !== undefined) return colourOf(said) ?? said;
  const above = element.parentNode;
  return above !== null && isElement(above) ? backgroundOf(above) : WHITE;
}

const WHITE = 'ffffff';
const NAMED_COLOURS: Readonly<Record<string, string>> = { white: WHITE, snow: WHITE, black: '000000' };

/** Six hexadecimal digits; null for unknown colours. */
function colourOf(said: string): string | null {
  const colour = said.trim().toLowerCase();
  const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(colour);
  if (short !== null)
    return short
      .slice(1)
      .map((digit) => digit + digit)
      .join('');
  const rgb = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/.exec(colour);
  if (rgb !== null)
    return rgb
      .slice(1)
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('');
  return /^#([\da-f]{6})$/.exec(colour)?.[1] ?? NAMED_COLOURS[colour] ?? null;
}

export function styleOf(element: HtmlElement): Map<string, string> {
  const style = attributeOf(element, 'style');
  if (style === null) return new Map();
  const declarations = style.replace(/\/\*[^]*?\*\/|!\s*important/gi, '').split(';');
  return new Map(
    declarations.map((declaration) => {
      const [name = '', ...value] = declaration.split(':');
      return [name.trim().toLowerCase(), value.join(':').trim().toLowerCase()];
    }),
  );
}
