import { posix } from 'node:path';
import { append } from '../../lib/iterables';
import { markdownSections } from './document-text';
import { htmlMarkdown } from './html-markdown';
import { parseBoundedHtml } from './parse-html';
import { type DocumentPart, type Parsed, UnfitDocument } from './parsed-document';
import {
  attributeByName,
  childElements,
  descendantElements,
  parseXml,
  type XmlElement,
  xmlText,
} from './xml';
import { type Archive, openArchive } from './zip-package';

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const CHAPTER = /^application\/xhtml\+xml$|^text\/html$/;

export async function parseEpub(bytes: Uint8Array, onPart: (chapter: number) => void): Promise<Parsed> {
  const archive = await openArchive(bytes);
  const [root] = descendantElements(parseXml(await archive.text(CONTAINER)), 'rootfile');
  const path = root === undefined ? '' : (attributeByName(root, 'full-path') ?? '');
  const book = parseXml(await archive.text(path));
  const chapters = chapterPaths(book, posix.dirname(path));
  const locked = await encryptedFiles(archive);
  if (chapters.some((chapter) => locked.has(chapter)))
    throw new UnfitDocument(
      'it is protected against being read by other programs (DRM); give a copy that is not',
    );
  const parts: DocumentPart[] = [];
  let named: string | null = null;
  for (const [at, chapter] of chapters.entries()) {
    onPart(at + 1);
    const tree = parseBoundedHtml(await archive.text(chapter));
    const sections = markdownSections(htmlMarkdown(tree, { leaveOut: ({ tagName }) => tagName === 'nav' }));
    const own: string | null = sections.find(({ name }) => name !== undefined)?.name ?? null;
    const chapterName: string | null = own ?? named;
    append(
      parts,
      sections.map(({ text, name }) => ({ text, ...partName(chapterName, name) })),
    );
    named = chapterName;
  }
  return { ok: true, documents: [{ fields: bookMetadata(book), parts }] };
}

/** For example `“Chapter 2”` or `“Chapter 2”, “Methods”`. */
function partName(chapter: string | null, section: string | undefined): { name?: string } {
  if (chapter === null) return {};
  return { name: section === undefined || section === chapter ? chapter : `${chapter}, ${section}` };
}

function chapterPaths(book: XmlElement, folder: string): string[] {
  const items = new Map(
    descendantElements(book, 'item').map((item) => [attributeByName(item, 'id') ?? '', item.attributes]),
  );
  return descendantElements(book, 'itemref')
    .filter((reference) => attributeByName(reference, 'linear') !== 'no')
    .map((reference) => items.get(attributeByName(reference, 'idref') ?? ''))
    .filter((item) => item !== undefined && CHAPTER.test(item['media-type'] ?? ''))
    .map((item) => posix.normalize(posix.join(folder, pathOf(item?.href ?? ''))));
}

function pathOf(href: string): string {
  const path = href.split('#')[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // malformed escapes
  }
}

async function encryptedFiles(archive: Archive): Promise<Set<string>> {
  if (!archive.has(ENCRYPTION)) return new Set();
  const references = descendantElements(parseXml(await archive.text(ENCRYPTION)), 'CipherReference');
  return new Set(references.map((reference) => pathOf(attributeByName(reference, 'URI') ?? '')));
}

function bookMetadata(book: XmlElement): Record<string, string> {
  const [metadata] = descendantElements(book, 'metadata');
  const said = (local: string): string[] =>
    (metadata === undefined ? [] : childElements(metadata, local))
      .map((one) => xmlText(one).replace(/\s+/g, ' ').trim())
      .filter((value) => value !== '');
  const first = (local: string): string => said(local)[0] ?? '';
  return {
    title: first('title'),
    author: said('creator').join('; '),
    publishedAt: publicationDate(metadata),
    language: first('language'),
    license: said('rights').join('; '),
  };
}

/** Programs write the date of conversion as another `dc:date`, and the year 101 for an unknown one. */
function publicationDate(metadata: XmlElement | undefined): string {
  const dates = (metadata === undefined ? [] : childElements(metadata, 'date')).filter((date) =>
    /^\s*(?:1[5-9]|20)\d\d/.test(xmlText(date)),
  );
  const told = dates.find((date) => (attributeByName(date, 'event') ?? 'publication') === 'publication');
  return told === undefined ? '' : xmlText(told).trim();
}
