import type { Command } from 'commander';
import type { AnswerStatistics } from '../../contracts/answer/answer-statistics';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { withSession } from '../session/with-run';

export function addStatsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('stats')
    .summary('how answers came out, over all that are kept')
    .description(
      'Counts the answers that are kept: how they came out, how many brought documents together (synthesis mode) and how many documents these had, how sure they are, and how long they took.',
    )
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate stats');
  answerWith(command, context, (options: { json?: boolean }) => stats(context, options.json === true));
}

function stats(context: CommandContext, json: boolean): Promise<ExitCode> {
  return withSession(context, async ({ client }) => {
    const { terminal } = context;
    const statistics = await client.statistics();
    if (json) terminal.printJson(statistics);
    else if (statistics.answers === 0)
      terminal.say(`There are no answers yet. Ask with: ${COMMAND} answer "…" --sources PATH`);
    else for (const [name, value] of linesOf(statistics)) terminal.print(`${name.padEnd(22)} ${value}`);
    return ExitCode.ok;
  });
}

function linesOf({
  answers,
  byOutcome,
  synthesis,
  meanConfidence,
  medianLatencyMs,
}: AnswerStatistics): [string, string][] {
  return [
    ['Answers', String(answers)],
    ...Object.entries(byOutcome).map(([outcome, amount]): [string, string] => [
      `  ${outcome}`,
      String(amount),
    ]),
    ['Synthesis mode', `${synthesis.answers} (${percent(synthesis.activationRate)} of all answers)`],
    ['  mean documents', figure(synthesis.meanDocuments, 1)],
    ['  multi-source', `${percent(synthesis.multiSourceShare)} of its citations`],
    ['Mean confidence', figure(meanConfidence, 2)],
    ['Median latency', medianLatencyMs === null ? NOTHING : `${Math.round(medianLatencyMs)} ms`],
  ];
}

const NOTHING = '–';

function percent(share: number | null): string {
  return share === null ? NOTHING : `${Math.round(share * 100)} %`;
}

function figure(value: number | null, digits: number): string {
  return value === null ? NOTHING : value.toFixed(digits);
}
