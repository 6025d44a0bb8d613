import furniture from './data/page-furniture.json';
import type { HtmlReading } from './html-markdown';
import {
  attributeOf,
  childrenOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  type HtmlTree,
  isElement,
  isUnseen,
  isWithin,
  rawTextOf,
  textOf,
} from './html-tree';

/** Lines of at least this length are prose, not labels or buttons. */
const PARAGRAPH = 80;

const TITLE_LINKED = 0.8;

const BLOCKS = new Set(
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

/** A Chinese or Japanese character counts as several letters. */
const LETTERS_OF_A_SIGN = 2.5;

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

/** Minimum share of the paragraphs in the main block. */
const TOGETHER = 0.5;

const LEAST_TITLES = 2;

const FORM_SHARE = 0.1;

const LEAST_NUMBERS = 5;

/** Finds the main text of a page, without navigation, link lists, teasers and comments. */
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
  // An index page consists of links, so they are its content.
  if (left.chars < LEAST_CHARS) return { parts: [body], leaveOut: (element) => isBar(element, body) };
  const parts = heading === null || isWithin(heading, root) ? [root] : [heading, root];
  return { parts, leaveOut: isLeft };
}

function headingOf(body: HtmlNode, title: string | undefined, sizes: Sizes): HtmlNode | null {
  const isTitle = (element: HtmlElement): boolean =>
    /^h[1-3]$/.test(element.tagName) && sizes.has(element) && textOf(element) === title;
  return elementsIn(body, isTitle)[0] ?? null;
}

const LEAST_SHARE = 0.25;
const MOST_OF_IT = 0.6;
/** Minimum share of link text for a list of links. */
const LINKED = 0.6;
const LEAST_LINKS = 2;
const FURNITURE_SHARE = 0.4;
/** Surrounding elements are dropped while a child holds this share of the paragraphs. */
const IN_ONE = 0.85;
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
  // Only the page's header; a header inside the text stays.
  return tagName === 'header' && element.parentNode === root && !isWithHeading(element);
}

function isWithHeading(element: HtmlElement): boolean {
  return elementsIn(element, ({ tagName }) => tagName === 'h1').length > 0;
}

function isSign(link: HtmlElement): boolean {
  return /^\s*[#¶§🔗]?\s*$/u.test(rawTextOf(link));
}

/** Longer ids usually come from headings. */
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

/** Blocks outside the main block with a title link per paragraph. The page heading stays. */
function besideText(
  root: HtmlNode,
  heading: HtmlNode | null,
  sizes: Sizes,
): (element: HtmlElement) => boolean {
  const text = mostTogether(root, sizes);
  const around = new Set([...upFrom(text), ...upFrom(heading)]);
  const beside = new Set<HtmlNode>();
  let isBehind = false;
  const look = (within: HtmlNode): void => {
    for (const child of childrenOf(within)) {
      if (child === text) isBehind = true;
      else if (isElement(child) && !around.has(child) && tellsOfOthers(child, isBehind, sizes))
        beside.add(child);
      else look(child);
    }
  };
  look(root);
  const ofOthers = [...beside].reduce((sum, element) => sum + proseOf(element, sizes), 0);
  const isOneText = sizeOf(text, sizes).together >= TOGETHER * (proseOf(root, sizes) - ofOthers);
  return (element) => isOneText && beside.has(element);
}

function mostTogether(root: HtmlNode, sizes: Sizes): HtmlNode {
  return childrenOf(root).reduce((most: HtmlNode, child) => {
    const within = mostTogether(child, sizes);
    return sizeOf(within, sizes).together > sizeOf(most, sizes).together ? within : most;
  }, root);
}

function upFrom(node: HtmlNode | null): HtmlNode[] {
  const above: HtmlNode[] = [];
  for (let at = node; at !== null; at = 'parentNode' in at ? at.parentNode : null) above.push(at);
  return above;
}

function tellsOfOthers(element: HtmlElement, isBehind: boolean, sizes: Sizes): boolean {
  const { titles, paragraphs } = sizeOf(element, sizes);
  const least = isBehind && paragraphs > 0 ? 1 : LEAST_TITLES;
  return BLOCKS.has(element.tagName) && titles >= least && titles >= paragraphs;
}

function isForm(element: HtmlElement, root: HtmlNode, sizes: Sizes): boolean {
  return element.tagName === 'form' && proseOf(element, sizes) < FORM_SHARE * proseOf(root, sizes);
}

/** Line numbers of code listings. */
function isNumbering(element: HtmlElement): boolean {
  if (element.tagName !== 'td' && element.tagName !== 'pre') return false;
  const numbers = rawTextOf(element).trim().split(/\s+/);
  const first = Number(numbers[0]);
  return numbers.length >= LEAST_NUMBERS && numbers.every((number, at) => number === String(first + at));
}

interface Size {
  chars: number;
  linked: number;
  links: number;
  /** Characters in paragraphs, without links. */
  prose: number;
  together: number;
  ofLines: number;
  ofParts: number;
  paragraphs: number;
  titles: number;
  /** Direct text outside of nested blocks; its links; its links to other pages. */
  own: number;
  ownLinked: number;
  ownAway: number;
}

type Sizes = ReadonlyMap<HtmlNode, Size>;

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

function lengthOf(text: string): number {
  const signs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return text.length + (LETTERS_OF_A_SIGN - 1) * signs;
}

function asLink(link: HtmlElement, size: Size): void {
  const href = attributeOf(link, 'href');
  if (href === null) return;
  const isAway = !href.startsWith('#');
  // A link around blocks is the title of its target.
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
