import type { DescribedSchedule, ScheduleTimes } from '../../client/schedules/schedule-request';
import { durationText } from '../../core/values/durations';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { withSession } from '../session/with-run';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { renderTable } from '../terminal/table';

const NEXT_SHOWN = 3;
const PROBLEM_CHARS = 600;

export function listSchedules(context: CommandContext, json: boolean): Promise<ExitCode> {
  return withSession(context, async ({ client }) => {
    const { terminal } = context;
    const schedules = await client.schedules();
    if (json) terminal.printJson({ schedules });
    else if (schedules.length === 0)
      terminal.say(
        `There are no schedules yet. Make one with: ${COMMAND} schedule create NAME --every 1d report "…" --sources PATH`,
      );
    else {
      const rows = schedules.map(({ name, kind, times, paused, next, question }) => [
        ...[safeLine(name), kind, timesText(times), paused ? 'paused' : (next[0] ?? 'never')],
        safeLine(question),
      ]);
      const [header = '', ...lines] = renderTable(
        ['NAME', 'KIND', 'WHEN', 'NEXT', 'QUESTION'],
        rows,
        terminal.width,
      );
      terminal.print(terminal.colours.bold(header));
      for (const line of lines) terminal.print(line);
    }
    return ExitCode.ok;
  });
}

export function showSchedule(context: CommandContext, name: string, json: boolean): Promise<ExitCode> {
  return withSession(context, async ({ client }) => {
    const schedule = await client.schedule(name).describe();
    if (json) context.terminal.printJson(schedule);
    else for (const line of scheduleLines(schedule)) context.terminal.print(line);
    return ExitCode.ok;
  });
}

function scheduleLines(schedule: DescribedSchedule): string[] {
  const { name, kind, question, engine, paths, times, paused, note, next } = schedule;
  const { overlap, catchUpMs, counts, firings } = schedule;
  return [
    `Schedule ${safeLine(name)}: ${kind}, ${engine} engine${paused ? ', paused' : ''}`,
    `  Question:   ${safeExcerpt(question, 300)}`,
    ...(note === null ? [] : [`  Note:       ${safeExcerpt(note, 300)}`]),
    `  Reads:      ${paths.length === 0 ? 'what was stored when it was made' : paths.map(safeLine).join(', ')}`,
    `  Fires:      ${timesText(times)}`,
    `  Overlap:    ${overlap}`,
    `  Catch-up:   ${durationText(catchUpMs)}`,
    `  Next:       ${paused ? 'when it is resumed' : next.slice(0, NEXT_SHOWN).join(', ') || 'never'}`,
    `  Fired:      ${counts.fired} (${counts.skipped} skipped for an earlier run, ${counts.missed} missed for longer than the catch-up)`,
    ...(firings.length === 0 ? [] : ['  Last firings:']),
    ...firings.flatMap(({ runId, status, at, problem }) => [
      `    ${at}  ${safeLine(runId)}  ${status}`,
      ...(problem === undefined ? [] : [`      ${safeExcerpt(problem, PROBLEM_CHARS)}`]),
    ]),
  ];
}

function timesText(times: ScheduleTimes): string {
  return 'everyMs' in times
    ? `every ${durationText(times.everyMs)}`
    : `${safeLine(times.cron)} (${times.timeZone ?? 'UTC'})`;
}
