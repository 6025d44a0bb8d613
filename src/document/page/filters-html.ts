import { pageTexts } from '../../texts/page';
import { groupedBy } from '../../core/values/grouped-by';
import type { DocumentTree } from '../document';
import { html, type Html } from './html';
import { verdictCounts } from './known-first';
import { yearOfSource } from './passages-html';

interface Choice {
  value: string;
  told: string;
}

/** What the claims of the text can be narrowed to; hidden until the script that does so is there. */
export function filtersHtml({ parts, claims, sources }: DocumentTree): Html | null {
  if (claims.length < 2) return null;
  const cited = sources.filter(({ n }) => claims.some((claim) => claim.sources.includes(n)));
  const years = [...groupedBy(cited, (source) => yearOfSource(source) ?? 'none').keys()].sort().reverse();
  return html`<div class="filters" id="filters" role="group" aria-label="${pageTexts.filters}" hidden>
    ${choiceOf(
      'part',
      pageTexts.part,
      parts
        .filter(({ id }) => claims.some(({ partId }) => partId === id))
        .map(({ id, title }) => ({ value: id, told: title })),
    )}
    ${choiceOf(
      'source',
      pageTexts.source,
      cited.map(({ n, title }) => ({ value: String(n), told: `[${n}] ${title}` })),
    )}
    ${choiceOf(
      'year',
      pageTexts.year,
      years.map((year) => ({ value: year, told: year === 'none' ? pageTexts.unknown : year })),
    )}
    ${choiceOf(
      'verdict',
      pageTexts.check,
      verdictCounts(claims).map(({ verdict, amount }) => ({
        value: verdict,
        told: `${pageTexts.verdicts[verdict]} (${amount})`,
      })),
    )}
    <button type="button" id="filters-reset">${pageTexts.allClaims}</button>
    <p id="filters-told" role="status"></p>
  </div> `;
}

function choiceOf(name: string, label: string, choices: readonly Choice[]): Html | null {
  if (choices.length < 2) return null;
  return html`<label
    >${label}
    <select data-by="${name}">
      <option value="">${pageTexts.all}</option>
      ${choices.map(({ value, told }) => html`<option value="${value}">${told}</option>`)}
    </select></label
  >`;
}
