import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { EXAMPLES_DIR } from '../package-files';
import { UsageError } from '../failures/usage-error';
import { TEXTS_FLAG } from './texts-flag';

/** As `examples/README.md` says. */
const DEMO_QUESTION = 'Does vitamin D supplementation improve health outcomes, and by how much?';
const DEMO_NOTES = path.join(EXAMPLES_DIR, 'vitamin-d');

interface DemoOptions {
  out?: string;
  html?: boolean;
  texts?: string;
  json?: boolean;
}

export function addDemoCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('demo')
    .summary('everything once: a server, a worker, a real run, the report')
    .description(
      'Runs a report over the notes in examples/ with everything it needs: a Temporal server, a worker, a real run. ' +
        'It leaves no process behind.',
    )
    .option('--out <folder>', 'where OUT/ID/report.md, report.json and report.html go (default: reports)')
    .option('--no-html', 'write no report.html')
    .option('--texts <which>', TEXTS_FLAG)
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate demo');
  answerWith(command, context, (options: DemoOptions) => demo(context, options));
}

async function demo(context: CommandContext, options: DemoOptions): Promise<ExitCode> {
  if (!existsSync(EXAMPLES_DIR))
    throw new UsageError([`The example notes are missing: there is no ${EXAMPLES_DIR}.`]);
  const { checkReportRequest } = await import('../request/report-options.js');
  const request = await checkReportRequest(DEMO_QUESTION, { sources: [DEMO_NOTES], ...options }, context);
  const { runReport } = await import('../run-report.js');
  return runReport(context, request);
}
