import { pageTexts } from '../../texts/page';
import { reportTexts } from '../../texts/report';
import { writingTexts } from '../../texts/writing';
import { stopBehind } from '../../core/writing/ended';
import { shownDate } from '../../core/writing/attribution';
import type { DocumentSource, DocumentTree } from '../document';
import { byWork } from '../../core/report/report-citations';
import { sourceAnchor } from './anchors';
import { type Content, html, type Html } from './html';
import { sourceTitle, sourceWhose, whoseOf } from './source-line';

export function sourcesHtml({ sources, claims, setAside, conflicts }: DocumentTree): Html {
  const sides = conflicts.flatMap(({ viewpoints }) => viewpoints);
  const named = new Set([...claims, ...setAside, ...sides].flatMap((one) => one.sources));
  const cited = sources.filter(({ timesCited }) => timesCited > 0);
  const others = sources.filter(({ n, timesCited }) => timesCited === 0 && named.has(n));
  return html`<section class="sources" id="sources" aria-labelledby="sources-title">
    <h2 id="sources-title">${reportTexts.headings.sources}</h2>
    ${cited.length === 0 ? html`<p>${reportTexts.noSource}</p>` : list(cited)}
    ${
      others.length === 0
        ? null
        : html`<h3>${pageTexts.named}</h3>
            ${list(others)}`
    }
  </section> `;
}

function list(sources: readonly DocumentSource[]): Html {
  return html`<ol>
    ${byWork(sources).map(({ work, parts }) =>
      work === undefined
        ? parts.map(item)
        : html`<li class="work">
            ${reportTexts.partsOf(work.title)}
            <ol>
              ${parts.map(item)}
            </ol>
          </li> `,
    )}
  </ol>`;
}

function item(source: DocumentSource): Html {
  return html`<li id="${sourceAnchor(source.n)}" value="${source.n}">${sourceHtml(source)}</li> `;
}

function sourceHtml(source: DocumentSource): Content {
  const { accessedAt, quality, timesCited, bySummaryOnly } = source;
  const accessed = accessedAt === null ? '' : writingTexts.date(shownDate(accessedAt));
  const details = [
    timesCited === 0 ? '' : pageTexts.cited(timesCited),
    accessed === '' ? '' : reportTexts.accessed(accessed),
    bySummaryOnly ? pageTexts.summaryOnly : '',
  ].filter((detail) => detail !== '');
  const level = quality?.level === 'authoritative' ? reportTexts.authoritative : reportTexts.general;
  const rated = quality === null ? null : html` ${level} (<bdi>${quality.reason.replace(/\.$/, '')}</bdi>).`;
  return html`${sourceTitle(source)}<br /><small
      >${sourceWhose(source)}${stopBehind(whoseOf(source).at(-1) ?? '.')} ${details.join(' ')}${rated}</small
    >`;
}
