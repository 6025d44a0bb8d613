import { faceTexts } from '../texts/face';
import { runTexts } from '../texts/run';
import { RunKind } from '../contracts/kinds';
import { RunStatus } from '../contracts/run/run';
import { utcTime } from '../core/run/endpoint-limit';
import { type RunSnapshot, waitText } from '../core/run/run-snapshot';
import { type Html, html } from '../document/page/html';
import { runPath, servedPage, type Viewer } from './served-page';

export interface ListedRun {
  runId: string;
  kind: RunKind;
  status: RunStatus;
  question: string;
  startedAt: string;
  wait: RunSnapshot['wait'];
}

export interface RunsAsked {
  search?: string | undefined;
  kind?: RunKind | undefined;
  status?: RunStatus | undefined;
}

/** The runs that somebody sees, newest first; `older` is the address of the next page. */
export function listOfRuns(
  viewer: Viewer,
  { runs, older, asked }: { runs: readonly ListedRun[]; older: string | null; asked: RunsAsked },
): string {
  const isFound = Object.values(asked).some((value) => value !== undefined && value !== '');
  return servedPage(viewer, {
    title: faceTexts.runs,
    main: html`${askHtml(asked)}${
      runs.length === 0 ? html`<p>${isFound ? faceTexts.noneFound : faceTexts.none}</p> ` : tableHtml(runs)
    }${older === null ? null : html`<p><a href="${older}" rel="next">${faceTexts.more}</a></p> `}`,
  });
}

function askHtml({ search, kind, status }: RunsAsked): Html {
  const options = <Name extends string>(
    names: readonly Name[],
    told: Record<Name, string>,
    chosen: Name | undefined,
  ): Html[] => [
    html`<option value="">${faceTexts.any}</option>`,
    ...names.map((name) =>
      name === chosen
        ? html`<option value="${name}" selected>${told[name]}</option>`
        : html`<option value="${name}">${told[name]}</option>`,
    ),
  ];
  return html`<form method="get" action="/" class="filters" role="search">
    <label
      >${faceTexts.search}<input type="search" name="search" maxlength="200" value="${search ?? ''}"
    /></label>
    <label
      >${faceTexts.kind}<select name="kind">
        ${options(RunKind.options, runTexts.kinds, kind)}
      </select></label
    >
    <label
      >${faceTexts.status}<select name="status">
        ${options(RunStatus.options, runTexts.statuses, status)}
      </select></label
    >
    <button>${faceTexts.find}</button>
  </form> `;
}

function tableHtml(runs: readonly ListedRun[]): Html {
  const { question, kind, status, started } = faceTexts.columns;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${faceTexts.runs}">
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
                ${runTexts.statuses[listed.status]}${wait === null ? null : html`<br /><small>${waitText(wait, { now: new Date(), time: utcTime })}</small>`}
              </td>
              <td><time datetime="${listed.startedAt}">${runTexts.time(listed.startedAt)}</time></td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div> `;
}
