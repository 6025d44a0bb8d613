import { type Texts, textsOf } from '../../texts/texts';
import { stopBehind } from '../../core/writing/ended';
import { shownDate } from '../../core/writing/as-of';
import type { DocumentSource, DocumentTree } from '../document';
import { sourceAnchor } from './anchors';
import { type Content, html, type Html } from './html';
import { sourceTitle, sourceWhose, whoseOf } from './source-line';

/** The sources that the text cites, and those that are only named, such as by what is set aside. */
export function sourcesHtml({ sources, claims, setAside, conflicts, language }: DocumentTree): Html {
  const texts = textsOf(language);
  const sides = conflicts.flatMap(({ viewpoints }) => viewpoints);
  const named = new Set([...claims, ...setAside, ...sides].flatMap((one) => one.sources));
  const cited = sources.filter(({ timesCited }) => timesCited > 0);
  const others = sources.filter(({ n, timesCited }) => timesCited === 0 && named.has(n));
  return html`<section class="sources" id="sources" aria-labelledby="sources-title">
    <h2 id="sources-title">${texts.report.headings.sources}</h2>
    ${cited.length === 0 ? html`<p>${texts.report.noSource}</p>` : list(cited, texts)}
    ${
      others.length === 0
        ? null
        : html`<h3>${texts.page.named}</h3>
            ${list(others, texts)}`
    }
  </section> `;
}

function list(sources: readonly DocumentSource[], texts: Texts): Html {
  return html`<ol>
    ${sources.map(
      (source) =>
        html`<li id="${sourceAnchor(source.n)}" value="${source.n}">${sourceHtml(source, texts)}</li> `,
    )}
  </ol>`;
}

function sourceHtml(source: DocumentSource, { page, report, writing }: Texts): Content {
  const { accessedAt, quality, timesCited, bySummaryOnly } = source;
  const accessed = accessedAt === null ? '' : writing.date(shownDate(accessedAt));
  const details = [
    timesCited === 0 ? '' : page.cited(timesCited),
    accessed === '' ? '' : report.accessed(accessed),
    bySummaryOnly ? page.summaryOnly : '',
  ].filter((detail) => detail !== '');
  const level = quality?.level === 'authoritative' ? report.authoritative : report.general;
  const rated = quality === null ? null : html` ${level} (<bdi>${quality.reason.replace(/\.$/, '')}</bdi>).`;
  return html`${sourceTitle(source)}<br /><small
      >${sourceWhose(source)}${stopBehind(whoseOf(source).at(-1) ?? '.')} ${details.join(' ')}${rated}</small
    >`;
}
