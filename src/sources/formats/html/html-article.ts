import furniture from './data/page-furniture.json';
import { isUnseen } from './html-hidden';
import type { HtmlReading } from './html-markdown';
import {
  attributeOf,
  childrenOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  type HtmlTree,
  isElement,
} from './html-tree';

/** Which part of a page is its text, without what stands around it: bars, menus, lists of links, remarks of readers. */
export function articleOf(page: HtmlTree): HtmlReading {
  const [body = page] = elementsIn(page, ({ tagName }) => tagName === 'body');
  const named = furnitureIn(body);
  const sizes = measured(body, named);
  const root = rootOf(body, sizes);
  const isLeft = (element: HtmlElement): boolean =>
    element !== root &&
    (named(element) || isBar(element, root) || isListOfLinks(sizeOf(element, sizes), element));
  const left = sizeOf(root, measured(root, isLeft));
  // A page that is an index has nothing but links: then they are what it says.
  return left.chars >= LEAST_CHARS
    ? { parts: [root], leaveOut: isLeft, plain: true }
    : { parts: [body], leaveOut: (element) => isBar(element, body), plain: true };
}

/** How many characters people see within an element. */
interface Size {
  chars: number;
  /** Those that lead elsewhere. */
  linked: number;
  links: number;
  /** Those that stand in paragraphs, and lead nowhere. */
  prose: number;
  /** Those on its own lines, not within blocks in it; and those of them that lead elsewhere. */
  own: number;
  ownLinked: number;
}

type Sizes = ReadonlyMap<HtmlNode, Size>;

/** The text of a page has at least so much of what it says. */
const LEAST_SHARE = 0.25;
/** One article among several is the text where it has so much of it. */
const MOST_OF_IT = 0.6;
/** A block that is so much made of links is a list of them. */
const LINKED = 0.6;
const LEAST_LINKS = 2;
/** What is named as furniture and has more of the text is named so by mistake. */
const FURNITURE_SHARE = 0.4;
/** A line of so many characters is no label and no button. */
const PARAGRAPH = 80;
/** What stands around a text is left as long as all but this share of the paragraphs are in one part. */
const IN_ONE = 0.85;
/** What readers have remarked may be longer than what they remark on. */
const REMARKS_SHARE = 0.9;
const LEAST_CHARS = 140;

const FURNITURE = new Set(furniture.names);
const REMARKS = new Set(furniture.remarks);
const ROLES = new Set(furniture.roles);
const BLOCKS = new Set(
  'html body header main footer section article aside div details figure figcaption p dl dt dd address center form fieldset table thead tbody tfoot tr td th ul ol li pre blockquote h1 h2 h3 h4 h5 h6 caption hr'.split(
    ' ',
  ),
);
const CONTAINERS = new Set('div section article main center table tbody tr td body form'.split(' '));
const LISTS_OF_LINKS = new Set('div section ul ol dl table p td dd center'.split(' '));

/** What is named as furniture, and has less of the text than would make it the text itself. */
function furnitureIn(body: HtmlNode): (element: HtmlElement) => boolean {
  const sizes = measured(body, () => false);
  const all = proseOf(body, sizes);
  return (element) => {
    const share = all === 0 ? 0 : proseOf(element, sizes) / all;
    if (share >= REMARKS_SHARE) return false;
    const names = namesOf(element);
    return names.some((name) => REMARKS.has(name) || (share < FURNITURE_SHARE && FURNITURE.has(name)));
  };
}

function rootOf(body: HtmlNode, sizes: Sizes): HtmlNode {
  const main = largest(elementsIn(body, isMain), sizes);
  const root = main !== null && proseOf(main, sizes) >= LEAST_SHARE * proseOf(body, sizes) ? main : body;
  const article = largest(elementsIn(root, isArticle), sizes);
  const isText = article !== null && proseOf(article, sizes) >= MOST_OF_IT * proseOf(root, sizes);
  return withoutAround(isText ? article : root, sizes);
}

