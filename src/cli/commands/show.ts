import { type Command, InvalidArgumentError, Option } from 'commander';
import { TextsShown } from '../../contracts/run-settings';
import { stripUnsafe } from '../../lib/untrusted-text';
import {
  EXPORT_FORMAT_NAMES,
  EXPORT_FORMATS,
  type ExportFormatName,
} from '../../report/document/export-formats';
import {
  type CommandContext,
  ExitCode,
  runIdProblems,
  setCommandAction,
  UsageError,
} from '../command-context';
import {
  engineChoices,
  parsePass,
  setOption,
  skipInvalidOption,
  strictOption,
  TEXTS_HELP,
  zoteroOption,
} from '../command-options';
import { outputFileProblems, writeOutputFile } from '../run-files';
import type { ShowOptions } from '../show-run';
import { safeExcerpt } from '../terminal';
import type { VerifyOptions } from '../verify-options';
import { withRun, withSession } from '../with-session';

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
      parsePass,
    )
    .addOption(
      new Option(
        '--claims',
        'each claim with its verdict, why, and the passage; the worst first, and those that are set aside',
      ).conflicts('pass'),
    )
    .addOption(
      new Option('--version <number>', 'an earlier version of a text that was judged')
        .argParser(parseVersionNumber)
        .conflicts(['pass', 'claims']),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate show changes | less\n  $ colligate show changes --claims\n  $ colligate show changes --format json > report.json\n  $ colligate show changes --pass 3\n  $ colligate show changes --version 1',
    );
  setCommandAction(command, context, async (id: string, options: ShowOptions) => {
    const { showRun } = await import('../show-run.js');
    return showRun(context, id, options);
  });
}

function parseVersionNumber(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be the number of a version, from 1.');
}

interface ExportOptions {
  format: ExportFormatName;
  texts?: TextsShown;
  out?: string;
}

const AFTER_HELP = `
md is the text, html one page in which each claim opens its passage, docx and pdf the same for word processors and for
paper, json everything, csv the evidence as a table for spreadsheets (a row for each quote of each claim), ris and bibtex
the sources for reference managers. A PDF is printed by a Chromium (of PATH, or COLLIGATE_CHROMIUM).

Examples:
  $ colligate export changes --format html --out changes.html
  $ colligate export changes --format csv > evidence.csv
  $ colligate export changes --format bibtex --out changes.bib`;

export function addExportCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('export')
    .summary('a report, brief or answer as a page, a table, references')
    .description(
      'Writes what an ended run left, a report, a brief or an answer, in another form: the same claims with the same sources.',
    )
    .argument('<id>', 'the id of the run')
    .addOption(
      new Option('--format <format>', 'which form').choices(EXPORT_FORMAT_NAMES).makeOptionMandatory(),
    )
    .addOption(new Option('--texts <which>', TEXTS_HELP).choices(TextsShown.options))
    .option('--out <file>', 'the file to write (default: standard output)')
    .addHelpText('after', AFTER_HELP);
  setCommandAction(command, context, (id: string, options: ExportOptions) => exportAs(context, id, options));
}

async function exportAs(
  context: CommandContext,
  id: string,
  { format, texts, out }: ExportOptions,
): Promise<ExitCode> {
  const problems =
    out !== undefined
      ? await outputFileProblems('--out', out, context.io.cwd)
      : EXPORT_FORMATS[format].isText
        ? []
        : [`${format} is no text and cannot be printed: name a file with --out.`];
  if (problems.length > 0) throw new UsageError(problems);
  return withRun(context, id, async ({ session }) => {
    const { content, remarks } = await session.client.export(
      id,
      format,
      texts === undefined ? {} : { texts },
    );
    if (out !== undefined) await writeOutputFile('--out', out, context.io.cwd, content);
    else if (typeof content === 'string') print(context, content);
    for (const remark of remarks) context.terminal.say(safeExcerpt(remark, 500));
    return ExitCode.ok;
  });
}

/** Files and programs get the text unchanged. A terminal would obey control sequences in the text of sources. */
function print({ terminal }: CommandContext, text: string): void {
  if (terminal.width === Number.POSITIVE_INFINITY) terminal.write(text);
  else terminal.print(stripUnsafe(text).trimEnd());
}

