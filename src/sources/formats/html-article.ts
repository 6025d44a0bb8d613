import furniture from './data/page-furniture.json';
import type { HtmlSelection } from './html-markdown';
import {
  attributeOf,
  childrenOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  type HtmlTree,
  isElement,
  isHiddenElement,
  isWithin,
  rawTextOf,
  textOf,
} from './html-tree';

/** Lines of at least this length are prose, not labels or buttons. */
const MIN_PARAGRAPH_CHARS = 80;

const TITLE_LINK_SHARE = 0.8;

const BLOCK_ELEMENTS = new Set(
  'html body header main footer section article aside div details figure figcaption p dl dt dd address center form fieldset table thead tbody tfoot tr td th ul ol li pre blockquote h1 h2 h3 h4 h5 h6 caption hr'.split(
    ' ',
  ),
);

const EMPTY_SIZE: TextSize = {
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
const LETTERS_PER_CJK_CHAR = 2.5;

const SUMMED_COUNTS = [
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
const MAIN_BLOCK_SHARE = 0.5;

const MIN_TITLES = 2;

const FORM_SHARE = 0.1;

const MIN_LINE_NUMBERS = 5;

/** Finds the main text of a page, without navigation, link lists, teasers and comments. */
export function findArticle(page: HtmlTree, title: string | undefined): HtmlSelection {
  const [body = page] = elementsIn(page, ({ tagName }) => tagName === 'body');
  const named = boilerplateTest(body);
  const sizes = measureText(body, named);
  const root = findTextRoot(body, sizes);
  const heading = findHeading(body, title, sizes);
  const isBeside = sidebarTest(root, heading, sizes);
  const isLeft = (element: HtmlElement): boolean =>
    element !== root &&
    (named(element) ||
      isNavigation(element, root) ||
      isListOfLinks(textSize(element, sizes), element) ||
      isBeside(element) ||
      isForm(element, root, sizes) ||
      isLineNumbering(element));
  const left = textSize(root, measureText(root, isLeft));
  // An index page consists of links, so they are its content.
  if (left.chars < MIN_ARTICLE_CHARS)
    return { parts: [body], leaveOut: (element) => isNavigation(element, body) };
  const parts = heading === null || isWithin(heading, root) ? [root] : [heading, root];
  return { parts, leaveOut: isLeft };
}

function findHeading(body: HtmlNode, title: string | undefined, sizes: TextSizes): HtmlNode | null {
  const isTitle = (element: HtmlElement): boolean =>
    /^h[1-3]$/.test(element.tagName) && sizes.has(element) && textOf(element) === title;
  return elementsIn(body, isTitle)[0] ?? null;
}

const MIN_TEXT_SHARE = 0.25;
const ARTICLE_SHARE = 0.6;
/** Minimum share of link text for a list of links. */
const LINK_LIST_SHARE = 0.6;
const MIN_LINKS = 2;
const BOILERPLATE_SHARE = 0.4;
/** Surrounding elements are dropped while a child holds this share of the paragraphs. */
const CONTAINER_SHARE = 0.85;
const COMMENT_SHARE = 0.9;
const MIN_ARTICLE_CHARS = 140;

const BOILERPLATE_NAMES = new Set(furniture.names);
const COMMENT_NAMES = new Set(furniture.remarks);
const NAVIGATION_ROLES = new Set(furniture.roles);
const CONTAINERS = new Set('div section article main center table tbody tr td body form'.split(' '));
const LISTS_OF_LINKS = new Set('div section ul ol dl table p td dd center'.split(' '));

function boilerplateTest(body: HtmlNode): (element: HtmlElement) => boolean {
  const sizes = measureText(body, () => false);
  const all = proseSize(body, sizes);
  return (element) => {
    const share = all === 0 ? 0 : proseSize(element, sizes) / all;
    if (share >= COMMENT_SHARE) return false;
    const names = classAndIdWords(element);
    return names.some(
      (name) => COMMENT_NAMES.has(name) || (share < BOILERPLATE_SHARE && BOILERPLATE_NAMES.has(name)),
    );
  };
}

function findTextRoot(body: HtmlNode, sizes: TextSizes): HtmlNode {
  const main = largest(elementsIn(body, isMain), sizes);
  const root =
    main !== null && proseSize(main, sizes) >= MIN_TEXT_SHARE * proseSize(body, sizes) ? main : body;
  const article = largest(elementsIn(root, isArticle), sizes);
  const isText = article !== null && proseSize(article, sizes) >= ARTICLE_SHARE * proseSize(root, sizes);
  return narrowRoot(isText ? article : root, sizes);
}

function narrowRoot(text: HtmlNode, sizes: TextSizes): HtmlNode {
  const inside = largest(childrenOf(text).filter(isElement), sizes);
  const isMost = inside !== null && proseSize(inside, sizes) > CONTAINER_SHARE * proseSize(text, sizes);
  return isMost && CONTAINERS.has(inside.tagName) ? narrowRoot(inside, sizes) : text;
}

function isMain(element: HtmlElement): boolean {
  return element.tagName === 'main' || attributeOf(element, 'role') === 'main';
}

function isArticle(element: HtmlElement): boolean {
  return element.tagName === 'article' || attributeOf(element, 'itemprop') === 'articleBody';
}

function largest(elements: readonly HtmlElement[], sizes: TextSizes): HtmlElement | null {
  const [first, ...others] = elements;
  if (first === undefined) return null;
  return others.reduce((most, one) => (proseSize(one, sizes) > proseSize(most, sizes) ? one : most), first);
}

function isListOfLinks({ chars, linked, links }: TextSize, { tagName }: HtmlElement): boolean {
  return LISTS_OF_LINKS.has(tagName) && links >= MIN_LINKS && linked > LINK_LIST_SHARE * chars;
}

function isNavigation(element: HtmlElement, root: HtmlNode): boolean {
  const { tagName } = element;
  if (tagName === 'nav' || tagName === 'aside' || NAVIGATION_ROLES.has(attributeOf(element, 'role') ?? ''))
    return true;
  if (tagName === 'a') return (attributeOf(element, 'href') ?? '').startsWith('#') && isSymbolLink(element);
  if (tagName === 'footer') return true;
  // Only the page's header; a header inside the text stays.
  return tagName === 'header' && element.parentNode === root && !hasMainHeading(element);
}

function hasMainHeading(element: HtmlElement): boolean {
  return elementsIn(element, ({ tagName }) => tagName === 'h1').length > 0;
}

function isSymbolLink(link: HtmlElement): boolean {
  return /^\s*[#¶§🔗]?\s*$/u.test(rawTextOf(link));
}

/** Longer ids usually come from headings. */
const MAX_ID_WORDS = 2;

function classAndIdWords(element: HtmlElement): string[] {
  const ofId = nameWords(attributeOf(element, 'id') ?? '');
  return [...nameWords(attributeOf(element, 'class') ?? ''), ...(ofId.length > MAX_ID_WORDS ? [] : ofId)];
}

export function nameWords(names: string): string[] {
  return names
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1-')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** Blocks outside the main block with a title link per paragraph. The page heading stays. */
function sidebarTest(
  root: HtmlNode,
  heading: HtmlNode | null,
  sizes: TextSizes,
): (element: HtmlElement) => boolean {
  const text = densestBlock(root, sizes);
  const around = new Set([...ancestors(text), ...ancestors(heading)]);
  const beside = new Set<HtmlNode>();
  let isBehind = false;
  const look = (within: HtmlNode): void => {
    for (const child of childrenOf(within)) {
      if (child === text) isBehind = true;
      else if (isElement(child) && !around.has(child) && isTeaserBlock(child, isBehind, sizes))
        beside.add(child);
      else look(child);
    }
  };
  look(root);
  const ofOthers = [...beside].reduce((sum, element) => sum + proseSize(element, sizes), 0);
  const isOneText = textSize(text, sizes).together >= MAIN_BLOCK_SHARE * (proseSize(root, sizes) - ofOthers);
  return (element) => isOneText && beside.has(element);
}

function densestBlock(root: HtmlNode, sizes: TextSizes): HtmlNode {
  return childrenOf(root).reduce((most: HtmlNode, child) => {
    const within = densestBlock(child, sizes);
    return textSize(within, sizes).together > textSize(most, sizes).together ? within : most;
  }, root);
}

function ancestors(node: HtmlNode | null): HtmlNode[] {
  const above: HtmlNode[] = [];
  for (let at = node; at !== null; at = 'parentNode' in at ? at.parentNode : null) above.push(at);
  return above;
}

function isTeaserBlock(element: HtmlElement, isBehind: boolean, sizes: TextSizes): boolean {
  const { titles, paragraphs } = textSize(element, sizes);
  const least = isBehind && paragraphs > 0 ? 1 : MIN_TITLES;
  return BLOCK_ELEMENTS.has(element.tagName) && titles >= least && titles >= paragraphs;
}

function isForm(element: HtmlElement, root: HtmlNode, sizes: TextSizes): boolean {
  return element.tagName === 'form' && proseSize(element, sizes) < FORM_SHARE * proseSize(root, sizes);
}

/** Line numbers of code listings. */
function isLineNumbering(element: HtmlElement): boolean {
  if (element.tagName !== 'td' && element.tagName !== 'pre') return false;
  const numbers = rawTextOf(element).trim().split(/\s+/);
  const first = Number(numbers[0]);
  return numbers.length >= MIN_LINE_NUMBERS && numbers.every((number, at) => number === String(first + at));
}

interface TextSize {
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

type TextSizes = ReadonlyMap<HtmlNode, TextSize>;

function proseSize(node: HtmlNode, sizes: TextSizes): number {
  return textSize(node, sizes).prose;
}

function textSize(node: HtmlNode, sizes: TextSizes): TextSize {
  return sizes.get(node) ?? EMPTY_SIZE;
}

export function measureText(root: HtmlNode, leaveOut: (element: HtmlElement) => boolean): TextSizes {
  const sizes = new Map<HtmlNode, TextSize>();
  measure(root, leaveOut, sizes);
  return sizes;
}

function measure(
  node: HtmlNode,
  leaveOut: (element: HtmlElement) => boolean,
  sizes: Map<HtmlNode, TextSize>,
): TextSize {
  if (node.nodeName === '#text' && 'value' in node) {
    const chars = textLength(node.value.replace(/\s+/g, ' ').trim());
    return { ...EMPTY_SIZE, chars, own: chars };
  }
  const size = { ...EMPTY_SIZE };
  for (const child of childrenOf(node)) {
    if (isElement(child) && (isHiddenElement(child) || leaveOut(child))) continue;
    const within = measure(child, leaveOut, sizes);
    for (const count of SUMMED_COUNTS) size[count] += within[count];
    const isBlock = isElement(child) && BLOCK_ELEMENTS.has(child.tagName);
    size.ofParts += isBlock ? within.ofLines : within.ofParts;
    size.together += isBlock ? within.ofLines + within.ofParts / 2 : within.together;
  }
  if (!isElement(node)) return storeSize(node, size, sizes);
  if (node.tagName === 'a') measureLink(node, size);
  return storeSize(node, BLOCK_ELEMENTS.has(node.tagName) ? measureBlock(size) : size, sizes);
}

function textLength(text: string): number {
  const signs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return text.length + (LETTERS_PER_CJK_CHAR - 1) * signs;
}

function measureLink(link: HtmlElement, size: TextSize): void {
  const href = attributeOf(link, 'href');
  if (href === null) return;
  const isAway = !href.startsWith('#');
  // A link around blocks is the title of its target.
  if (isAway && size.own === 0 && size.chars > 0) size.titles += 1;
  Object.assign(size, { linked: size.chars, ownLinked: size.own, ownAway: isAway ? size.own : 0, links: 1 });
}

function measureBlock(size: TextSize): TextSize {
  const { own, ownLinked, ownAway } = size;
  const prose = own >= MIN_PARAGRAPH_CHARS ? own - ownLinked : 0;
  return {
    ...size,
    prose: size.prose + prose,
    ofLines: prose,
    together: size.together + prose,
    paragraphs: size.paragraphs + (prose > 0 ? 1 : 0),
    titles: size.titles + (own > 0 && ownAway >= TITLE_LINK_SHARE * own ? 1 : 0),
    own: 0,
    ownLinked: 0,
    ownAway: 0,
  };
}

function storeSize(node: HtmlNode, size: TextSize, sizes: Map<HtmlNode, TextSize>): TextSize {
  sizes.set(node, size);
  return size;
}
