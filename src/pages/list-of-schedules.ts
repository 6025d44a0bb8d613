import { faceTexts } from '../texts/face';
import { runTexts } from '../texts/run';
import { html } from '../document/page/html';
import { servedPage, type Viewer } from './served-page';

export interface ListedSchedule {
  name: string;
  question: string;
  paused: boolean;
  note: string | null;
  next: readonly string[];
}

export function listOfSchedules(viewer: Viewer, schedules: readonly ListedSchedule[]): string {
  const { name, question, next } = faceTexts.scheduleColumns;
  return servedPage(viewer, {
    title: faceTexts.schedules,
    main: html`${viewer.mayRun ? html`<p><a href="/schedules/new">${faceTexts.newSchedule}</a></p> ` : null}${
      schedules.length === 0
        ? html`<p>${faceTexts.noSchedules}</p> `
        : html`<div class="scroll" tabindex="0" role="region" aria-label="${faceTexts.schedules}">
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
                        ${nextTime(schedule)}${schedule.note === null ? null : html`<br /><small>${schedule.note}</small>`}
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
export function nextTime({ paused, next: [next] }: Pick<ListedSchedule, 'paused' | 'next'>): string {
  if (paused) return faceTexts.standsStill;
  return next === undefined ? '' : runTexts.time(next);
}

export function schedulePath(name: string, below = ''): string {
  return `/schedules/${encodeURIComponent(name)}${below}`;
}