interface DiffOptions {
  format: 'md' | 'json';
  json?: boolean;
}

export function addDiffCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('diff')
    .summary('what changed from one report to another')
    .description(
      'Compares the reports of two runs: sources that changed, came and went; findings that are new, changed or withdrawn ' +
        'with them, or quoted in one report alone; conflicts and gaps that opened or closed. Another order or numbering ' +
        'is no change.',
    )
    .argument('<before>', 'the id of the earlier run')
    .argument('<after>', 'the id of the later run')
    .addOption(
      new Option('--format <format>', 'md, or json with every change in full')
        .choices(['md', 'json'])
        .default('md'),
    )
    .option('--json', 'the same as --format json')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate diff march april | less\n  $ colligate diff march april --format json > changes.json',
    );
  setCommandAction(command, context, (before: string, after: string, options: DiffOptions) =>
    diff(context, { before, after }, options),
  );
}

async function diff(
  context: CommandContext,
  ids: { before: string; after: string },
  options: DiffOptions,
): Promise<ExitCode> {
  const problems = [...runIdProblems(ids.before, 'BEFORE'), ...runIdProblems(ids.after, 'AFTER')];
  if (problems.length === 0 && ids.before === ids.after)
    problems.push(`Both ids are "${ids.before}": a report does not differ from itself. Name two runs.`);
  if (problems.length > 0) throw new UsageError(problems);
  return withSession(context, async ({ client }) => {
    const found = await client.diff(ids.before, ids.after);
    if (options.json === true || options.format === 'json') context.terminal.printJson(found);
    else {
      // Lazy import: help and usage errors stay fast.
      const { diffMarkdown } = await import('../../report/diff/diff-markdown.js');
      context.terminal.print(stripUnsafe(diffMarkdown(found)).trimEnd());
    }
    return ExitCode.ok;
  });
}

const EXAMPLES = `
REPORT is a text in Markdown, whoever wrote it. Citations are read as [1], [1-3], [^1], [https://…] and links; sources as
the report command reads them. No model is asked; with --engine openai a critic, the model of that role, decides what words leave
open or find wrong. Its answers are kept in the data folder: the same report with the same sources costs nothing again.

Exit codes: 0 verified, 1 a smaller share of claims is supported than --fail-under asks for, 2 wrong usage or input, 3 the
endpoint did not answer (what words tell, and what the critic said before, is told all the same).

Examples:
  $ colligate verify report.md --sources notes/
  $ colligate verify report.md --sources notes/ --engine openai --max-cost 0.50
  $ colligate verify answer.md --sources pages.jsonl --fail-under 80% --annotate answer-checked.md`;

export function addVerifyCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('verify')
    .summary('check a report, whoever wrote it, against its sources')
    .description(
      'Holds each claim of a report against what it cites, and tells its verdict, why, and where that stands; names ' +
        'citations that lead nowhere, sources that are missing, and sources that are not used.',
    )
    .argument('<report>', 'the report, in Markdown')
    .option(
      '-s, --sources <paths...>',
      'files, folders and addresses (https://…) with the texts of its sources',
    )
    .addOption(zoteroOption())
    .option('--engine <name>', `who decides what words cannot tell: ${engineChoices()} (default: extractive)`)
    .option('--model <name>', 'the model to ask for everything, by its name at the endpoint')
    .option('--max-tokens <number>', 'the most tokens that the critic may take; what is left stays open')
    .option('--max-cost <usd>', 'the most that the critic may cost, by the prices in the configuration')
    .option('--fail-under <share>', 'exit with 1 where fewer claims are supported: 0.8, or 80%')
    .option('--annotate <file>', 'write the report with the verdict of each claim behind it, in Markdown')
    .option('--out <file>', 'write the JSON document to a file')
    .addOption(skipInvalidOption())
    .addOption(strictOption())
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', EXAMPLES);
  setCommandAction(command, context, (report: string, options: VerifyOptions) =>
    verify(context, report, options),
  );
}

async function verify(context: CommandContext, file: string, options: VerifyOptions): Promise<ExitCode> {
  const { validateVerifyRequest } = await import('../verify-options.js');
  const request = await validateVerifyRequest(file, options, context);
  const { runVerify } = await import('../run-verify.js');
  return runVerify(context, request);
}
