import { pageTexts } from '../../texts/page';
import { reportTexts } from '../../texts/report';
import { writingTexts } from '../../texts/writing';
import { shownDate } from '../../core/writing/attribution';
import type { DocumentTree, DocumentClaim } from '../document';
import { evidenceParts, type EvidencePart, type EvidenceRow, isDisputed } from '../evidence-rows';
import { partAnchor, claimAnchor, asideAnchor } from './anchors';
import { type Html, html, type Content } from './html';
import { pageFrame } from './page-frame';
import { partsHtml } from './parts-html';
import { passagesHtml, yearOfSource } from './passages-html';
import { pageScript } from './script';
import { sourcesHtml } from './sources-html';
import { groupedBy } from '../../core/values/grouped-by';
import { figuresOf } from '../../reading/statements/statement-figures';
import { numberLink, sourceTitle } from './source-line';
import { Verdict } from '../../contracts/verification/claim-verdict';
import { plainText } from '../markdown/plain-text';

const OPEN = 3;

const EVIDENCE = 'evidence';

/**
 * The document as one page that needs nothing else and asks for nothing: every claim leads to its passage. It can be read without
 * the script.
 */
export function htmlPage(tree: DocumentTree): string {
  return pageFrame({
    title: tree.title,
    generator: `Colligate ${tree.version}`,
    script: pageScript(pageTexts.shown),
    header: [headHtml(tree), contentsHtml(tree)],
    main: html`${knownFirst(tree)}${filtersHtml(tree)}${partsHtml(tree)}${evidenceHtml(tree)}${followUpsHtml(tree)}${sourcesHtml(tree)}${passagesHtml(tree)}`,
    footer: html`${pageTexts.madeBy(tree.version, tree.engine ?? '')}<bdi>${tree.id}</bdi>.`,
  });
}

function headHtml(tree: DocumentTree): Html {
  const { kind, title, question, asOf } = tree;
  const date = asOf === null ? '' : pageTexts.asOf(writingTexts.date(shownDate(asOf)));
  return html`<header>
    <p class="kind">${pageTexts.kinds[kind]}${date}: ${extent(tree)}</p>
    <h1 dir="auto">${title}</h1>
    ${question === title ? null : html`<p class="question" dir="auto">${question}</p> `}
  </header> `;
}

function contentsHtml(tree: DocumentTree): Html {
  const { parts } = tree;
  const others = [
    ...(evidenceParts(tree).length === 0 ? [] : [{ anchor: EVIDENCE, title: reportTexts.headings.evidence }]),
    { anchor: 'sources', title: reportTexts.headings.sources },
  ];
  const entries = [...parts.map(({ id, title }) => ({ anchor: partAnchor(id), title })), ...others];
  return html`<nav class="contents" aria-label="${pageTexts.contents}">
    <ol>
      ${entries.map(
        ({ anchor, title }) =>
          html`<li>
            <a href="#${encodeURIComponent(anchor)}"><bdi>${title}</bdi></a>
          </li> `,
      )}
    </ol>
  </nav> `;
}

function followUpsHtml({ followUps }: DocumentTree): Html | null {
  if (followUps.length === 0) return null;
  return html`<section aria-labelledby="follow-ups-title">
    <h2 id="follow-ups-title">${pageTexts.followUps}</h2>
    <ul>
      ${followUps.map((question) => html`<li dir="auto">${question}</li> `)}
    </ul>
  </section> `;
}

/** How much there is, as the head of the page says it. A claim that a summary repeats counts once; of an answer several passages are of one source. */
function extent({ claims, sources }: DocumentTree): string {
  const amount = claims.filter(({ restates }) => restates !== true).length;
  const cited = sources.filter(({ timesCited }) => timesCited > 0).map(({ sourceId }) => sourceId);
  return pageTexts.extent(amount, new Set(cited).size);
}

interface Choice {
  value: string;
  told: string;
}

