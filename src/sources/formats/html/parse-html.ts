import { decodedText } from '../parsing/decoded-text';
import { type Parsed, UnfitDocument } from '../parsing/parsed-document';
import { sectionsOf } from '../parsing/sections';
import { articleOf } from './html-article';
import { htmlFacts } from './html-facts';
import { htmlMarkdown } from './html-markdown';
import { type HtmlTree, parseHtml } from './html-tree';

export function parseHtmlDocument(bytes: Uint8Array): Parsed {
  const tree = boundedTree(decodedHtml(bytes));
  const fields = { ...htmlFacts(tree) };
  return {
    ok: true,
    documents: [{ fields, parts: sectionsOf(htmlMarkdown(tree, articleOf(tree, fields.title))) }],
  };
}

/** A tree that can be walked. Throws `UnfitDocument` for a page that is no page. */
export function boundedTree(html: string): HtmlTree {
  const parsed = parseHtml(html);
  if (parsed.ok) return parsed.tree;
  throw new UnfitDocument(`${parsed.message}, which is no page; save it anew, or give its text`);
}

const DECLARED =
  /<meta[^>]+charset\s*=\s*["']?\s*([\w-]{2,40})|^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]{2,40})/i;
const DECLARED_WITHIN_BYTES = 2_048;

function decodedHtml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, DECLARED_WITHIN_BYTES)).toString('latin1');
  const [, inMeta, inXml] = DECLARED.exec(head) ?? [];
  return decodedText(bytes, inMeta ?? inXml ?? null);
}
