import furniture from './data/page-furniture.json';
import { besideText, isForm, isNumbering } from './html-beside';
import type { HtmlReading } from './html-markdown';
import { measured, proseOf, type Size, sizeOf, type Sizes } from './html-sizes';
import {
  attributeOf,
  childrenOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  type HtmlTree,
  isElement,
  isWithin,
  rawTextOf,
  textOf,
} from './html-tree';

/**
 * Which part of a page is its text, with its heading, without what stands around it: bars, menus, lists of links, titles of other texts,
 * remarks of readers.
 */
export function articleOf(page: HtmlTree, title: string | undefined): HtmlReading {
  const [body = page] = elementsIn(page, ({ tagName }) => tagName === 'body');
  const named = furnitureIn(body);
  const sizes = measured(body, named);
  const root = rootOf(body, sizes);
  const heading = headingOf(body, title, sizes);
  const isBeside = besideText(root, heading, sizes);
  const isLeft = (element: HtmlElement): boolean =>
    element !== root &&
    (named(element) ||
      isBar(element, root) ||
      isListOfLinks(sizeOf(element, sizes), element) ||
      isBeside(element) ||
      isForm(element, root, sizes) ||
      isNumbering(element));
  const left = sizeOf(root, measured(root, isLeft));
  // A page that is an index has nothing but links: then they are what it says.
  if (left.chars < LEAST_CHARS) return { parts: [body], leaveOut: (element) => isBar(element, body) };
  const parts = heading === null || isWithin(heading, root) ? [root] : [heading, root];
  return { parts, leaveOut: isLeft };
}

function headingOf(body: HtmlNode, title: string | undefined, sizes: Sizes): HtmlNode | null {
  const isTitle = (element: HtmlElement): boolean =>
    /^h[1-3]$/.test(element.tagName) && sizes.has(element) && textOf(element) === title;
  return elementsIn(body, isTitle)[0] ?? null;
}

/** The text of a page has at least so much of what it says. */
const LEAST_SHARE = 0.25;
/** One article among several is the text where it has so much of it. */
const MOST_OF_IT = 0.6;
/** A block that is so much made of links is a list of them. */
const LINKED = 0.6;
const LEAST_LINKS = 2;
/** What is named as furniture and has more of the text is named so by mistake. */
const FURNITURE_SHARE = 0.4;
/** What stands around a text is left as long as all but this share of the paragraphs are in one part. */
const IN_ONE = 0.85;
/** What readers have remarked may be longer than what they remark on. */
const REMARKS_SHARE = 0.9;
const LEAST_CHARS = 140;

const FURNITURE = new Set(furniture.names);
const REMARKS = new Set(furniture.remarks);
const ROLES = new Set(furniture.roles);
const CONTAINERS = new Set('div section article main center table tbody tr td body form'.split(' '));
const LISTS_OF_LINKS = new Set('div section ul ol dl table p td dd center'.split(' '));

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
  return /^\s*[#¶§🔗]?\s*$/u.test(rawTextOf(link));
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
