import type { FiringMemo } from '../contracts/schedule/scheduled-start';
import { type Html, html } from '../document/page/html';
import { textsOf } from '../texts/texts';
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
  const { face } = textsOf(viewer.language);
  const { name, question, note, counts } = schedule;
  return servedPage(viewer, {
    title: name,
    main: html`<p><bdi>${question}</bdi></p>
      ${note === null ? null : html`<p><small>${note}</small></p> `}
      <p>${face.scheduleColumns.next}: ${nextTime(viewer, schedule)}</p>
      <p>${face.fired(counts)}</p>
      ${firingsHtml(viewer, schedule)}${viewer.mayRun ? actionsHtml(viewer, schedule) : null}`,
  });
}

function firingsHtml({ language }: Viewer, { firings }: ScheduleShown): Html | null {
  const { face, run } = textsOf(language);
  if (firings.length === 0) return null;
  return html`<h2>${face.firings}</h2>
    <ul>
      ${firings.map(
        ({ runId, at, status, problem }) =>
          html`<li>
            <a href="${runPath(runId)}"><time datetime="${at}">${run.time(at)}</time></a
            >: ${face.firingStatuses[status]}${problem === undefined ? null : html`; ${problem}`}
          </li> `,
      )}
    </ul> `;
}

function actionsHtml({ language }: Viewer, { name, paused }: ScheduleShown): Html {
  const { face } = textsOf(language);
  return html`<section aria-labelledby="do-title">
    <h2 id="do-title">${face.do}</h2>
    <div class="actions">
      ${post(schedulePath(name, '/trigger'), face.trigger)}
      ${paused ? post(schedulePath(name, '/resume'), face.resume) : post(schedulePath(name, '/pause'), face.pause)}
    </div>
    ${confirmed(schedulePath(name, '/delete'), face.deleteSchedule, face.deleteScheduleHelp, face.reallyDelete)}
  </section> `;
}
