import { faceTexts } from '../texts/face';
import { runTexts } from '../texts/run';
import type { RunKind } from '../contracts/kinds';
import { html, type Html } from '../document/page/html';
import { servedPage, type Viewer } from './served-page';
import { engineNames } from '../contracts/run/engines';
import { amount } from './fields';

/** What some runs of a kind took: the least and the most of them. */
export interface LatestRuns {
  kind: RunKind;
  runs: number;
  costUsd: [number, number];
  minutes: [number, number];
}

/** Sends the form as it stands for its price. Without scripts there is no button for that. */
const ESTIMATE_SCRIPT = `
'use strict';
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

/** The form of a new run. `key` makes it one run, however often it is sent. */
export function startPage(
  viewer: Viewer,
  { key, latest }: { key: string; latest: readonly LatestRuns[] },
): string {
  const spent = latest.map(({ kind, runs, ...took }) => faceTexts.spent(runTexts.kinds[kind], runs, took));
  return servedPage(viewer, {
    title: faceTexts.start,
    main: html`<form method="post" action="/start" enctype="multipart/form-data" class="rows">
      <input type="hidden" name="key" value="${key}" />
      ${runFields()}
      ${spent.length === 0 ? '' : html`<p><small>${faceTexts.latest}: ${spent.join('; ')}</small></p>`}
      <p
        id="estimate"
        role="status"
        hidden
        data-reading="${faceTexts.estimating}"
        data-failed="${faceTexts.estimateFailed}"
      ></p>
      <p class="actions">
        <button class="main">${faceTexts.started}</button>
        <button type="button" id="ask-estimate" hidden>${faceTexts.estimate}</button>
      </p>
    </form> `,
    script: ESTIMATE_SCRIPT,
  });
}

function runFields(): Html {
  return html`<label
      >${faceTexts.question}<textarea
        name="question"
        rows="2"
        required
        maxlength="4000"
        dir="auto"
      ></textarea>
    </label>
    <label
      >${faceTexts.kind}<select name="kind">
        ${(['report', 'answer'] as const).map((kind) => html`<option value="${kind}">${runTexts.kinds[kind]}</option>`)}
      </select></label
    >
    <label>${faceTexts.files}<input type="file" name="files" multiple /></label>
    <label>${faceTexts.links}<textarea name="links" rows="3" inputmode="url"></textarea></label>
    <label>${faceTexts.text}<textarea name="text" rows="5" dir="auto"></textarea></label>
    <label
      >${faceTexts.engine}<select name="engine">
        <option value="">${faceTexts.configured}</option>
        ${engineNames.map((name) => html`<option value="${name}">${name}</option>`)}
      </select></label
    >
    ${amount('maxCostUsd', faceTexts.maxCost, null, 'any', faceTexts.noLimit)}
    <label class="tick"><input type="checkbox" name="approval" />${faceTexts.waitForApproval}</label> `;
}
