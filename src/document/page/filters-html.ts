import { groupedBy } from '../../core/values/grouped-by';
import type { DocumentClaim, DocumentTree } from '../document';
import { REPORTING, type Reporting, reportingOf } from './directions';
import { html, type Html } from './html';
import { verdictCounts } from './known-first';
import { yearOfSource } from './passages-html';
import { VERDICT_WORDS } from './verdict-words';

interface Choice {
  value: string;
  told: string;
}

/** What the claims of the text can be narrowed to; hidden until the script that does so is there. */
export function filtersHtml({ parts, claims, sources }: DocumentTree): Html | null {
  if (claims.length < 2) return null;
  const cited = sources.filter(({ n }) => claims.some((claim) => claim.sources.includes(n)));
  const years = [...groupedBy(cited, (source) => yearOfSource(source) ?? 'none').keys()].sort().reverse();
  return html`<div class="filters" id="filters" role="group" aria-label="Show only claims" hidden>
    ${choice(
      'part',
      'Part',
      parts
        .filter(({ id }) => claims.some(({ partId }) => partId === id))
        .map(({ id, title }) => ({ value: id, told: title })),
    )}
    ${choice(
      'source',
      'Source',
      cited.map(({ n, title }) => ({ value: String(n), told: `[${n}] ${title}` })),
    )}
    ${choice(
      'year',
      'Year',
      years.map((year) => ({ value: year, told: year === 'none' ? 'unknown' : year })),
    )}
    ${choice('direction', 'Reports', reportingChoices(claims))}
    ${choice(
      'verdict',
      'Check',
      verdictCounts(claims).map(({ verdict, amount }) => ({
        value: verdict,
        told: `${VERDICT_WORDS[verdict]} (${amount})`,
      })),
    )}
    <button type="button" id="filters-reset">All claims</button>
    <p id="filters-told" role="status"></p>
  </div> `;
}

function reportingChoices(claims: readonly DocumentClaim[]): Choice[] {
  const reported = claims.map(reportingOf);
  return (Object.keys(REPORTING) as Reporting[]).flatMap((value) => {
    const amount = reported.filter((one) => one.has(value)).length;
    return amount === 0 ? [] : [{ value, told: `${REPORTING[value]} (${amount})` }];
  });
}

/** Where all are alike there is nothing to choose. */
function choice(name: string, label: string, choices: readonly Choice[]): Html | null {
  if (choices.length < 2) return null;
  return html`<label
    >${label}
    <select data-by="${name}">
      <option value="">all</option>
      ${choices.map(({ value, told }) => html`<option value="${value}">${told}</option>`)}
    </select></label
  >`;
}
