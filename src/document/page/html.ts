import { stripUnsafe } from '../../core/text/untrusted-text';

/** Markup of the page. Only `html` makes it, out of the templates of this folder. */
export class Html {
  constructor(readonly markup: string) {}
}

/** What may stand in a template: text is escaped, nothing is left out for `null`. */
export type Content = Html | string | number | null | readonly Content[];

/** The one place where texts become markup: whatever is put into such a template is text, unless such a template made it. */
export function html(markup: TemplateStringsArray, ...contents: Content[]): Html {
  return new Html(String.raw({ raw: markup }, ...contents.map(markupOf)));
}

function markupOf(content: Content): string {
  if (content === null) return '';
  if (content instanceof Html) return content.markup;
  if (typeof content === 'string') return escaped(content);
  return typeof content === 'number' ? String(content) : content.map(markupOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Within elements and quoted attributes. What nobody sees, and would turn the direction of what follows, is no part of it. */
function escaped(text: string): string {
  return stripUnsafe(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
