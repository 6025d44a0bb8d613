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
  const sizes = sizesIn(page);
  const root = rootOf(page, sizes);
  const parts = [root];
  const furnished = leavingOut(root, sizes);
  const left = sizeWithout(root, furnished);
  // A page that is an index has nothing but links: then they are what it says.
  return left.prose >= LEAST_LEFT * sizeOf(root, sizes).prose && left.chars >= LEAST_CHARS
    ? { parts, leaveOut: furnished, plain: true }
    : { parts, leaveOut: (element) => isBar(element, root), plain: true };
}

/** How many characters people see within an element, and how many of these lead elsewhere. */
interface Size {
  chars: number;
  linked: number;
  links: number;
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
const LEAST_LEFT = 0.25;
const LEAST_CHARS = 140;

const NAMES = new Set(furniture.names);
const ROLES = new Set(furniture.roles);
const LISTS_OF_LINKS = new Set('div section ul ol dl table p td dd center'.split(' '));

function rootOf(page: HtmlTree, sizes: Sizes): HtmlNode {
  const body = elementsIn(page, ({ tagName }) => tagName === 'body')[0] ?? page;
  const main = largest(elementsIn(body, isMain), sizes);
  const root = main !== null && proseOf(main, sizes) >= LEAST_SHARE * proseOf(body, sizes) ? main : body;
  const article = largest(elementsIn(root, isArticle), sizes);
  return article !== null && proseOf(article, sizes) >= MOST_OF_IT * proseOf(root, sizes) ? article : root;
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

function leavingOut(root: HtmlNode, sizes: Sizes): (element: HtmlElement) => boolean {
  const all = proseOf(root, sizes);
  return (element) => {
    if (isBar(element, root)) return true;
    const { chars, linked, links } = sizes.get(element) ?? NOTHING;
    const isSmall = chars - linked < FURNITURE_SHARE * all;
    if (isSmall && namesOf(element).some((name) => NAMES.has(name))) return true;
    return LISTS_OF_LINKS.has(element.tagName) && links >= LEAST_LINKS && linked > LINKED * chars;
  };
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

function namesOf(element: HtmlElement): string[] {
  const names = `${attributeOf(element, 'class') ?? ''} ${attributeOf(element, 'id') ?? ''}`;
  return names
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1-')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

const NOTHING: Size = { chars: 0, linked: 0, links: 0 };

function proseOf(node: HtmlNode, sizes: Sizes): number {
  const { chars, linked } = sizes.get(node) ?? NOTHING;
  return chars - linked;
}

function sizeOf(node: HtmlNode, sizes: Sizes): { chars: number; prose: number } {
  return { chars: (sizes.get(node) ?? NOTHING).chars, prose: proseOf(node, sizes) };
}

function sizesIn(page: HtmlNode): Sizes {
  const sizes = new Map<HtmlNode, Size>();
  measure(page, () => false, sizes);
  return sizes;
}

function sizeWithout(
  root: HtmlNode,
  leaveOut: (element: HtmlElement) => boolean,
): { chars: number; prose: number } {
  const sizes = new Map<HtmlNode, Size>();
  measure(root, leaveOut, sizes);
  return sizeOf(root, sizes);
}

function measure(
  node: HtmlNode,
  leaveOut: (element: HtmlElement) => boolean,
  sizes: Map<HtmlNode, Size>,
): Size {
  if (node.nodeName === '#text' && 'value' in node)
    return { ...NOTHING, chars: node.value.replace(/\s+/g, ' ').trim().length };
  const size = { ...NOTHING };
  for (const child of childrenOf(node)) {
    if (isElement(child) && (isUnseen(child) || leaveOut(child))) continue;
    const own = measure(child, leaveOut, sizes);
    size.chars += own.chars;
    size.linked += own.linked;
    size.links += own.links;
  }
  if (isElement(node) && node.tagName === 'a' && attributeOf(node, 'href') !== null) {
    size.linked = size.chars;
    size.links = 1;
  }
  if (isElement(node) || node.nodeName === '#document') sizes.set(node, size);
  return size;
}
