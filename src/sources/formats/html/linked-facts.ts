import { givenJson } from '../../../core/values/given-json';
import { attributeOf, childrenOf, elementsIn, type HtmlTree } from './html-tree';

/** What a page says of itself as linked data (JSON-LD, schema.org): of the first thing there that was published. */
export function linkedFacts(page: HtmlTree): { author?: string; publishedAt?: string } {
  const scripts = elementsIn(
    page,
    (element) => element.tagName === 'script' && attributeOf(element, 'type') === 'application/ld+json',
  );
  for (const script of scripts) {
    const text = childrenOf(script).map((child) => ('value' in child ? child.value : ''));
    const json = givenJson(text.join(''));
    const published = json.ok ? publishedIn(json.value) : null;
    if (published === null) continue;
    const author = namesIn(published.author).join('; ');
    return { ...(author === '' ? {} : { author }), publishedAt: String(published.datePublished) };
  }
  return {};
}

function publishedIn(value: unknown): Record<string, unknown> | null {
  if (Array.isArray(value)) {
    for (const item of value) {
      const published = publishedIn(item);
      if (published !== null) return published;
    }
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Record<string, unknown>; // an object of JSON has nothing else
  return typeof fields.datePublished === 'string' ? fields : publishedIn(fields['@graph']);
}

function namesIn(author: unknown): string[] {
  if (Array.isArray(author)) return author.flatMap(namesIn);
  if (typeof author === 'string') return [author.trim()];
  const isNamed = typeof author === 'object' && author !== null && 'name' in author;
  return isNamed && typeof author.name === 'string' ? [author.name.trim()] : [];
}
