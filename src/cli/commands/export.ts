import { type Command, Option } from 'commander';
import { TextsShown } from '../../contracts/source/texts-shown';
import { stripUnsafe } from '../../core/text/untrusted-text';
import {
  EXPORT_FORMAT_NAMES,
  EXPORT_FORMATS,
  type ExportFormatName,
} from '../../document/formats/export-formats';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { targetProblems, writeChosenFile } from '../request/chosen-file';
import { safeExcerpt } from '../terminal/safe-text';
import { withRun } from '../session/with-run';
import { TEXTS_FLAG } from './texts-flag';

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
    .addOption(new Option('--texts <which>', TEXTS_FLAG).choices(TextsShown.options))
    .option('--out <file>', 'the file to write (default: standard output)')
    .addHelpText('after', AFTER_HELP);
  answerWith(command, context, (id: string, options: ExportOptions) => exportAs(context, id, options));
}

async function exportAs(
  context: CommandContext,
  id: string,
  { format, texts, out }: ExportOptions,
): Promise<ExitCode> {
  const problems =
    out !== undefined
      ? await targetProblems('--out', out, context.io.cwd)
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
    if (out !== undefined) await writeChosenFile('--out', out, context.io.cwd, content);
    else if (typeof content === 'string') print(context, content);
    for (const remark of remarks) context.terminal.say(safeExcerpt(remark, 500));
    return ExitCode.ok;
  });
}

/** What goes to a file or a program is as it is; a terminal would obey some of what sources say. */
function print({ terminal }: CommandContext, text: string): void {
  if (terminal.width === Number.POSITIVE_INFINITY) terminal.write(text);
  else terminal.print(stripUnsafe(text).trimEnd());
}
