import { runTexts } from '../../texts/run';
import { CLOSED_STATUSES } from '../../core/run/closed-statuses';
import { type RunSnapshot, snapshotFacts } from '../../core/run/run-snapshot';
import type { DocumentTree } from '../document';
import type { UnfinishedDocument, UnfinishedSection } from '../unfinished-document';
import { type Html, html } from './html';
import { pageFrame } from './page-frame';
import { partsHtml } from './parts-html';
import { sourcesHtml } from './sources-html';

/** So often a page that tells of a run which goes on is loaded anew, by whoever shows it. */
const RELOAD_SECONDS = 10;

/** Nothing is asked for but the page itself; who reads it can have it stay as it is. */
const RELOADING = `
const stay = document.getElementById('stay');
const reload = setTimeout(() => location.reload(), ${RELOAD_SECONDS}000);
stay.hidden = false;
stay.addEventListener('click', () => { clearTimeout(reload); stay.disabled = true; });
`;

/** The page of a run that has no result: where it is, in the words of a terminal, and what is written so far. */
export function unfinishedPage(unfinished: UnfinishedDocument): string {
  const { snapshot, question } = unfinished;
  return pageFrame({
    title: question,
    generator: null,
    script: CLOSED_STATUSES.has(snapshot.status) ? '' : RELOADING,
    header: html`<header>
      <p class="kind">${runTexts.page.noResult[snapshot.kind]}</p>
      <h1 dir="auto">${question}</h1>
    </header> `,
    main: html`${whereHtml(unfinished)}${soFarHtml(unfinished)}`,
    footer: html`${runTexts.page.madeAt(runTexts.time(unfinished.madeAt))}<bdi>${snapshot.runId}</bdi>.`,
  });
}

function whereHtml({ snapshot, madeAt }: UnfinishedDocument): Html {
  const { status, kind } = snapshot;
  return html`<section class="first" aria-labelledby="where-title">
    <h2 id="where-title">${runTexts.page.where}</h2>
    ${
      CLOSED_STATUSES.has(status)
        ? html`<p>${runTexts.page.left(runTexts.statuses[status], runTexts.kinds[kind])}</p> `
        : html`<p>${runTexts.page.goesOn(runTexts.time(madeAt), RELOAD_SECONDS)}</p>
            <p><button type="button" id="stay" hidden>${runTexts.page.stay}</button></p> `
    }
    ${factsHtml(snapshot)}
  </section> `;
}

/** Where a run is, in the words of a terminal. */
export function factsHtml(snapshot: RunSnapshot): Html {
  return html`<dl class="check">
    ${snapshotFacts(snapshot).map(
      ({ name, text }) =>
        html`<dt>${name}</dt>
          <dd dir="auto">${text}</dd> `,
    )}
  </dl> `;
}

/** The sections with where each is, and what is written so far. */
export function soFarHtml(unfinished: UnfinishedDocument): Html {
  const tree = treeSoFar(unfinished);
  return html`${sectionsHtml(unfinished.sections)}${partsHtml(tree)}${tree.sources.length === 0 ? null : sourcesHtml(tree)}`;
}

function sectionsHtml(sections: readonly UnfinishedSection[]): Html | null {
  if (sections.length === 0) return null;
  return html`<section aria-labelledby="sections-title">
    <h2 id="sections-title">${runTexts.page.sections}</h2>
    <ol>
      ${sections.map(({ title, state }) => html`<li><bdi>${title}</bdi>: ${runTexts.page.states[state]}</li> `)}
    </ol>
  </section> `;
}

/** What is written, as a document of which nothing is judged yet. */
function treeSoFar({ snapshot, question, sections, sources }: UnfinishedDocument): DocumentTree {
  return {
    kind: snapshot.kind,
    id: snapshot.runId,
    title: question,
    question,
    notices: [],
    parts: sections.flatMap(({ id, title, markdown }) =>
      markdown === null ? [] : [{ id, title, markdown }],
    ),
    claims: [],
    setAside: [],
    conflicts: [],
    gaps: [],
    followUps: [],
    sources,
    asOf: null,
    engine: null,
    version: '',
  };
}
