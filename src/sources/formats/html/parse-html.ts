import { type Parsed, UnfitDocument } from '../parsing/parsed-document';
import { sectionsOf } from '../parsing/sections';
import { articleOf } from './html-article';
import { htmlFacts } from './html-facts';
import { htmlMarkdown } from './html-markdown';
import { type HtmlTree, parseHtml } from './html-tree';

/** A page of the web: its text as Markdown, section by section. */
export function parseHtmlDocument(bytes: Uint8Array): Parsed {
  const tree = boundedTree(decodedHtml(Buffer.from(bytes)));
  const fields = { ...htmlFacts(tree) };
  return { ok: true, documents: [{ fields, parts: sectionsOf(htmlMarkdown(tree, articleOf(tree))) }] };
}

/** A tree that can be walked. Throws `UnfitDocument` for a page that is no page. */
export function boundedTree(html: string): HtmlTree {
  const parsed = parseHtml(html);
  if (parsed.ok) return parsed.tree;
  throw new UnfitDocument(`${parsed.message}, which is no page; save it anew, or give its text`);
}

/** Where a page says in which characters it is written. */
const DECLARED = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]{2,40})|^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]{2,40})/i;
const DECLARED_WITHIN_BYTES = 2_048;

/** By its mark, else what it says, else UTF-8, or where it is no UTF-8 what old pages are written in. */
function decodedHtml(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 3);
  if (mark.startsWith('fffe')) return new TextDecoder('utf-16le').decode(bytes);
  if (mark.startsWith('feff')) return new TextDecoder('utf-16be').decode(bytes);
  const [, inMeta, inXml] = DECLARED.exec(bytes.toString('latin1', 0, DECLARED_WITHIN_BYTES)) ?? [];
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodedAs(inMeta ?? inXml ?? OLD_PAGES, bytes);
  }
}

const OLD_PAGES = 'windows-1252';

function decodedAs(label: string, bytes: Buffer): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder(OLD_PAGES).decode(bytes); // a name that nobody knows
  }
}
