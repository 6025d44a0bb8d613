import { RunKind } from '../contracts/kinds';
import { RunStatus } from '../contracts/run/run';
import { type RunSnapshot, waitText } from '../core/run/run-snapshot';
import { type Html, html } from '../document/page/html';
import { textsOf } from '../texts/texts';
import { runPath, servedPage, type Viewer } from './served-page';

export interface ListedRun {
  runId: string;
  kind: RunKind;
  status: RunStatus;
  question: string;
  startedAt: string;
  /** What it waits for, where it stands still. */
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
  const { face } = textsOf(viewer.language);
  const isFound = Object.values(asked).some((value) => value !== undefined && value !== '');
  return servedPage(viewer, {
    title: face.runs,
    main: html`${askHtml(viewer, asked)}${
      runs.length === 0 ? html`<p>${isFound ? face.noneFound : face.none}</p> ` : tableHtml(viewer, runs)
    }${older === null ? null : html`<p><a href="${older}" rel="next">${face.more}</a></p> `}`,
  });
}

function askHtml({ language }: Viewer, { search, kind, status }: RunsAsked): Html {
  const { face, run } = textsOf(language);
  const options = <Name extends string>(
    names: readonly Name[],
    told: Record<Name, string>,
    chosen: Name | undefined,
  ): Html[] => [
    html`<option value="">${face.any}</option>`,
    ...names.map((name) =>
      name === chosen
        ? html`<option value="${name}" selected>${told[name]}</option>`
        : html`<option value="${name}">${told[name]}</option>`,
    ),
  ];
  return html`<form method="get" action="/" class="filters" role="search">
    <label>${face.search}<input type="search" name="search" maxlength="200" value="${search ?? ''}" /></label>
    <label
      >${face.kind}<select name="kind">
        ${options(RunKind.options, run.kinds, kind)}
      </select></label
    >
    <label
      >${face.status}<select name="status">
        ${options(RunStatus.options, run.statuses, status)}
      </select></label
    >
    <button>${face.find}</button>
  </form> `;
}

function tableHtml({ language }: Viewer, runs: readonly ListedRun[]): Html {
  const { face, run } = textsOf(language);
  const { question, kind, status, started } = face.columns;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${face.runs}">
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
              <td>${run.kinds[listed.kind]}</td>
              <td>
                ${run.statuses[listed.status]}${wait === null ? null : html`<br /><small>${waitText(wait, language)}</small>`}
              </td>
              <td><time datetime="${listed.startedAt}">${run.time(listed.startedAt)}</time></td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div> `;
}
