import { pageTexts } from '../../texts/page';
import { reportTexts } from '../../texts/report';
import { writingTexts } from '../../texts/writing';
import { shownDate } from '../../core/writing/attribution';
import type { DocumentTree } from '../document';
import { evidenceParts } from '../evidence-rows';
import { partAnchor } from './anchors';
import { EVIDENCE, evidenceHtml } from './evidence-html';
import { filtersHtml } from './filters-html';
import { type Html, html } from './html';
import { knownFirst } from './known-first';
import { pageFrame } from './page-frame';
import { partsHtml } from './parts-html';
import { passagesHtml } from './passages-html';
import { pageScript } from './script';
import { sourcesHtml } from './sources-html';

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
