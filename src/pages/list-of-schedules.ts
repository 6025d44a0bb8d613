import { html } from '../document/page/html';
import { textsOf } from '../texts/texts';
import { servedPage, type Viewer } from './served-page';

export interface ListedSchedule {
  name: string;
  question: string;
  paused: boolean;
  note: string | null;
  next: readonly string[];
}

export function listOfSchedules(viewer: Viewer, schedules: readonly ListedSchedule[]): string {
  const { face } = textsOf(viewer.language);
  const { name, question, next } = face.scheduleColumns;
  return servedPage(viewer, {
    title: face.schedules,
    main: html`${viewer.mayRun ? html`<p><a href="/schedules/new">${face.newSchedule}</a></p> ` : null}${
      schedules.length === 0
        ? html`<p>${face.noSchedules}</p> `
        : html`<div class="scroll" tabindex="0" role="region" aria-label="${face.schedules}">
            <table>
              <thead>
                <tr>
                  ${[name, question, next].map((title) => html`<th scope="col">${title}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${schedules.map(
                  (schedule) =>
                    html`<tr>
                      <td>
                        <a href="${schedulePath(schedule.name)}"><bdi>${schedule.name}</bdi></a>
                      </td>
                      <td><bdi>${schedule.question}</bdi></td>
                      <td>
                        ${nextTime(viewer, schedule)}${schedule.note === null ? null : html`<br /><small>${schedule.note}</small>`}
                      </td>
                    </tr> `,
                )}
              </tbody>
            </table>
          </div> `
    }`,
  });
}

/** When it fires next, or that it does not. */
export function nextTime(
  { language }: Viewer,
  { paused, next: [next] }: Pick<ListedSchedule, 'paused' | 'next'>,
): string {
  const { face, run } = textsOf(language);
  if (paused) return face.standsStill;
  return next === undefined ? '' : run.time(next);
}

export function schedulePath(name: string, below = ''): string {
  return `/schedules/${encodeURIComponent(name)}${below}`;
}
