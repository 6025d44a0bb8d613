import { parseBoundedJson } from '../../lib/json';
import { isoDate } from '../../lib/strings';
import { isWebAddress } from '../record';
import { attributeOf, elementsIn, type HtmlElement, type HtmlTree, rawTextOf, textOf } from './html-tree';

// What a page says of itself: meta elements, JSON-LD and links.

const META_NAMES: Readonly<
  Record<'title' | 'author' | 'site' | 'publishedAt' | 'license', readonly string[]>
> = {
  title: ['citation_title', 'dc.title', 'dcterms.title', 'og:title', 'twitter:title'],
  author: ['citation_author', 'dc.creator', 'dcterms.creator', 'author', 'article:author', 'parsely-author'],
  site: ['citation_journal_title', 'og:site_name'],
  publishedAt: [
    'citation_publication_date',
    'citation_date',
    'dc.date',
    'dcterms.date',
    'dcterms.created',
    'article:published_time',
    'date',
  ],
  license: ['dc.rights', 'dcterms.license', 'dcterms.rights', 'license', 'copyright'],
};

const TITLE_SEPARATOR = /\s+(?:[|·•–—»«›]|::|\/\/|-)\s+/;

export interface HtmlMetadata {
  url?: string;
  title?: string;
  author?: string;
  site?: string;
  publishedAt?: string;
  license?: string;
  language?: string;
  /** The text of the article as the page gives it to search engines. */
  articleBody?: string;
}

export function readHtmlMetadata(page: HtmlTree): HtmlMetadata {
  const metas = metasOf(page);
  const linked = jsonLdMetadata(page);
  const of = (field: keyof typeof META_NAMES): string | undefined =>
    META_NAMES[field].map((name) => metas.get(name)?.join('; ')).find((value) => value !== undefined);
  return omitEmpty({
    title: titleOf(page, of('title')),
    author: [linked.author, of('author')].find((author = '') => author !== '' && !/^https?:/.test(author)),
    site: of('site'),
    publishedAt: [of('publishedAt'), linked.publishedAt, timeOf(page)]
      .map(dateOf)
      .find((date) => date !== undefined),
    url: addressOf(page, metas),
    articleBody: linked.articleBody,
    license: licenceOf(page) ?? of('license'),
    language: languageOf(page),
  });
}

function metasOf(page: HtmlTree): Map<string, string[]> {
  const metas = new Map<string, string[]>();
  for (const meta of elementsIn(page, ({ tagName }) => tagName === 'meta')) {
    const name = (attributeOf(meta, 'name') ?? attributeOf(meta, 'property') ?? '').toLowerCase();
    const content = (attributeOf(meta, 'content') ?? '').replace(/\s+/g, ' ').trim();
    if (name !== '' && content !== '') metas.set(name, [...(metas.get(name) ?? []), content]);
  }
  return metas;
}

