import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { searchOption } from './search-option';
import { setOption } from './set-option';
import { TEXTS_FLAG } from './texts-flag';
import { engineChoices } from './engine-choices';
import type { ReportOptions } from '../request/report-options';

const EXAMPLES = `
QUESTION in quotation marks. Sources are files and folders: .jsonl and .json with source records, .md and .txt with
optional front matter (title, url, author, site, date), .pdf, .html, .docx, .pptx, .xlsx, .epub, .csv, .rss and .atom, told by
their content and cited by page, slide, chapter, heading or row; and addresses (https://…), or a .txt that has nothing but
addresses, one a line. Pages on this machine and in its network are not fetched, but for those of fetch.allow.

With no server reachable the run uses an embedded one, with a worker in this process, and stops both at its end.
Ctrl-C cancels the run and leaves a partial report; a second Ctrl-C leaves at once. What is killed (kill -9) leaves its server
running: the next command uses it, and stops it at its end.

Where the endpoint is away, the run waits and tries again. Once its patience is over, or at once where somebody has to
mend something (a wrong key, an unknown model, no credit), it is paused with everything kept, and the exit code is 3: the
same command with --id ID goes on with it.

Examples:
  $ colligate report "Does exercise help against depression?" --sources notes/ studies.jsonl
  $ colligate report "Does exercise help against depression?" --sources https://example.org/review links.txt
  $ colligate report "Does exercise help against depression?" --search openalex,arxiv --search-rounds 2
  $ colligate report "What changed in 2024?" --sources notes/ --words 3000 --out out --id changes
  $ colligate report "What changed in 2024?" --sources notes/ --citations url
  $ colligate report "What changed in 2024?" --sources notes/ --id changes --again
  $ colligate report "What changed in 2024?" --sources notes/ --id changes --approve-outline
  $ colligate report "…" --sources notes/ --detach     with "colligate dev" running elsewhere`;

export function addReportCommand(program: Command, context: CommandContext): void {
  answerWith(defineReportCommand(program), context, (question: string, options: ReportOptions) =>
    report(context, question, options),
  );
}

export function defineReportCommand(program: Command): Command {
  return program
    .command('report')
    .summary('write a report on a question from your sources')
    .description('Writes a report on a question from your sources, and checks every claim against them.')
    .argument('<question>', 'what the report is to answer')
    .option('-s, --sources <paths...>', 'files, folders and addresses (https://…) to read')
    .addOption(searchOption())
    .option(
      '--search-rounds <number>',
      'how often is searched, further times for what the findings leave open',
    )
    .option('--search-pages <number>', 'how many pages of what a search finds are read at most')
    .option('--engine <name>', `who reads and writes: ${engineChoices()}`)
    .option('--model <name>', 'the model to ask for everything, by its name at the endpoint')
    .option('--words <number>', 'how long the report is to be, where there is material for it')
    .option('--citations <style>', 'how the report cites: numbered, as [3], or url, as [https://…]')
    .option(
      '--unsupported <how>',
      'of sources that only claims cite that were taken out: mark (they have numbers all the same), or remove',
    )
    .option('--judge', 'have the text judged and revised, whatever the settings say')
    .option('--no-judge', 'leave the text as it was first written: nothing is scored or revised')
    .option('--max-tokens <number>', 'the most tokens that models may take; less is done within them')
    .option('--max-cost <usd>', 'the most that models may cost, by the prices that are known')
    .option('--estimate', 'print what it is expected to cost, and start nothing')
    .option('--max-time <minutes>', 'how long the run may take, pauses not counted')
    .option('--patience <minutes>', 'how long the run waits for an endpoint that is away (default: a day)')
    .option(
      '--no-wait',
      'do not wait, and end with exit code 3: the run fails where it would wait or be paused, and is kept where a limit of the endpoint has an end',
    )
    .option(
      '--approve-outline',
      'wait behind pass 1 until the outline is approved, or the time for that is over',
    )
    .option('--approval-timeout <minutes>', 'how long is waited for the approval (default: 1440, a day)')
    .option('--out <folder>', 'where OUT/ID/report.md, report.json and report.html go (default: reports)')
    .option('--no-html', 'write no report.html')
    .option('--texts <which>', TEXTS_FLAG)
    .option(
      '--id <id>',
      'the name of the run; a running one is joined (and goes on where it was paused by itself), an ended one refused',
    )
    .option('--again', 'run an ended id anew')
    .option('--detach', 'start the run, print its id and leave')
    .option('--skip-invalid', 'leave out sources that cannot be read, with a warning for each')
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', EXAMPLES);
}

async function report(context: CommandContext, question: string, options: ReportOptions): Promise<ExitCode> {
  // Only now, so that other commands and help come at once.
  const { checkReportRequest } = await import('../request/report-options.js');
  const request = await checkReportRequest(question, options, context);
  const { runReport } = await import('../run-report.js');
  const { hintAtLocalModels } = await import('../request/require-endpoint.js');
  if (!request.json) hintAtLocalModels(context, request.config);
  return runReport(context, request);
}
