import { RUN_EVENT_TYPES } from '../contracts/event';
import type { GivenOutline } from '../contracts/outline';
import type { RunStatus } from '../contracts/run';
import { CLOSED_STATUSES, formatUtcTime, type RunSnapshot, snapshotFacts } from '../contracts/run-status';
import { runTexts } from '../contracts/wording';
import type { DocumentTree, UnfinishedDocument, UnfinishedSection } from '../report/document/document';
import { EXPORT_FORMAT_NAMES } from '../report/document/export-formats';
import { type Html, html } from '../report/document/html';
import { partsHtml, sourcesHtml } from '../report/document/page-parts';
import { serverTexts } from '../report/page-texts';
import { confirmedAction, postButton, runPath, servedPage, type Viewer } from './served-page';

/**
 * Reloads the changing parts of the page at each event. Events are only a signal, so nothing is shown twice or
 * missed if one is lost. The browser resumes the stream by itself.
 */
const FOLLOWING_SCRIPT = `
'use strict';
(() => {
  const state = document.getElementById('follows');
  if (state === null || typeof EventSource === 'undefined') return;
  const parts = ['facts', 'so-far'];
  state.textContent = state.dataset.follows;
  let isAsking = false;
  let isStale = false;
  const tellLocalTimes = () => {
    for (const time of document.querySelectorAll('#facts time')) {
      const at = new Date(time.dateTime);
      const isToday = at.toDateString() === new Date().toDateString();
      const clock = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
      time.textContent = isToday ? clock : at.toLocaleDateString([], { day: 'numeric', month: 'long' }) + ', ' + clock;
    }
  };
  const renew = async () => {
    isStale = true;
    if (isAsking) return;
    isAsking = true;
    try {
      while (isStale) {
        isStale = false;
        const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } });
        if (!answer.ok) throw new Error(answer.statusText);
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        // The page of a run that has ended follows nothing.
        if (page.getElementById('follows') === null) {
          location.reload();
          return;
        }
        for (const id of parts) document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
        tellLocalTimes();
        const actions = page.getElementById('actions');
        const own = document.getElementById('actions');
        // What somebody is filling in is left to them.
        if (actions !== null && own !== null && !own.contains(document.activeElement)) own.replaceWith(actions);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    } catch {
      isStale = false;
    } finally {
      isAsking = false;
    }
  };
  tellLocalTimes();
  // No event comes while a run waits, and how long it still waits changes.
  setInterval(() => void renew(), 60_000);
  const stream = new EventSource(state.dataset.events);
  stream.addEventListener('open', () => {
    state.textContent = state.dataset.follows;
    void renew();
  });
  stream.addEventListener('error', () => {
    state.textContent = state.dataset.lost;
  });
  for (const type of state.dataset.types.split(' ')) stream.addEventListener(type, () => void renew());
})();
`;

export interface RunView {
  soFar: UnfinishedDocument;
  hasResult: boolean;
  told: string | null;
}

const CAN_PAUSE: readonly RunStatus[] = ['queued', 'running', 'waiting', 'awaiting-approval'];

export function runPage(viewer: Viewer, shown: RunView): string {
  const { soFar, told } = shown;
  const { snapshot, question } = soFar;
  const hasEnded = CLOSED_STATUSES.has(snapshot.status);
  return servedPage(viewer, {
    title: question,
    script: hasEnded ? '' : FOLLOWING_SCRIPT,
    main: html`${told === null ? null : html`<p class="told" role="status">${told}</p> `}${resultHtml(shown)}
      <section class="first" aria-labelledby="where-title">
        <h2 id="where-title">${serverTexts.where}</h2>
        ${hasEnded ? factsHtml(snapshot) : html`${liveFactsHtml(soFar)}${actionsHtml(viewer, shown)}`}
      </section>
      ${
        hasEnded
          ? html`${shown.hasResult ? null : soFarHtml(soFar)}${endedActionsHtml(viewer, soFar)}`
          : html`<div id="so-far">${soFarHtml(soFar)}</div> `
      }`,
  });
}

function liveFactsHtml({ snapshot }: UnfinishedDocument): Html {
  return html`<div id="facts">${factsHtml(snapshot)}</div>
    <p
      id="follows"
      role="status"
      data-follows="${serverTexts.follows}"
      data-lost="${serverTexts.lost}"
      data-events="/v1${runPath(snapshot.runId, '/events')}"
      data-types="${RUN_EVENT_TYPES.join(' ')}"
    >
      ${serverTexts.withoutScript}
    </p> `;
}

function resultHtml({ soFar: { snapshot }, hasResult }: RunView): Html | null {
  if (!hasResult) return null;
  const { runId, kind } = snapshot;
  return html`<section aria-labelledby="result-title">
    <h2 id="result-title">${serverTexts.result}</h2>
    <p><a href="${runPath(runId, '/result')}">${serverTexts.read[kind]}</a></p>
    <p>
      ${serverTexts.as}
      ${EXPORT_FORMAT_NAMES.map((format) => html` <a href="/v1${runPath(runId, '/result')}?format=${format}" download>${format}</a>`)}
    </p>
  </section> `;
}

function actionsHtml({ mayRun }: Viewer, { soFar: { snapshot } }: RunView): Html | null {
  if (!mayRun) return null;
  const { runId, status, kind } = snapshot;
  const button = (action: string, text: string): Html => postButton(runPath(runId, `/${action}`), text);
  return html`<div id="actions">
    <h3>${serverTexts.do}</h3>
    <div class="actions">
      ${status === 'awaiting-approval' ? button('approve', serverTexts.approve) : null}
      ${kind === 'report' ? html`<p><a href="${runPath(runId, '/outline')}">${serverTexts.outline}</a></p> ` : null}
      ${CAN_PAUSE.includes(status) ? button('pause', serverTexts.pause) : null}
      ${status === 'pausing' || status === 'paused' ? button('resume', serverTexts.resume) : null}
    </div>
    ${confirmedAction(runPath(runId, '/cancel'), serverTexts.cancel, serverTexts.cancelHelp, serverTexts.reallyCancel)}
  </div> `;
}

