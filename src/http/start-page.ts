import { engineNames } from '../contracts/pipeline';
import { RunKind, RunStatus } from '../contracts/run';
import { formatUtcTime, type RunSnapshot, waitText } from '../contracts/run-status';
import { runTexts } from '../contracts/wording';
import { html, type Html } from '../report/document/html';
import { serverTexts } from '../report/page-texts';
import { numberField, runPath, servedPage, type Viewer } from './served-page';
import type { RunForm } from './start-requests';

/** Ranges, each as minimum and maximum, of recent runs of a kind. */
export interface LatestRuns {
  kind: RunKind;
  runs: number;
  costUsd: [number, number];
  minutes: [number, number];
}

/** Sources that cannot be read; nothing was started. */
export interface UnreadSources {
  /** One each, at most 20. */
  lines: readonly string[];
  total: number;
  /** True if there are others, which can be read without these. */
  canSkip: boolean;
  areFiles: boolean;
}

/**
 * Sends the form and shows problems beside it, because a new page would lose the chosen files. Requests an estimate. Without
 * scripts the browser sends the form, and the button of the estimate stays hidden.
 */
const SCRIPT = `
'use strict';
(() => {
  const problems = document.getElementById('problems');
  const form = document.getElementById('start');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = new FormData(form, event.submitter);
    const buttons = form.querySelectorAll('button');
    for (const button of buttons) button.disabled = true;
    try {
      const answer = await fetch(form.action, { method: 'POST', body });
      if (answer.redirected) return location.assign(answer.url);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      problems.replaceChildren(page.querySelector('.problem') ?? problems.dataset.failed);
    } catch {
      problems.textContent = problems.dataset.failed;
    }
    for (const button of buttons) button.disabled = false;
    problems.scrollIntoView({ block: 'nearest' });
  });
  // The choice to continue without files is about those that were sent.
  document.getElementById('files').addEventListener('change', () => problems.replaceChildren());
})();
(() => {
  const button = document.getElementById('ask-estimate');
  const told = document.getElementById('estimate');
  const form = button.form;
  button.hidden = false;
  button.addEventListener('click', async () => {
    if (!form.reportValidity()) return;
    told.hidden = false;
    told.textContent = told.dataset.reading;
    button.disabled = true;
    try {
      const answer = await fetch('/start/estimate', { method: 'POST', body: new FormData(form) });
      const { told: sentence, detail, title } = await answer.json();
      told.textContent = sentence ?? detail ?? title ?? told.dataset.failed;
    } catch {
      told.textContent = told.dataset.failed;
    }
    button.disabled = false;
  });
})();
`;

/** `key` makes repeated submissions one run. */
export function startPage(
  viewer: Viewer,
  {
    key,
    latest,
    form = EMPTY_FORM,
    unread = null,
  }: { key: string; latest: readonly LatestRuns[]; form?: RunForm; unread?: UnreadSources | null },
): string {
  const spent = latest.map(({ kind, runs, ...took }) => serverTexts.spent(runTexts.kinds[kind], runs, took));
  return servedPage(viewer, {
    title: serverTexts.start,
    main: html`<form id="start" method="post" action="/start" enctype="multipart/form-data" class="rows">
      <input type="hidden" name="key" value="${key}" />
      ${runFields(form)}
      ${spent.length === 0 ? '' : html`<p><small>${serverTexts.latest}: ${spent.join('; ')}</small></p>`}
      <p
        id="estimate"
        role="status"
        hidden
        data-reading="${serverTexts.estimating}"
        data-failed="${serverTexts.estimateFailed}"
      ></p>
      <div id="problems" data-failed="${serverTexts.startFailed}">
        ${unread === null ? null : unreadHtml(unread)}
      </div>
      <p class="actions">
        <button class="main">${serverTexts.started}</button>
        <button type="button" id="ask-estimate" hidden>${serverTexts.estimate}</button>
      </p>
    </form> `,
    script: SCRIPT,
  });
}

const EMPTY_FORM: RunForm = { kind: 'report', question: '', links: '', text: '', engine: '', maxCostUsd: '' };

function unreadHtml({ lines, total, canSkip, areFiles }: UnreadSources): Html {
  return html`<div class="told problem" role="alert">
    <p>${serverTexts.unread(total, areFiles)}</p>
    <ul>
      ${lines.map((line) => html`<li dir="auto">${line}</li> `)}
    </ul>
    ${total > lines.length ? html`<p>${serverTexts.moreUnread(total - lines.length)}</p>` : null}
    <noscript><p>${serverTexts.chooseAgain}</p></noscript>
    <p class="actions">
      ${canSkip ? html`<button name="skipInvalid" value="true">${serverTexts.continueWithout(total, areFiles)}</button> ` : null}
      <a class="button" href="#files">${serverTexts.chooseOthers}</a>
    </p>
  </div> `;
}

