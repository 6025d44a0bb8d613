import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { searchOption } from './search-option';
import { engineChoices } from './engine-choices';
import { setOption } from './set-option';
import type { AnswerOptions } from '../request/answer-options';

const EXAMPLES = `
QUESTION in quotation marks, or - to read it from standard input. What the answer may rest on, any of it together: sources
(files and folders, as for a report), observations of tools ("Source: x.pdf (Page 3) … Content … Similarity",
"Title … URL … Content", or plain text), a list of sources that was imported, and an agent's final output.

The answer says what its sources bear, with a confidence and what that means; where they do not answer, it says what is missing.
Exit codes: 0 a reply, also one that says what is missing, 1 no answer could be written, 2 wrong usage or input, 3 no
server or engine, 130 cancelled.

Examples:
  $ colligate answer "Does vitamin D help in COPD?" --sources notes/
  $ colligate answer "Does vitamin D help in COPD?" --search pubmed --search-pages 10
  $ colligate answer "What is DAIL-SQL?" --observations pdf.txt web.txt --final-output summary.txt --citations inline
  $ colligate answer - --manifest MANIFEST --json < question.txt`;

export function addAnswerCommand(program: Command, context: CommandContext): void {
  answerWith(defineAnswerCommand(program), context, (question: string, options: AnswerOptions) =>
    answer(context, question, options),
  );
}

export function defineAnswerCommand(program: Command): Command {
  return program
    .command('answer')
    .summary('answer a question from sources and observations')
    .description(
      'Answers a question with what sources and observations say, and checks every claim against them.',
    )
    .argument('<question>', 'what is asked')
    .option('-s, --sources <paths...>', 'files, folders and addresses (https://…) to search')
    .option('--manifest <ref>', 'sources that were imported: the manifestRef that "import" prints')
    .addOption(searchOption())
    .option('--search-pages <number>', 'how many pages of what a search finds are read at most')
    .option('--citations <style>', 'numbered, as [1], passage, as [1: p.5-6], or inline, as (file, Page 5)')
    .option('--engine <name>', `who writes: ${engineChoices()}`)
    .option('--model <name>', 'the model to ask for everything, by its name at the endpoint')
    .option('--patience <minutes>', 'how long is waited for what is away (default: two minutes)')
    .option('--no-wait', 'wait for nothing that is away')
    .option('--estimate', 'print what it is expected to cost, and start nothing')
    .option('--attempts <number>', 'how often an answer is tried at most (default: 3)')
    .addOption(setOption())
    .option('--skip-invalid', 'leave out sources that cannot be read, with a warning for each')
    .option(
      '-o, --observations <files...>',
      'what tools observed: .txt one each, .json a list of texts, - standard input',
    )
    .option(
      '--final-output <file>',
      'what an agent came to: context, and the reply where no answer can be written',
    )
    .option('--history <file>', 'turns before the question: a JSON list of { "role", "content" }')
    .option('--judge', 'have the answer judged, and written anew where it does not pass')
    .option(
      '--id <id>',
      'the name of the request; one that is being answered is joined, an ended one refused',
    )
    .option('--again', 'answer an ended id anew')
    .option('--json', 'print the answer as one JSON document, and nothing else')
    .option(
      '--agent-state',
      'print what an agent of a graph leaves in its state: messages, final_answer, …, as JSON',
    )
    .addHelpText('after', EXAMPLES);
}

async function answer(context: CommandContext, question: string, options: AnswerOptions): Promise<ExitCode> {
  // Only now, so that other commands and help come at once.
  const { checkAnswerRequest } = await import('../request/answer-options.js');
  const request = await checkAnswerRequest(question, options, context);
  const { runAnswer } = await import('../run-answer.js');
  const { hintAtLocalModels } = await import('../request/require-endpoint.js');
  if (!request.json && !request.agentState) hintAtLocalModels(context, request.config);
  return runAnswer(context, request);
}