function endedActionsHtml({ mayRun }: Viewer, { snapshot }: UnfinishedDocument): Html | null {
  if (!mayRun) return null;
  return html`<section aria-labelledby="do-title">
    <h2 id="do-title">${serverTexts.do}</h2>
    ${confirmedAction(runPath(snapshot.runId, '/delete'), serverTexts.delete, serverTexts.deleteHelp, serverTexts.reallyDelete)}
  </section> `;
}

function factsHtml(snapshot: RunSnapshot): Html {
  return html`<dl class="check">
    ${snapshotFacts(snapshot, { now: new Date(), time: formatUtcTime }).map(
      ({ name, label, text }) =>
        html`<dt>${name}</dt>
          <dd dir="auto">${label === 'waiting' ? withTime(text, snapshot.wait?.until ?? null) : text}</dd> `,
    )}
  </dl> `;
}

function withTime(text: string, until: string | null): Html | string {
  if (until === null) return text;
  const told = formatUtcTime(new Date(until));
  const [before = '', ...after] = text.split(told);
  return html`${before}<time datetime="${until}">${told}</time>${after.join(told)}`;
}

function soFarHtml(unfinished: UnfinishedDocument): Html {
  const tree = unfinishedTree(unfinished);
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

function unfinishedTree({ snapshot, question, sections, sources }: UnfinishedDocument): DocumentTree {
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

export interface OutlineView {
  runId: string;
  outline: GivenOutline | null;
  /** Number of changes to the outline. The form sends it back, to detect conflicting edits. */
  seen: number;
  isOpen: boolean;
  /** End of the approval time, ISO 8601; null if the run waits for no approval, or without a limit. */
  until: string | null;
  isAwaited: boolean;
  /** The user's outline if it was based on an older version. */
  refused: GivenOutline | null;
}

const NEW_ROWS = 2;

export function outlineEditor(viewer: Viewer, shown: OutlineView): string {
  const { runId, outline, isOpen, until, isAwaited, refused } = shown;
  return servedPage(viewer, {
    title: serverTexts.outlineOf,
    main: html`<p><a href="${runPath(runId)}">${serverTexts.where}</a></p>
      ${refused === null ? null : html`<p class="told problem" role="alert">${serverTexts.changedMeanwhile}</p> `}
      ${
        isAwaited
          ? html`<p class="told">
              ${until === null ? serverTexts.waitsForIt : serverTexts.until(runTexts.time(until))}
            </p> `
          : null
      }
      ${
        outline === null
          ? html`<p>${serverTexts.noOutline}</p> `
          : isOpen && viewer.mayRun
            ? formHtml({ ...shown, outline })
            : html`<p>${serverTexts.settled}</p>
                ${listHtml(outline)}`
      }
      ${
        refused === null
          ? null
          : html`<section aria-labelledby="yours-title">
              <h2 id="yours-title">${serverTexts.yours}</h2>
              ${listHtml(refused)}
            </section> `
      }`,
  });
}

function formHtml({ runId, outline, seen, isAwaited }: OutlineView & { outline: GivenOutline }): Html {
  const rows = [...outline.sections, ...Array.from({ length: NEW_ROWS }, () => ({ title: '' }))];
  return html`<form method="post" action="${runPath(runId, '/outline')}" class="rows">
    <p>${serverTexts.outlineHelp}</p>
    <input type="hidden" name="seen" value="${seen}" />
    <label
      >${serverTexts.theme}<textarea name="theme" rows="2" maxlength="1000">
${outline.overallTheme ?? ''}</textarea>
    </label>
    ${rows.map((section, at) => sectionHtml(section, at, outline.sections.length))}
    <div class="actions">
      <button class="main" name="do" value="save">${serverTexts.save}</button>
      ${isAwaited ? html`<button name="do" value="approve">${serverTexts.saveAndApprove}</button>` : null}
    </div>
  </form> `;
}

function sectionHtml(section: GivenOutline['sections'][number], at: number, known: number): Html {
  const isNew = at >= known;
  return html`<fieldset>
    <legend>${isNew ? serverTexts.added(at + 1) : serverTexts.section(at + 1)}</legend>
    <label
      >${serverTexts.title}<input name="title" maxlength="120" value="${section.title}" dir="auto"
    /></label>
    <label>${serverTexts.place}<input type="number" name="place" min="1" max="99" value="${at + 1}" /></label>
    <label
      >${serverTexts.about}<textarea name="about" rows="2" maxlength="1000" dir="auto">
${'description' in section ? (section.description ?? '') : ''}</textarea>
    </label>
    ${isNew ? null : html`<label class="tick"><input type="checkbox" name="drop" value="${at}" />${serverTexts.drop}</label>`}
    <input
      type="hidden"
      name="subsections"
      value="${JSON.stringify('subsections' in section ? (section.subsections ?? []) : [])}"
    />
  </fieldset> `;
}

function listHtml({ sections }: GivenOutline): Html {
  return html`<ol>
    ${sections.map(
      ({ title, description }) =>
        html`<li dir="auto">
          <strong>${title}</strong>${description === undefined ? null : html`<br />${description}`}
        </li> `,
    )}
  </ol> `;
}
