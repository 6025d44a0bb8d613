import type { SourceCatalogue } from '../../contracts/source/source';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { inert } from '../../core/writing/quotation';
import { shortNames } from '../../core/writing/short-names';

export interface SourceLabels {
  /** `Doe 2010`. */
  name(id: string): string;
  /** `Doe 2010, “Its title”`. */
  label(id: string): string;
  /** As `label`, with the id behind it. */
  labelWithId(id: string): string;
}

/** A source that the catalogue does not have is called by its id. */
export function sourceLabels(catalogue: SourceCatalogue | null): SourceLabels {
  const sources = catalogue?.sources ?? [];
  const names = shortNames(sources);
  const titles = new Map(sources.map(({ id, title }) => [id, title]));
  const name = (id: string): string => inert(names.get(id) ?? id);
  const label = (id: string): string => {
    const title = titles.get(id);
    if (title === undefined) return code(id);
    const quoted = `“${inert(title)}”`;
    // Without an author the name is made of the title.
    return names.get(id)?.startsWith('“') ? quoted : `${name(id)}, ${quoted}`;
  };
  return {
    name,
    label,
    labelWithId: (id) => (titles.has(id) ? `${label(id)} ${code(id)}` : code(id)),
  };
}

/** An id or an address as code, which makes nothing of the signs in it. */
export function code(text: string): string {
  return `\`${stripUnsafe(text).replace(/\s+/g, ' ').replace(/`/g, '%60')}\``;
}