/** What the claims of the text can be narrowed to; hidden until the script that does so is there. */
function filtersHtml({ parts, claims, sources }: DocumentTree): Html | null {
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

/** The evidence beside a model's prose: a table a part, in which each quote leads to the passage of the claim that rests on it. */
function evidenceHtml(tree: DocumentTree): Html | null {
  const parts = evidenceParts(tree);
  if (parts.length === 0) return null;
  return html`<section class="part" id="${EVIDENCE}" aria-labelledby="${EVIDENCE}-title">
    <h2 id="${EVIDENCE}-title">${reportTexts.headings.evidence}</h2>
    ${parts.map((part, at) => tableOf(part, `${EVIDENCE}-${at + 1}`))}
  </section> `;
}

function tableOf({ title, rows }: EvidencePart, id: string): Html {
  return html`<h3 id="${id}" dir="auto">${title}</h3>
    <div class="scroll" role="group" aria-labelledby="${id}" tabindex="0">
      <table class="evidence">
        <thead class="beside">
          <tr>
            <th scope="col">${pageTexts.found}</th>
            <th scope="col">${pageTexts.source}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <td dir="auto">${quoteHtml(row)}</td>
                <td>${sourceHtml(row)}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function quoteHtml(row: EvidenceRow): Content {
  const {
    evidence: { quote },
    claim,
    confidence,
  } = row;
  const dispute = isDisputed(row) ? html` <small class="caution">${pageTexts.isDisputed}</small>` : null;
  const href = encodeURIComponent(claimAnchor(claim.id));
  const remark = confidence === null ? null : html` <small class="caution">${confidence}</small>`;
  return html`<a class="claim" href="#${href}">“${withFigures(quote)}”</a>${dispute}${remark}`;
}

function withFigures(quote: string): Content[] {
  let from = 0;
  const pieces = figuresOf(quote).results.flatMap(({ start, endOfUnit }): Content[] => {
    const before = quote.slice(from, start);
    from = endOfUnit;
    return [before, html`<strong>${quote.slice(start, endOfUnit)}</strong>`];
  });
  return [...pieces, quote.slice(from)];
}

function sourceHtml({ evidence: { page: n, place }, source, name }: EvidenceRow): Content {
  const where = place ?? (n === null ? null : pageTexts.onPage(n));
  return html`${numberLink(source.n)}
    <small class="beside"
      >${name === '' ? null : html`<bdi>${name}</bdi>. `}${sourceTitle(source)}${where === null ? null : html`, <bdi>${where}</bdi>`}</small
    >`;
}

function knownFirst(tree: DocumentTree): Html {
  const { notices, setAside, conflicts, gaps } = tree;
  const doubted = tree.claims.filter(({ verdict }) => verdict !== 'supported');
  return html`<section class="first" id="first" aria-labelledby="first-title">
    <h2 id="first-title">${pageTexts.first}</h2>
    ${
      notices.length === 0
        ? null
        : html`<ul class="notices">
            ${notices.map((notice) => html`<li dir="auto">${notice}</li>`)}
          </ul>`
    }
    ${box(
      'set-aside',
      pageTexts.setAside,
      setAside.map((aside) => asideHtml(aside, tree)),
    )}
    ${box(
      'doubted',
      pageTexts.doubted,
      doubted.map((claim) => doubtedHtml(claim)),
    )}
    ${box(
      'disputed',
      pageTexts.disputed,
      conflicts.map((conflict) => conflictHtml(conflict)),
    )}
    ${box(
      'unanswered',
      pageTexts.unanswered,
      gaps.map((gap) => html`<li dir="auto">${gap}</li>`),
    )}
  </section> `;
}

function box(id: string, title: string, items: readonly Html[]): Content {
  if (items.length === 0) return null;
  const summary = html`<summary><h3 id="${id}-title">${title} (${items.length})</h3></summary>`;
  const list = html`<ul id="${id}" aria-labelledby="${id}-title">
    ${items}
  </ul>`;
  return items.length <= OPEN
    ? html`<details open>${summary}${list}</details> `
    : html`<details>${summary}${list}</details> `;
}

function asideHtml(
  { id, text, reason, partId, sources }: DocumentTree['setAside'][number],
  { parts }: DocumentTree,
): Html {
  const part = parts.find((one) => one.id === partId)?.title;
  return html`<li id="${asideAnchor(id)}">
    <q dir="auto">${text}</q> ${sources.map(numberLink)}
    <p class="why">
      <bdi>${reason}</bdi>${part === undefined ? null : html`${pageTexts.stoodIn}“<bdi>${part}</bdi>”.`}
    </p>
  </li> `;
}

function doubtedHtml({ id, text, verdict, reason }: DocumentClaim): Html {
  return html`<li>
    <a href="#${encodeURIComponent(claimAnchor(id))}"><bdi>${plainText(text)}</bdi></a>
    <p class="why">${pageTexts.verdicts[verdict]}. <bdi>${reason}</bdi></p>
  </li> `;
}

function conflictHtml({ topic, viewpoints, reason, resolution }: DocumentTree['conflicts'][number]): Html {
  const favoured = Number(/^favor_viewpoint_(\d+)$/.exec(resolution)?.[1]);
  return html`<li>
    <strong dir="auto">${topic}</strong>
    <div class="sides">
      ${viewpoints.map(
        ({ statement, sources }, at) =>
          html`<div class="side">
            <p dir="auto">${statement}</p>
            <p>
              ${pageTexts.sources(sources.length)}:
              ${sources.map(numberLink)}${at + 1 === favoured ? html` <small class="caution">${pageTexts.favoured}</small>` : null}
            </p>
          </div> `,
      )}
    </div>
    <p class="why" dir="auto">${reason}</p>
  </li> `;
}

function verdictCounts(claims: readonly DocumentClaim[]): { verdict: Verdict; amount: number }[] {
  return Verdict.options.flatMap((verdict) => {
    const amount = claims.filter((claim) => claim.verdict === verdict).length;
    return amount === 0 ? [] : [{ verdict, amount }];
  });
}
