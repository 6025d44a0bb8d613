import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

const linkifying = new MarkdownIt({ linkify: true, html: true });
// Bare names of hosts in any country, and addresses in digits.
linkifying.linkify.set({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true });

/** Markdown as its readers have it: none of these cleans what it is given. */
export const RENDERERS: Readonly<Record<string, (markdown: string) => string>> = {
  CommonMark: (markdown) => micromark(markdown, { allowDangerousHtml: true, allowDangerousProtocol: true }),
  GFM: (markdown) =>
    micromark(markdown, {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
    }),
  marked: (markdown) => marked.parse(markdown, { async: false, gfm: true }),
  'markdown-it with linkify': (markdown) => linkifying.render(markdown),
};

/** What a browser would make of it. Renderers write `<` and `"` of a text as entities, so a tag is a tag. */
export interface RenderedPage {
  tags: string[];
  links: string[];
  headings: string[];
  text: string;
}

export function pageOf(html: string): RenderedPage {
  return {
    tags: [...html.matchAll(/<\/?([a-z!][a-z0-9-]*)/gi)].map(([, name = '']) => name.toLowerCase()),
    links: [...html.matchAll(/\s(?:href|src)\s*=\s*"([^"]*)"/gi)].map(([, link = '']) => unescaped(link)),
    headings: [...html.matchAll(/<h[1-6][^>]*>(.*?)<\/h[1-6]>/gs)].map(([, text = '']) => textOf(text)),
    text: textOf(html),
  };
}

function textOf(html: string): string {
  return unescaped(html.replace(/<[^>]*>/g, ''));
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function unescaped(html: string): string {
  return html.replace(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => ENTITIES[name] ?? '');
}
