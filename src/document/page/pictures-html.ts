import { pageTexts } from '../../texts/page';
import type { DocumentClaim, DocumentTree } from '../document';
import { SOURCE_KINDS, sourceKind } from '../source-kind';
import { type Figure, barPicture, columnPicture, figureTable, legend } from './pictures';
import { html, type Content, type Html } from './html';
import { numberLink } from './source-line';
import { yearOfSource } from './passages-html';

/** So many sources have a bar; the table has all of them. */
const MOST_BARS = 15;

/** The evidence at a glance: who is cited where, of when it is, and who carries how much. */
export function picturesHtml(tree: DocumentTree): Html | null {
  const cited = tree.sources.filter(({ timesCited }) => timesCited > 0);
  if (tree.claims.length === 0 || cited.length === 0) return null;
  return html`<section class="pictures" id="pictures" aria-labelledby="pictures-title">
    <h2 id="pictures-title">${pageTexts.pictures}</h2>
    ${picture('by-part', pageTexts.byPart, pageTexts.part, sourcesByPart(tree))}
    ${picture('by-year', pageTexts.byYear, pageTexts.year, sourcesByYear(cited))}
    ${picture('by-source', pageTexts.bySource, pageTexts.source, claimsBySource(tree))}
  </section> `;
}

interface Figures {
  series: readonly string[];
  figures: Figure[];
  draw: (figures: readonly Figure[]) => Html;
}

function picture(id: string, title: string, what: string, { series, figures, draw }: Figures): Content {
  return html`<figure class="picture" aria-labelledby="${id}-title">
    <figcaption id="${id}-title">${title}</figcaption>
    ${legend(series)}${draw(figures)}
    <details>
      <summary>${pageTexts.asTable(title)}</summary>
      ${figureTable(what, series, figures)}
    </details>
  </figure> `;
}

/** Those of which there is something, so that nobody looks for what is not there. */
function withoutEmpty(
  series: readonly string[],
  figures: readonly Figure[],
): Pick<Figures, 'series' | 'figures'> {
  const isUsed = (_any: unknown, at: number): boolean =>
    figures.some(({ amounts }) => (amounts[at] ?? 0) > 0);
  return {
    series: series.filter(isUsed),
    figures: figures.map((figure) => ({ ...figure, amounts: figure.amounts.filter(isUsed) })),
  };
}

/** Each source counts once in a part, by the first of its quotes there that tells a result, as the text counts them. */
function sourcesByPart({ parts, ...tree }: DocumentTree): Figures {
  const claims = toCount(tree);
  const figures = parts.flatMap(({ id, title }) => {
    const own = claims.filter(({ partId }) => partId === id);
    const told = new Map(
      own
        .flatMap(({ evidence }) => evidence)
        .toReversed()
        .flatMap(({ source, tells }) => (tells === undefined ? [] : [[source, tells]])),
    );
    const sources = [...new Set(own.flatMap((claim) => claim.sources))];
    const none = sources.filter((n) => told.get(n) === 'none').length;
    const unknown = sources.filter((n) => !told.has(n)).length;
    const amounts = [sources.length - none - unknown, none, unknown];
    return own.length === 0 ? [] : [{ label: title, shown: html`<bdi>${title}</bdi>`, amounts }];
  });
  return { ...withoutEmpty(pageTexts.sides, figures), draw: barPicture };
}

/** So many years in a row are drawn with those of which there is nothing. */
const MOST_YEARS = 60;

function sourcesByYear(cited: DocumentTree['sources']): Figures {
  // An answer's numbers are those of passages, of which a source may have several.
  const sources = [...new Map(cited.map((source) => [source.sourceId, source])).values()];
  const known = [...new Set(sources.flatMap((source) => yearOfSource(source) ?? []).map(Number))].sort(
    (one, other) => one - other,
  );
  const [first = 0, last = -1] = [known[0], known.at(-1)];
  const span = last - first + 1;
  const years = span <= MOST_YEARS ? Array.from({ length: span }, (_year, at) => first + at) : known;
  const figureOf = (year: string | null): Figure => {
    const ofYear = sources.filter((source) => yearOfSource(source) === year).map(sourceKind);
    const label = year ?? pageTexts.unknown;
    const amounts = SOURCE_KINDS.map((kind) => ofYear.filter((one) => one === kind).length);
    return { label, shown: label, amounts };
  };
  const unknown = figureOf(null);
  const figures = [
    ...years.map((year) => figureOf(String(year))),
    ...(unknown.amounts.every((amount) => amount === 0) ? [] : [unknown]),
  ];
  const series = SOURCE_KINDS.map((kind) => pageTexts.sourceKinds[kind]);
  return { ...withoutEmpty(series, figures), draw: columnPicture };
}

function claimsBySource({ sources, ...tree }: DocumentTree): Figures {
  const claims = toCount(tree);
  const figures = sources
    .map(({ n, title }): Figure => {
      const amount = claims.filter((claim) => claim.sources.includes(n)).length;
      return {
        label: `[${n}] ${title}`,
        shown: html`${numberLink(n)} <bdi>${title}</bdi>`,
        amounts: [amount],
      };
    })
    .filter(({ amounts: [amount = 0] }) => amount > 0)
    .sort(({ amounts: [one = 0] }, { amounts: [other = 0] }) => other - one);
  return { series: [pageTexts.carried], figures, draw: (all) => barPicture(all.slice(0, MOST_BARS)) };
}

/** What a reader of the head sees: how much there is. Of an answer several passages are of one source. */
export function extent({ sources, ...tree }: DocumentTree): string {
  const claims = toCount(tree);
  const cited = sources.filter(({ timesCited }) => timesCited > 0).map(({ sourceId }) => sourceId);
  return pageTexts.extent(claims.length, new Set(cited).size);
}

/** What a summary says again counts once. */
function toCount({ claims }: Pick<DocumentTree, 'claims'>): readonly DocumentClaim[] {
  return claims.filter(({ restates }) => restates !== true);
}