/** As deep as nearly all paragraphs stand together. */
function withoutAround(text: HtmlNode, sizes: Sizes): HtmlNode {
  const inside = largest(childrenOf(text).filter(isElement), sizes);
  const isMost = inside !== null && proseOf(inside, sizes) > IN_ONE * proseOf(text, sizes);
  return isMost && CONTAINERS.has(inside.tagName) ? withoutAround(inside, sizes) : text;
}

function isMain(element: HtmlElement): boolean {
  return element.tagName === 'main' || attributeOf(element, 'role') === 'main';
}

function isArticle(element: HtmlElement): boolean {
  return element.tagName === 'article' || attributeOf(element, 'itemprop') === 'articleBody';
}

function largest(elements: readonly HtmlElement[], sizes: Sizes): HtmlElement | null {
  const [first, ...others] = elements;
  if (first === undefined) return null;
  return others.reduce((most, one) => (proseOf(one, sizes) > proseOf(most, sizes) ? one : most), first);
}

function isListOfLinks({ chars, linked, links }: Size, { tagName }: HtmlElement): boolean {
  return LISTS_OF_LINKS.has(tagName) && links >= LEAST_LINKS && linked > LINKED * chars;
}

/** What is a bar by its element or its role, and links that stand for the place of a heading. */
function isBar(element: HtmlElement, root: HtmlNode): boolean {
  const { tagName } = element;
  if (tagName === 'nav' || tagName === 'aside' || ROLES.has(attributeOf(element, 'role') ?? '')) return true;
  if (tagName === 'a') return (attributeOf(element, 'href') ?? '').startsWith('#') && isSign(element);
  if (tagName === 'footer') return true;
  // The page's own, not that of its text.
  return tagName === 'header' && element.parentNode === root && !isWithHeading(element);
}

function isWithHeading(element: HtmlElement): boolean {
  return elementsIn(element, ({ tagName }) => tagName === 'h1').length > 0;
}

function isSign(link: HtmlElement): boolean {
  return /^\s*[#¶§🔗]?\s*$/u.test(visibleText(link));
}

function visibleText(node: HtmlNode): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  return childrenOf(node).map(visibleText).join('');
}

/** Ids of many words are those of headings, which may name anything. */
const MOST_WORDS_OF_ID = 2;

function namesOf(element: HtmlElement): string[] {
  const ofId = wordsOf(attributeOf(element, 'id') ?? '');
  return [...wordsOf(attributeOf(element, 'class') ?? ''), ...(ofId.length > MOST_WORDS_OF_ID ? [] : ofId)];
}

function wordsOf(names: string): string[] {
  return names
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1-')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

const NOTHING: Size = { chars: 0, linked: 0, links: 0, prose: 0, own: 0, ownLinked: 0 };

function proseOf(node: HtmlNode, sizes: Sizes): number {
  return sizeOf(node, sizes).prose;
}

function sizeOf(node: HtmlNode, sizes: Sizes): Size {
  return sizes.get(node) ?? NOTHING;
}

function measured(root: HtmlNode, leaveOut: (element: HtmlElement) => boolean): Sizes {
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
    const chars = node.value.replace(/\s+/g, ' ').trim().length;
    return { ...NOTHING, chars, own: chars };
  }
  const size = { ...NOTHING };
  for (const child of childrenOf(node)) {
    if (isElement(child) && (isUnseen(child) || leaveOut(child))) continue;
    const within = measure(child, leaveOut, sizes);
    size.chars += within.chars;
    size.linked += within.linked;
    size.links += within.links;
    size.prose += within.prose;
    size.own += within.own;
    size.ownLinked += within.ownLinked;
  }
  if (!isElement(node)) return keep(node, size, sizes);
  if (node.tagName === 'a' && attributeOf(node, 'href') !== null)
    keep(node, Object.assign(size, { linked: size.chars, ownLinked: size.own, links: 1 }), sizes);
  if (!BLOCKS.has(node.tagName)) return keep(node, size, sizes);
  if (size.own >= PARAGRAPH) size.prose += size.own - size.ownLinked;
  return keep(node, Object.assign(size, { own: 0, ownLinked: 0 }), sizes);
}

function keep(node: HtmlNode, size: Size, sizes: Map<HtmlNode, Size>): Size {
  sizes.set(node, size);
  return size;
}
