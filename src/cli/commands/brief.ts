import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { setOption } from './set-option';
import type { BriefOptions } from '../request/brief-options';
import { engineChoices } from './engine-choices';

const EXAMPLES = `
QUESTION in quotation marks. Subtopics are a folder of Markdown notes, a subtopic each, with links to what they cite, or
.json and .jsonl as research systems write them: { "subtopic", "summary", "citations" or "sources" }. --from takes what
ended runs found: the sections of a report, answers, the subtopics of a brief.

Where texts of sources are given, each summary is held against them first, and what they do not bear is set aside; every
sentence of the brief is held against the summaries. A judge scores the whole text, and has it revised twice at most.

Ctrl-C cancels the run and leaves a partial brief; a second Ctrl-C leaves at once.

Examples:
  $ colligate brief "What should we do about colds?" --subtopics notes/
  $ colligate brief "What should we do about colds?" --subtopics found.json --words 3000 --template decision-memo
  $ colligate brief "What helps against colds?" --subtopics notes/ --sources papers/ links.txt
  $ colligate brief "What do both reports say?" --from march april --id spring
  $ colligate brief "…" --subtopics notes/ --template house-style.md --no-judge`;

export function addBriefCommand(program: Command, context: CommandContext): void {
  answerWith(defineBriefCommand(program), context, (question: string, options: BriefOptions) =>
    brief(context, question, options),
  );
}

export function defineBriefCommand(program: Command): Command {
  return program
    .command('brief')
    .summary('bring summaries of subtopics together into one brief')
    .description(
      'Writes a brief on a question from summaries of its subtopics: title, executive summary, findings, conclusions, and one list of sources; every claim checked, the whole judged.',
    )
    .argument('<question>', 'what the brief is to answer')
    .option('-s, --subtopics <paths...>', 'folders of notes, and files (.md, .txt, .json, .jsonl)')
    .option('--sources <paths...>', 'files, folders and addresses with the texts of what the subtopics cite')
    .option('--from <ids...>', 'ended runs: what their reports, answers and briefs found')
    .option('--engine <name>', `who plans and writes: ${engineChoices()}`)
    .option('--model <name>', 'the model to ask for everything, by its name at the endpoint')
    .option('--words <number>', 'how long the brief is to be, within 15 %, where there is material for it')
    .option('--max-length <words>', 'without --words: longer than this is warned about (default: 10000)')
    .option('--template <name>', 'brief, decision-memo, literature-review, or the file of a template')
    .option(
      '--unsupported <how>',
      'of sources that only claims cite that were taken out: mark (numbered before those that nothing cites), or remove',
    )
    .option('--no-judge', 'leave the text as it was first written: nothing is scored or revised')
    .option('--threshold <score>', 'the score from which a text passes, 1 to 5 (default: 3.5)')
    .option('--max-revisions <number>', 'how often a text that does not pass is revised, 0 to 2 (default: 2)')
    .option('--max-tokens <number>', 'the most tokens that models may take; less is done within them')
    .option('--max-cost <usd>', 'the most that models may cost, by the prices that are known')
    .option('--estimate', 'print what it is expected to cost, and start nothing')
    .option('--max-time <minutes>', 'how long the run may take, pauses not counted')
    .option('--patience <minutes>', 'how long the run waits for an endpoint that is away (default: a day)')
    .option(
      '--no-wait',
      'do not wait, and end with exit code 3: the run fails where it would wait or be paused, and is kept where a limit of the endpoint has an end',
    )
    .option('--out <folder>', 'where OUT/ID/report.md and report.json go (default: reports)')
    .option('--id <id>', 'the name of the run; a running one is joined, an ended one refused')
    .option('--again', 'run an ended id anew')
    .option('--detach', 'start the run, print its id and leave')
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', EXAMPLES);
}

async function brief(context: CommandContext, question: string, options: BriefOptions): Promise<ExitCode> {
  // Only now, so that other commands and help come at once.
  const { checkBriefRequest } = await import('../request/brief-options.js');
  const request = await checkBriefRequest(question, options, context);
  const { runBrief } = await import('../run-brief.js');
  const { hintAtLocalModels } = await import('../request/require-endpoint.js');
  if (!request.json) hintAtLocalModels(context, request.config);
  return runBrief(context, request);
}
