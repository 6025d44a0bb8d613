import { RunKindError, RunWithoutReportError } from '../../client/run-errors';
import type { Report } from '../../contracts/report/report';
import { stripUnsafe } from '../../core/text/untrusted-text';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import type { GivenPass } from '../request/pass-given';
import { withRun } from '../session/with-run';
import { listClaims } from './claims-listing';
import { claimsText } from './claims-text';
import { runArgument } from './run-name';
import { showAnswer } from './show-answer';
import { showBrief, showBriefPass } from './show-brief';
import { showPass } from './show-pass';

export interface ShowOptions {
  format: 'md' | 'json';
  json?: boolean;
  pass?: GivenPass;
  claims?: boolean;
  version?: number;
}

export function showRun(context: CommandContext, id: string, options: ShowOptions): Promise<ExitCode> {
  const json = options.json === true || options.format === 'json';
  return withRun(context, id, async ({ run, session }) => {
    const kind = await run.kind();
    const { pass, version } = options;
    if (version !== undefined) {
      const { report, markdown } = await run.version(version);
      if (json) context.terminal.printJson(report);
      else context.terminal.print(stripUnsafe(markdown).trimEnd());
      return ExitCode.ok;
    }
    if (kind === 'answer') {
      if (pass !== undefined) throw new RunKindError(id, 'answer', 'It has no passes: leave out --pass.');
      return showAnswer(context, session.client.answerOf(id), { json, claims: options.claims === true });
    }
    if (kind === 'brief') {
      const brief = session.client.briefOf(id);
      if (pass === undefined) return showBrief(context, brief, { json, claims: options.claims === true });
      if (pass.ofBrief === null)
        throw new RunKindError(id, 'brief', 'Its passes are gather, plan and judge: name one of them.');
      return showBriefPass(context, brief, pass.ofBrief, { json });
    }
    if (pass?.ofReport === null)
      throw new RunKindError(id, 'report', 'Its passes are 1, 2 and 3, and 0 for the sources gathered.');
    if (pass !== undefined) return showPass(context, run, pass.ofReport, { json });
    const stored = await run.report();
    if (stored === null) {
      const { status, pass } = await run.progress();
      const soFar =
        pass.number > 1 ? ` What passes have left: ${COMMAND} show --pass 1 ${runArgument(id)}` : '';
      throw new RunWithoutReportError(id, status, soFar);
    }
    if (options.claims === true) showClaims(context, stored.report, { json });
    else if (json) context.terminal.printJson(stored.report);
    else context.terminal.print(stripUnsafe(stored.markdown).trimEnd());
    return ExitCode.ok;
  });
}

function showClaims({ terminal }: CommandContext, report: Report, { json }: { json: boolean }): void {
  const listing = listClaims(report);
  if (json) terminal.printJson(listing);
  else
    claimsText(listing, { width: terminal.width, emphasise: terminal.colours.bold }).forEach(terminal.print);
}
