import { parseBoundedJson } from '../../lib/json';
import { decodeWithFallback, markdownSections } from './document-text';
import { findArticle } from './html-article';
import { htmlMarkdown } from './html-markdown';
import {
  attributeOf,
  childrenOf,
  elementsIn,
  type HtmlElement,
  type HtmlTree,
  parseHtml,
  textOf,
} from './html-tree';
import { type Parsed, UnfitDocument } from './parsed-document';

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

export function parseHtmlDocument(bytes: Uint8Array): Parsed {
  const tree = parseBoundedHtml(decodeHtml(bytes));
  const fields = { ...htmlMetadata(tree) };
  return {
    ok: true,
    documents: [{ fields, parts: markdownSections(htmlMarkdown(tree, findArticle(tree, fields.title))) }],
  };
}

export function parseBoundedHtml(html: string): HtmlTree {
  const parsed = parseHtml(html);
  if (parsed.ok) return parsed.tree;
  throw new UnfitDocument(`${parsed.message}, which is no page; save it anew, or give its text`);
}

const CHARSET_DECLARATION =
  /<meta[^>]+charset\s*=\s*["']?\s*([\w-]{2,40})|^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]{2,40})/i;
const CHARSET_SEARCH_BYTES = 2_048;

function decodeHtml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, CHARSET_SEARCH_BYTES)).toString('latin1');
  const [, inMeta, inXml] = CHARSET_DECLARATION.exec(head) ?? [];
  return decodeWithFallback(bytes, inMeta ?? inXml ?? null);
}

interface HtmlMetadata {
  title?: string;
  author?: string;
  site?: string;
  publishedAt?: string;
  license?: string;
  language?: string;
}

function htmlMetadata(page: HtmlTree): HtmlMetadata {
  const metas = metasOf(page);
  const linked = jsonLdMetadata(page);
  const of = (field: keyof typeof META_NAMES): string | undefined =>
    META_NAMES[field].map((name) => metas.get(name)?.join('; ')).find((value) => value !== undefined);
  return omitEmpty({
    title: titleOf(page, of('title')),
    author: [linked.author, of('author')].find((author = '') => author !== '' && !/^https?:/.test(author)),
    site: of('site'),
    publishedAt: of('publishedAt') ?? linked.publishedAt ?? timeOf(page),
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

/** JSON-LD (schema.org): the first item with a publication date. */
function jsonLdMetadata(page: HtmlTree): { author?: string; publishedAt?: string } {
  const scripts = elementsIn(
    page,
    (element) => element.tagName === 'script' && attributeOf(element, 'type') === 'application/ld+json',
  );
  for (const script of scripts) {
    const text = childrenOf(script).map((child) => ('value' in child ? child.value : ''));
    const json = parseBoundedJson(text.join(''));
    const published = json.ok ? findPublished(json.value) : null;
    if (published === null) continue;
    const author = authorNames(published.author).join('; ');
    return { ...(author === '' ? {} : { author }), publishedAt: String(published.datePublished) };
  }
  return {};
}

function findPublished(value: unknown): Record<string, unknown> | null {
  if (Array.isArray(value)) {
    for (const item of value) {
      const published = findPublished(item);
      if (published !== null) return published;
    }
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Record<string, unknown>; // JSON objects have string keys only
  return typeof fields.datePublished === 'string' ? fields : findPublished(fields['@graph']);
}

function authorNames(author: unknown): string[] {
  if (Array.isArray(author)) return author.flatMap(authorNames);
  if (typeof author === 'string') return [author.trim()];
  const isNamed = typeof author === 'object' && author !== null && 'name' in author;
  return isNamed && typeof author.name === 'string' ? [author.name.trim()] : [];
}
