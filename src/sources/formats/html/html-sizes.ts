import { isUnseen } from './html-hidden';
import { attributeOf, childrenOf, type HtmlElement, type HtmlNode, isElement } from './html-tree';

/** How many characters people see within an element. */
export interface Size {
  chars: number;
  /** Those that lead elsewhere. */
  linked: number;
  links: number;
  /** Those that stand in paragraphs, and lead nowhere. */
  prose: number;
  /** Of those, the ones of its own lines, of its parts' own lines, and half of those of their parts: what stands together. */
  together: number;
  ofLines: number;
  ofParts: number;
  paragraphs: number;
  /** Lines that are one link: titles of other texts. */
  titles: number;
  /** Those on its own lines, not within blocks in it; those of them that lead elsewhere; and those that lead to other pages. */
  own: number;
  ownLinked: number;
  ownAway: number;
}

export type Sizes = ReadonlyMap<HtmlNode, Size>;

/** A line of so many characters is no label and no button. */
const PARAGRAPH = 80;
/** A line is one link where so much of it is. */
const TITLE_LINKED = 0.8;
export const BLOCKS = new Set(
  'html body header main footer section article aside div details figure figcaption p dl dt dd address center form fieldset table thead tbody tfoot tr td th ul ol li pre blockquote h1 h2 h3 h4 h5 h6 caption hr'.split(
    ' ',
  ),
);

const NOTHING: Size = {
  chars: 0,
  linked: 0,
  links: 0,
  prose: 0,
  together: 0,
  ofLines: 0,
  ofParts: 0,
  paragraphs: 0,
  titles: 0,
  own: 0,
  ownLinked: 0,
  ownAway: 0,
};

export function proseOf(node: HtmlNode, sizes: Sizes): number {
  return sizeOf(node, sizes).prose;
}

export function sizeOf(node: HtmlNode, sizes: Sizes): Size {
  return sizes.get(node) ?? NOTHING;
}

export function measured(root: HtmlNode, leaveOut: (element: HtmlElement) => boolean): Sizes {
  const sizes = new Map<HtmlNode, Size>();
  measure(root, leaveOut, sizes);
  return sizes;
}

function measure(
  node: HtmlNode,
  leaveOut: (element: HtmlElement) => boolean,
  sizes: Map<HtmlNode, Size>,
): Size {
  if (node.nodeName === '#text' && 'value' in node) {
    const chars = lengthOf(node.value.replace(/\s+/g, ' ').trim());
    return { ...NOTHING, chars, own: chars };
  }
  const size = { ...NOTHING };
  for (const child of childrenOf(node)) {
    if (isElement(child) && (isUnseen(child) || leaveOut(child))) continue;
    const within = measure(child, leaveOut, sizes);
    for (const count of SUMMED) size[count] += within[count];
    const isBlock = isElement(child) && BLOCKS.has(child.tagName);
    size.ofParts += isBlock ? within.ofLines : within.ofParts;
    size.together += isBlock ? within.ofLines + within.ofParts / 2 : within.together;
  }
  if (!isElement(node)) return keep(node, size, sizes);
  if (node.tagName === 'a') asLink(node, size);
  return keep(node, BLOCKS.has(node.tagName) ? asBlock(size) : size, sizes);
}

/** In Chinese and Japanese a sign says as much as a few letters. */
const LETTERS_OF_A_SIGN = 2.5;

function lengthOf(text: string): number {
  const signs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return text.length + (LETTERS_OF_A_SIGN - 1) * signs;
}

const SUMMED = [
  'chars',
  'linked',
  'links',
  'prose',
  'paragraphs',
  'titles',
  'own',
  'ownLinked',
  'ownAway',
] as const;

function asLink(link: HtmlElement, size: Size): void {
  const href = attributeOf(link, 'href');
  if (href === null) return;
  const isAway = !href.startsWith('#');
  // One around blocks is the title of what it leads to.
  if (isAway && size.own === 0 && size.chars > 0) size.titles += 1;
  Object.assign(size, { linked: size.chars, ownLinked: size.own, ownAway: isAway ? size.own : 0, links: 1 });
}

function asBlock(size: Size): Size {
  const { own, ownLinked, ownAway } = size;
  const prose = own >= PARAGRAPH ? own - ownLinked : 0;
  return {
    ...size,
    prose: size.prose + prose,
    ofLines: prose,
    together: size.together + prose,
    paragraphs: size.paragraphs + (prose > 0 ? 1 : 0),
    titles: size.titles + (own > 0 && ownAway >= TITLE_LINKED * own ? 1 : 0),
    own: 0,
    ownLinked: 0,
    ownAway: 0,
  };
}

function keep(node: HtmlNode, size: Size, sizes: Map<HtmlNode, Size>): Size {
  sizes.set(node, size);
  return size;
}