function runFields({ kind: chosenKind, engine, maxCostUsd, ...form }: RunForm): Html {
  return html`<label
      >${serverTexts.question}<textarea name="question" rows="2" required maxlength="4000" dir="auto">
${form.question}</textarea>
    </label>
    <label
      >${serverTexts.kind}<select name="kind">
        ${(['report', 'answer'] as const).map((kind) => optionHtml(kind, runTexts.kinds[kind], chosenKind))}
      </select></label
    >
    <label>${serverTexts.files}<input type="file" id="files" name="files" multiple /></label>
    <label
      >${serverTexts.links}<textarea name="links" rows="3" inputmode="url">${form.links}</textarea>
    </label>
    <label>${serverTexts.text}<textarea name="text" rows="5" dir="auto">${form.text}</textarea></label>
    <label
      >${serverTexts.engine}<select name="engine">
        <option value="">${serverTexts.configured}</option>
        ${engineNames.map((name) => optionHtml(name, name, engine))}
      </select></label
    >
    ${numberField('maxCostUsd', serverTexts.maxCost, maxCostUsd === '' ? null : Number(maxCostUsd), 'any', serverTexts.noLimit)}
    <label class="tick"
      ><input
        type="checkbox"
        name="approval"
        ${form.approval === undefined ? null : html`checked`}
      />${serverTexts.waitForApproval}</label
    > `;
}

function optionHtml(value: string, text: string, chosen: string | undefined): Html {
  return value === chosen
    ? html`<option value="${value}" selected>${text}</option>`
    : html`<option value="${value}">${text}</option>`;
}

export interface ListedRun {
  runId: string;
  kind: RunKind;
  status: RunStatus;
  question: string;
  startedAt: string;
  wait: RunSnapshot['wait'];
}

export interface RunListFilter {
  search?: string | undefined;
  kind?: RunKind | undefined;
  status?: RunStatus | undefined;
}

export function runListPage(
  viewer: Viewer,
  { runs, older, asked }: { runs: readonly ListedRun[]; older: string | null; asked: RunListFilter },
): string {
  const isFound = Object.values(asked).some((value) => value !== undefined && value !== '');
  return servedPage(viewer, {
    title: serverTexts.runs,
    main: html`${filterHtml(asked)}${
      runs.length === 0
        ? html`<p>${isFound ? serverTexts.noneFound : serverTexts.none}</p> `
        : tableHtml(runs)
    }${older === null ? null : html`<p><a href="${older}" rel="next">${serverTexts.more}</a></p> `}`,
  });
}

function filterHtml({ search, kind, status }: RunListFilter): Html {
  const options = <Name extends string>(
    names: readonly Name[],
    told: Record<Name, string>,
    chosen: Name | undefined,
  ): Html[] => [
    html`<option value="">${serverTexts.any}</option>`,
    ...names.map((name) => optionHtml(name, told[name], chosen)),
  ];
  return html`<form method="get" action="/" class="filters" role="search">
    <label
      >${serverTexts.search}<input type="search" name="search" maxlength="200" value="${search ?? ''}"
    /></label>
    <label
      >${serverTexts.kind}<select name="kind">
        ${options(RunKind.options, runTexts.kinds, kind)}
      </select></label
    >
    <label
      >${serverTexts.status}<select name="status">
        ${options(RunStatus.options, runTexts.statuses, status)}
      </select></label
    >
    <button>${serverTexts.find}</button>
  </form> `;
}

function tableHtml(runs: readonly ListedRun[]): Html {
  const { question, kind, status, started } = serverTexts.columns;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${serverTexts.runs}">
    <table class="runs">
      <thead>
        <tr>
          ${[question, kind, status, started].map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${runs.map(
          ({ runId, wait, ...listed }) =>
            html`<tr>
              <td>
                <a href="${runPath(runId)}"><bdi>${listed.question}</bdi></a>
              </td>
              <td>${runTexts.kinds[listed.kind]}</td>
              <td>
                ${runTexts.statuses[listed.status]}${wait === null ? null : html`<br /><small>${waitText(wait, { now: new Date(), time: formatUtcTime })}</small>`}
              </td>
              <td><time datetime="${listed.startedAt}">${runTexts.time(listed.startedAt)}</time></td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div> `;
}
