import type { RunHandle, RunProgress } from '../../client/run-handle';
import { LAST_PASS, PASS_NAMES, passLine } from '../../core/run/pass-messages';
import { passDocument } from '../../client/pass-results/pass-document';
import { passMarkdown } from '../../client/pass-results/pass-markdown';
import type { PassResult, PassWithResult } from '../../client/pass-results/pass-results';
import { CLOSED_STATUSES } from '../../core/run/closed-statuses';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { safeLine } from '../terminal/safe-text';
import { UsageError } from '../failures/usage-error';
import { runArgument } from './run-name';

export async function showPass(
  { terminal }: CommandContext,
  run: RunHandle,
  pass: PassWithResult,
  options: { json: boolean },
): Promise<ExitCode> {
  const result = await run.passResult(pass);
  if (result === null) throw new UsageError([whyNothing(await run.progress(), pass)]);
  // `passResult` gives what the pass of this very name left.
  const left = { pass, result } as PassResult;
  const surroundings = { catalogue: await run.passResult('gather'), outline: await run.outline() };
  if (options.json) terminal.printJson(passDocument(run.runId, left, surroundings));
  else terminal.print(passMarkdown(left, surroundings).trimEnd());
  return ExitCode.ok;
}

function whyNothing(progress: RunProgress, pass: PassWithResult): string {
  const { runId, status, section } = progress;
  const number = PASS_NAMES.indexOf(pass);
  const wanted = number === 0 ? 'Gathering' : `Pass ${number}`;
  const at = safeLine(passLine(progress.pass)).replace(/…$/, '');
  const sections = section === null ? '' : `, ${section.index} of ${section.of} sections done`;
  if (CLOSED_STATUSES.has(status))
    return `Run ${runId} is ${status}: it ended at “${at}”${sections}, and ${wanted.toLowerCase()} left nothing.`;
  return (
    `${wanted} of run ${runId} is not done yet. The run is ${status}, and at “${at}”${sections} (pass ${progress.pass.number} of ${LAST_PASS}). ` +
    `Follow it with: ${COMMAND} watch ${runArgument(runId)}`
  );
}
