import type { Command } from 'commander';
import { loadConfig } from '../../config/config';
import type { CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { rulesOf, splitCommand } from './create-options';
import { unfitProblems } from './parsed-run';

/** Reads and checks all that can be without a server, then makes the schedule. */
export async function createFromCommand(
  context: CommandContext,
  create: Command,
  name: string,
  rest: readonly string[],
): Promise<ExitCode> {
  const { options, run } = splitCommand(create, rest);
  const problems: string[] = [];
  const rules = rulesOf(name, options, problems);
  // Only now, so that help and usage errors come at once.
  const { scheduleProblems } = await import('../../client/schedules/schedule-problems.js');
  const all = [...problems, ...(problems.length > 0 ? [] : scheduleProblems(rules)), ...unfitProblems(run)];
  if (all.length > 0) throw new UsageError(all);
  const { checkedRun } = await import('./checked-run.js');
  const checked = await checkedRun(run, loadConfig);
  const { makeSchedule } = await import('./make-schedule.js');
  return makeSchedule(context, { rules, checked, json: options.json === true || run.options.json === true });
}
