import { faceTexts } from '../texts/face';
import { runTexts } from '../texts/run';
import type { FiringMemo } from '../contracts/schedule/scheduled-start';
import { type Html, html } from '../document/page/html';
import { confirmed, post } from './fields';
import { type ListedSchedule, nextTime, schedulePath } from './list-of-schedules';
import { runPath, servedPage, type Viewer } from './served-page';

export interface ScheduleShown extends ListedSchedule {
  counts: { fired: number; skipped: number; missed: number };
  /** Latest first. */
  firings: readonly (Pick<FiringMemo, 'status' | 'problem'> & { runId: string; at: string })[];
}

/** A schedule: when it fires next, what came of it, and what can be done. */
export function pageOfSchedule(viewer: Viewer, schedule: ScheduleShown): string {
  const { name, question, note, counts } = schedule;
  return servedPage(viewer, {
    title: name,
    main: html`<p><bdi>${question}</bdi></p>
      ${note === null ? null : html`<p><small>${note}</small></p> `}
      <p>${faceTexts.scheduleColumns.next}: ${nextTime(schedule)}</p>
      <p>${faceTexts.fired(counts)}</p>
      ${firingsHtml(schedule)}${viewer.mayRun ? actionsHtml(schedule) : null}`,
  });
}

function firingsHtml({ firings }: ScheduleShown): Html | null {
  if (firings.length === 0) return null;
  return html`<h2>${faceTexts.firings}</h2>
    <ul>
      ${firings.map(
        ({ runId, at, status, problem }) =>
          html`<li>
            <a href="${runPath(runId)}"><time datetime="${at}">${runTexts.time(at)}</time></a
            >: ${faceTexts.firingStatuses[status]}${problem === undefined ? null : html`; ${problem}`}
          </li> `,
      )}
    </ul> `;
}

function actionsHtml({ name, paused }: ScheduleShown): Html {
  return html`<section aria-labelledby="do-title">
    <h2 id="do-title">${faceTexts.do}</h2>
    <div class="actions">
      ${post(schedulePath(name, '/trigger'), faceTexts.trigger)}
      ${paused ? post(schedulePath(name, '/resume'), faceTexts.resume) : post(schedulePath(name, '/pause'), faceTexts.pause)}
    </div>
    ${confirmed(schedulePath(name, '/delete'), faceTexts.deleteSchedule, faceTexts.deleteScheduleHelp, faceTexts.reallyDelete)}
  </section> `;
}
