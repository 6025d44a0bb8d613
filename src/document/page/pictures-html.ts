import { count } from '../../core/writing/count';
import type { DocumentTree } from '../document';
import { type Figure, barPicture, columnPicture, figureTable } from './pictures';
import { html, type Content, type Html } from './html';
import { numberLink } from './source-line';
import { yearOfSource } from './passages-html';

/** So many sources have a bar; the table has all of them. */
const MOST_BARS = 15;

/** The evidence at a glance: who is cited where, of when it is, and who carries how much. */
export function picturesHtml(tree: DocumentTree): Html | null {
  const cited = tree.sources.filter(({ timesCited }) => timesCited > 0);
  if (tree.claims.length === 0 || cited.length === 0) return null;
  const [parts, years, carrying] = [sourcesByPart(tree), sourcesByYear(cited), claimsBySource(tree)];
  return html`<section class="pictures" id="pictures" aria-labelledby="pictures-title">
    <h2 id="pictures-title">The evidence at a glance</h2>
    ${figure('by-part', 'Sources cited by part', barPicture(parts), figureTable('Part', 'Sources', parts))}
    ${figure('by-year', 'Cited sources by year', columnPicture(years), figureTable('Year', 'Sources', years))}
    ${figure('by-source', 'Claims that each source carries', barPicture(carrying.slice(0, MOST_BARS)), figureTable('Source', 'Claims', carrying))}
  </section> `;
}

function figure(id: string, title: string, picture: Html, table: Html): Content {
  return html`<figure class="picture" aria-labelledby="${id}-title">
    <figcaption id="${id}-title">${title}</figcaption>
    ${picture}
    <details>
      <summary>${title}, as a table</summary>
      ${table}
    </details>
  </figure> `;
}

function sourcesByPart({ parts, claims }: DocumentTree): Figure[] {
  return parts.flatMap(({ id, title }) => {
    const own = claims.filter(({ partId }) => partId === id);
    const amount = new Set(own.flatMap(({ sources }) => sources)).size;
    return own.length === 0 ? [] : [{ label: title, shown: html`<bdi>${title}</bdi>`, amount }];
  });
}

/** So many years in a row are drawn with those of which there is nothing. */
const MOST_YEARS = 60;

function sourcesByYear(cited: DocumentTree['sources']): Figure[] {
  const known = cited.flatMap((source) => yearOfSource(source) ?? []).map(Number);
  const [first, last] = [Math.min(...known), Math.max(...known)];
  const span = known.length === 0 ? 0 : last - first + 1;
  const years =
    span <= MOST_YEARS ? Array.from({ length: span }, (_year, at) => first + at) : [...new Set(known)].sort();
  const unknown = cited.length - known.length;
  return [
    ...years.map((year) => figureOf(String(year), known.filter((one) => one === year).length)),
    ...(unknown === 0 ? [] : [figureOf('unknown', unknown)]),
  ];
}

function figureOf(label: string, amount: number): Figure {
  return { label, shown: label, amount };
}

function claimsBySource({ sources, claims }: DocumentTree): Figure[] {
  return sources
    .map(({ n, title }): Figure => {
      const amount = claims.filter((claim) => claim.sources.includes(n)).length;
      return { label: `[${n}] ${title}`, shown: html`${numberLink(n)} <bdi>${title}</bdi>`, amount };
    })
    .filter(({ amount }) => amount > 0)
    .sort((one, other) => other.amount - one.amount);
}

/** What a reader of the head sees: how much there is. */
export function extent({ claims, sources }: DocumentTree): string {
  const cited = sources.filter(({ timesCited }) => timesCited > 0).length;
  return `${count(claims.length, 'claim')} from ${count(cited, 'source')}`;
}
