import { type Command, Option } from 'commander';
import { RunKindError, RunWithoutReportError } from '../../client/run-errors';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import type { Report } from '../../contracts/report/report';
import { listClaims } from '../results/claims-listing';
import { claimsText } from '../results/claims-text';
import { showAnswer } from '../results/show-answer';
import { passGiven, type GivenPass } from '../request/pass-given';
import { showBrief, showBriefPass } from '../results/show-brief';
import { showPass } from '../results/show-pass';
import { withRun } from '../session/with-run';
import { runArgument } from '../results/run-name';

interface ShowOptions {
  format: 'md' | 'json';
  json?: boolean;
  pass?: GivenPass;
  claims?: boolean;
}

export function addShowCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('show')
    .summary('print the report, brief or answer of a run, or what a pass left')
    .description(
      "Prints the report, the brief or the answer of a run: its text, or everything with each claim's evidence as JSON. With --claims, its claims with what was found of each, the worst first. With --pass, what a pass of a report left, while the run goes on or after it: 1 the outline, 2 the findings, 3 the validated findings, conflicts and gaps, 0 the sources gathered. Of a brief: gather what its subtopics state and cite, plan its parts, judge how its versions were judged.",
    )
    .argument('<id>', 'the id of the run')
    .addOption(
      new Option('--format <format>', 'md, or json as in report.json').choices(['md', 'json']).default('md'),
    )
    .option('--json', 'the same as --format json')
    .option(
      '--pass <pass>',
      'of a report what pass 1, 2 or 3 left, or 0 for the sources gathered; of a brief gather, plan or judge',
      passGiven,
    )
    .addOption(
      new Option(
        '--claims',
        'each claim with its verdict, why, and the passage; the worst first, and those that are set aside',
      ).conflicts('pass'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate show changes | less\n  $ colligate show changes --claims\n  $ colligate show changes --format json > report.json\n  $ colligate show changes --pass 3',
    );
  answerWith(command, context, (id: string, options: ShowOptions) => show(context, id, options));
}

function show(context: CommandContext, id: string, options: ShowOptions): Promise<ExitCode> {
  const json = options.json === true || options.format === 'json';
  return withRun(context, id, async ({ run, session }) => {
    const kind = await run.kind();
    const { pass } = options;
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
