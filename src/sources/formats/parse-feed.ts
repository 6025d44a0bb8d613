import {
  type AnyFeed,
  type AtomFeed,
  type JsonFeed,
  parseFeed as parseAnyFeed,
  type RssFeed,
} from 'feedsmith';
import { parseBoundedJson } from '../../lib/json';
import { isoDate } from '../../lib/strings';
import { isWebAddress } from '../record';
import { htmlMarkdown } from './html-markdown';
import { decodeMarkup, parseBoundedHtml } from './parse-html';
import { type Parsed, type ParsedDocument, UnfitDocument } from './parsed-document';

export function parseFeed(bytes: Uint8Array): Parsed {
  const entries = readEntries(decodeMarkup(bytes));
  if (entries.length === 0) throw new UnfitDocument(NO_ENTRIES);
  return { ok: true, documents: entries.map(feedDocument) };
}

const NO_ENTRIES = 'the feed has no entries';

interface FeedEntry {
  title: FeedText;
  addresses: readonly (string | undefined)[];
  authors: readonly (string | undefined)[];
  site: FeedText;
  published?: string | undefined;
  license?: string | undefined;
  language?: string | undefined;
  content: FeedText;
}

interface FeedText {
  value: string;
  isMarkup: boolean;
}

function feedDocument({
  title,
  addresses,
  authors,
  site,
  published,
  content,
  ...about
}: FeedEntry): ParsedDocument {
  const fields = {
    ...about,
    site: plainTitle(site),
    title: plainTitle(title),
    url: addresses.find(isWebAddress),
    author: authors.filter((name) => name !== undefined && name !== '').join('; '),
    publishedAt: isoDate(published ?? ''),
  };
  return { fields, parts: [{ text: content.isMarkup ? markdownOf(content.value) : content.value }] };
}

function markdownOf(html: string): string {
  return htmlMarkdown(parseBoundedHtml(html));
}

/** Other words in angle brackets are words, as in `List<String>`. */
const TITLE_MARKUP =
  /<(?!\/?(?:a|abbr|b|br|cite|code|em|i|math|mark|q|s|small|span|strong|sub|sup|u|wbr)\b)/gi;

/** Entities are often escaped twice, so they are read in plain titles too. */
function plainTitle({ value, isMarkup }: FeedText): string {
  return markdownOf(value.replace(isMarkup ? TITLE_MARKUP : /</g, '&lt;'))
    .replace(/\s+/g, ' ')
    .trim();
}

function readEntries(text: string): FeedEntry[] {
  const read = parseText(text);
  switch (read.format) {
    case 'atom':
      return (read.feed.entries ?? []).map((entry) => atomEntry(entry, read.feed));
    case 'json':
      return (read.feed.items ?? []).map((item) => jsonEntry(item, read.feed));
    case 'rss':
    case 'rdf':
      return (read.feed.items ?? []).map((item) => rssEntry(item, read.feed));
  }
}

function parseText(text: string): AnyFeed {
  const json = text.trimStart().startsWith('{') ? parseBoundedJson(text) : null;
  if (json?.ok === false) throw new UnfitDocument(json.message);
  try {
    return parseAnyFeed(json === null ? text : json.value);
  } catch {
    throw new UnfitDocument(`${NO_ENTRIES}, or is broken`);
  }
}

/** RSS 1.0 has fewer fields. */
function rssEntry(item: RssFeed.Item<string>, feed: RssFeed.Feed<string>): FeedEntry {
  return {
    title: { value: item.title ?? '', isMarkup: true },
    addresses: [item.link, item.guid?.value],
    authors: item.dc?.creators ?? (item.authors ?? []).map(({ name, email }) => name ?? email),
    site: { value: feed.title ?? '', isMarkup: true },
    published: item.dc?.dates?.[0] ?? item.pubDate,
    license: item.dc?.rights?.[0] ?? feed.copyright ?? feed.dc?.rights?.[0],
    language: feed.language ?? feed.dc?.languages?.[0],
    content: { value: item.content?.encoded ?? item.description ?? '', isMarkup: true },
  };
}

function atomEntry(entry: AtomFeed.Entry<string>, feed: AtomFeed.Feed<string>): FeedEntry {
  const links = (entry.links ?? []).filter(({ rel = 'alternate' }) => rel === 'alternate');
  return {
    title: atomText(entry.title),
    addresses: links.map(({ href }) => href),
    authors: (entry.authors ?? feed.authors ?? []).map(({ name }) => name),
    site: atomText(feed.title),
    published: entry.published ?? entry.updated,
    license: (entry.rights ?? feed.rights)?.value,
    language: feed.xml?.lang,
    content: atomText(entry.content?.value === undefined ? entry.summary : entry.content),
  };
}

function atomText({ value = '', type = 'text' }: AtomFeed.Content = {}): FeedText {
  return { value, isMarkup: type.includes('html') };
}

function jsonEntry(item: JsonFeed.Item<string>, feed: JsonFeed.Feed<string>): FeedEntry {
  const { content_html: html = '', content_text: text, summary } = item;
  return {
    title: { value: item.title ?? '', isMarkup: false },
    addresses: [item.url],
    authors: (item.authors ?? feed.authors ?? []).map(({ name }) => name),
    site: { value: feed.title ?? '', isMarkup: false },
    published: item.date_published,
    language: item.language ?? feed.language,
    content:
      html === '' ? { value: text ?? summary ?? '', isMarkup: false } : { value: html, isMarkup: true },
  };
}
