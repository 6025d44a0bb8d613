import { append } from '../../core/values/append';
import { type HtmlReading } from '../formats/html/html-markdown';
import {
  attributeOf,
  childrenOf,
  elementsIn,
  hasClass,
  type HtmlElement,
  type HtmlNode,
  isElement,
  textOf,
} from '../formats/html/html-tree';

/** What the page says around what is claimed. */
const BESIDE = ['direction', 'caution', 'beside'];
const CITES = /\[\d{1,6}\]/;

/**
 * What the page of a run (`src/document/page`) states, as its Markdown does: the texts, what is disputed and open with what that
 * cites, and the sources. What the page says of itself, and the passages and pictures that show the same again, are left out. Null
 * for the page of anybody else.
 */
export function runPage(page: HtmlNode): HtmlReading | null {
  const [generator] = elementsIn(page, (element) => attributeOf(element, 'name') === 'generator');
  const parts = elementsIn(page, (element) => element.tagName === 'section' && hasClass(element, 'part'));
  const isOfRun = generator !== undefined && /^Colligate /.test(attributeOf(generator, 'content') ?? '');
  if (!isOfRun || parts.length === 0) return null;
  const titles = elementsIn(page, ({ tagName }) => tagName === 'h1');
  const texts = parts.filter((part) => attributeOf(part, 'id') !== 'part-confidence');
  return {
    parts: [...titles.slice(0, 1), ...texts, ...disputed(page, texts), ...open(page), ...cited(page)],
    leaveOut: (element) => BESIDE.some((name) => hasClass(element, name)),
  };
}

function byId(page: HtmlNode, id: string): HtmlElement | null {
  return elementsIn(page, (element) => attributeOf(element, 'id') === id)[0] ?? null;
}

function childElements(element: HtmlElement | null): HtmlElement[] {
  return element === null ? [] : childrenOf(element).filter(isElement);
}

/** Each side with the numbers that stand below it, unless a text has it already. */
function disputed(page: HtmlNode, texts: readonly HtmlElement[]): HtmlElement[] {
  const list = byId(page, 'disputed');
  if (list === null) return [];
  const told = bare(texts.map(textOf).join(' '));
  const sides = elementsIn(list, (element) => hasClass(element, 'side')).flatMap((side) => {
    const [statement] = childElements(side);
    if (statement === undefined || told.includes(bare(textOf(statement)))) return [];
    append(
      statement.childNodes,
      elementsIn(side, (element) => hasClass(element, 'cite')),
    );
    return [statement];
  });
  return headed(page, 'disputed-title', sides);
}

/** However it is quoted. */
function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

function open(page: HtmlNode): HtmlElement[] {
  const gaps = childElements(byId(page, 'unanswered'));
  return headed(
    page,
    'unanswered-title',
    gaps.filter((gap) => CITES.test(textOf(gap))),
  );
}

function headed(page: HtmlNode, titleId: string, elements: readonly HtmlElement[]): HtmlElement[] {
  const title = byId(page, titleId);
  return elements.length === 0 || title === null ? [...elements] : [title, ...elements];
}

/** The list of what the text cites, each with whose it is first, by which it may be cited too; below it stands what is only named. */
function cited(page: HtmlNode): HtmlElement[] {
  const within = childElements(byId(page, 'sources'));
  const end = within.findIndex(({ tagName }) => tagName === 'h3');
  const lists = within.slice(0, end < 0 ? undefined : end);
  for (const entry of lists.flatMap((list) => elementsIn(list, ({ tagName }) => tagName === 'li'))) {
    const [title, ...others] = childElements(entry);
    if (title === undefined) continue;
    const quoted = title.tagName === 'a' ? [title] : [words('“', entry), title, words('”', entry)];
    entry.childNodes = [...others.reverse(), ...quoted];
  }
  return lists;
}

function words(value: string, parentNode: HtmlElement): HtmlElement['childNodes'][number] {
  return { nodeName: '#text', value, parentNode };
}