/** The longest heading that the title contains, else the title without the site name. */
function titleOf(page: HtmlTree, said: string | undefined): string | undefined {
  const title = said ?? firstText(page, ({ tagName }) => tagName === 'title');
  const headings = elementsIn(page, ({ tagName }) => /^h[1-3]$/.test(tagName)).map((heading) =>
    textOf(heading).replace(/\s*[¶#§]$/u, ''),
  );
  if (title === undefined) return headings.length === 1 ? headings[0] : undefined;
  const named = headings.filter((heading) => title.includes(heading)).sort((a, b) => b.length - a.length)[0];
  return named === undefined || named === '' ? title.split(TITLE_SEPARATOR)[0] : named;
}

function timeOf(page: HtmlTree): string | undefined {
  const isTime = (element: HtmlElement): boolean =>
    attributeOf(element, 'itemprop') === 'datePublished' ||
    (element.tagName === 'time' && attributeOf(element, 'pubdate') !== null);
  const [time] = elementsIn(page, isTime);
  if (time === undefined) return undefined;
  return attributeOf(time, 'datetime') ?? attributeOf(time, 'content') ?? textOf(time);
}

function licenceOf(page: HtmlTree): string | undefined {
  const isLicence = (element: HtmlElement): boolean =>
    /^(?:a|link)$/.test(element.tagName) &&
    (attributeOf(element, 'rel') ?? '').toLowerCase().split(/\s+/).includes('license');
  const [link] = elementsIn(page, isLicence);
  return link === undefined ? undefined : textOf(link) || (attributeOf(link, 'href') ?? undefined);
}

function languageOf(page: HtmlTree): string | undefined {
  const [html] = elementsIn(page, ({ tagName }) => tagName === 'html');
  const language = html === undefined ? null : (attributeOf(html, 'lang') ?? attributeOf(html, 'xml:lang'));
  return language !== null && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(language) ? language : undefined;
}

function firstText(page: HtmlTree, isWanted: (element: HtmlElement) => boolean): string | undefined {
  return elementsIn(page, isWanted)
    .map(textOf)
    .find((text) => text !== '');
}

function omitEmpty(facts: Readonly<Record<string, string | undefined>>): HtmlMetadata {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => (value ?? '').trim() !== ''));
}

/** `2020/05/04` and `May 4, 2020` too; undefined for other words, such as `3 days ago`. */
function dateOf(said: string | undefined): string | undefined {
  return (
    isoDate((said ?? '').replace(/^(\d{4})\/(\d\d?)/, '$1-$2').replace(/^(\d{4}-\d\d)\//, '$1-')) ?? undefined
  );
}

/** The address that the page names as its own. Many pages wrongly name the start page. */
function addressOf(page: HtmlTree, metas: ReadonlyMap<string, readonly string[]>): string | undefined {
  const links = elementsIn(
    page,
    (element) => element.tagName === 'link' && /^canonical$/i.test(attributeOf(element, 'rel')?.trim() ?? ''),
  );
  const said = [
    ...links.map((link) => attributeOf(link, 'href')?.trim() ?? ''),
    ...(metas.get('og:url') ?? []),
  ];
  return said.find((address) => {
    const { pathname = '/', search = '' } = isWebAddress(address) ? new URL(address) : {};
    return pathname !== '/' || search !== '';
  });
}

/** JSON-LD (schema.org): the first item with a publication date, else with an author, and the longest text. */
function jsonLdMetadata(page: HtmlTree): Pick<HtmlMetadata, 'author' | 'publishedAt' | 'articleBody'> {
  const scripts = elementsIn(
    page,
    (element) =>
      element.tagName === 'script' && /^application\/ld\+json\b/i.test(attributeOf(element, 'type') ?? ''),
  );
  const items = scripts.flatMap((script) => {
    const json = parseBoundedJson(rawTextOf(script));
    return json.ok ? jsonLdItems(json.value) : [];
  });
  const text = (item: JsonObject | undefined, key: string): string =>
    typeof item?.[key] === 'string' ? item[key] : '';
  const published = items.find((item) => text(item, 'datePublished') !== '');
  const bodies = items.map((item) => text(item, 'articleBody')).sort((a, b) => b.length - a.length);
  const written = published ?? items.find((item) => text(item, 'articleBody') !== '');
  return {
    author: authorNames(written?.author).join('; '),
    publishedAt: text(published, 'datePublished'),
    articleBody: bodies[0] ?? '',
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

function jsonLdItems(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(jsonLdItems);
  if (typeof value !== 'object' || value === null) return [];
  const item = value as JsonObject; // JSON objects have string keys only
  return [item, ...jsonLdItems(item['@graph']), ...jsonLdItems(item.mainEntity)];
}

function authorNames(author: unknown): string[] {
  if (Array.isArray(author)) return author.flatMap(authorNames);
  if (typeof author === 'string') return [author.trim()];
  const isNamed = typeof author === 'object' && author !== null && 'name' in author;
  return isNamed && typeof author.name === 'string' ? [author.name.trim()] : [];
}
