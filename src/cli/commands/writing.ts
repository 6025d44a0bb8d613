import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { ArtifactRef } from '../../contracts/source';
import { formatValue } from '../../lib/json';
import { formatCount } from '../../lib/strings';
import type { AnswerOptions } from '../answer-options';
import type { BriefOptions } from '../brief-options';
import {
  chosenRunIdProblems,
  COMMAND,
  type CommandContext,
  EXAMPLES_DIR,
  ExitCode,
  quoteRunId,
  setCommandAction,
  UsageError,
} from '../command-context';
import {
  engineChoices,
  givenSources,
  searchOption,
  setOption,
  skipInvalidOf,
  skipInvalidOption,
  type SkipOptions,
  strictOption,
  TEXTS_HELP,
  zoteroOption,
  zoteroSources,
} from '../command-options';
import type { ReportOptions } from '../report-options';

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
  $ colligate report "Does exercise help against depression?" --zotero "Exercise and depression"
  $ colligate report "Does exercise help against depression?" --search openalex,arxiv --search-rounds 2
  $ colligate report "What changed in 2024?" --sources notes/ --words 3000 --out out --id changes
  $ colligate report "What changed in 2024?" --sources notes/ --citations url
  $ colligate report "What changed in 2024?" --sources notes/ --id changes --again
  $ colligate report "What changed in 2024?" --sources notes/ --id changes --approve-outline
  $ colligate report "…" --sources notes/ --detach     with "colligate dev" running elsewhere`;

export function addReportCommand(program: Command, context: CommandContext): void {
  setCommandAction(defineReportCommand(program), context, (question: string, options: ReportOptions) =>
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
    .addOption(zoteroOption())
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
    .option('--texts <which>', TEXTS_HELP)
    .option(
      '--id <id>',
      'the name of the run; a running one is joined (and goes on where it was paused by itself), an ended one refused',
    )
    .option('--again', 'run an ended id anew')
    .option('--detach', 'start the run, print its id and leave')
    .addOption(skipInvalidOption())
    .addOption(strictOption())
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', EXAMPLES);
}

async function report(context: CommandContext, question: string, options: ReportOptions): Promise<ExitCode> {
  // Lazy import, here and below: other commands and help stay fast.
  const { prepareReportRequest } = await import('../report-options.js');
  const request = await prepareReportRequest(question, options, context);
  const { runReport } = await import('../run-and-follow.js');
  const { hintAtLocalModels } = await import('../run-and-follow.js');
  if (!request.json) hintAtLocalModels(context, request.config);
  return runReport(context, request);
}

const BRIEF_EXAMPLES = `
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
  setCommandAction(defineBriefCommand(program), context, (question: string, options: BriefOptions) =>
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
    .addOption(zoteroOption())
    .addOption(skipInvalidOption())
    .addOption(strictOption())
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
    .addHelpText('after', BRIEF_EXAMPLES);
}

async function brief(context: CommandContext, question: string, options: BriefOptions): Promise<ExitCode> {
  const { prepareBriefRequest } = await import('../brief-options.js');
  const request = await prepareBriefRequest(question, options, context);
  const { runBrief } = await import('../run-and-follow.js');
  const { hintAtLocalModels } = await import('../run-and-follow.js');
  if (!request.json) hintAtLocalModels(context, request.config);
  return runBrief(context, request);
}

const ANSWER_EXAMPLES = `
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
  setCommandAction(defineAnswerCommand(program), context, (question: string, options: AnswerOptions) =>
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
    .addOption(zoteroOption())
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
    .addOption(skipInvalidOption())
    .addOption(strictOption())
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
    .addHelpText('after', ANSWER_EXAMPLES);
}

async function answer(context: CommandContext, question: string, options: AnswerOptions): Promise<ExitCode> {
  const { validateAnswerRequest } = await import('../answer-options.js');
  const request = await validateAnswerRequest(question, options, context);
  const { runAnswer } = await import('../run-answer.js');
  const { hintAtLocalModels } = await import('../run-and-follow.js');
  if (!request.json && !request.agentState) hintAtLocalModels(context, request.config);
  return runAnswer(context, request);
}

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
    .option('--texts <which>', TEXTS_HELP)
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate demo');
  setCommandAction(command, context, (options: DemoOptions) => demo(context, options));
}

async function demo(context: CommandContext, options: DemoOptions): Promise<ExitCode> {
  if (!existsSync(EXAMPLES_DIR))
    throw new UsageError([`The example notes are missing: there is no ${EXAMPLES_DIR}.`]);
  const { prepareReportRequest } = await import('../report-options.js');
  const request = await prepareReportRequest(DEMO_QUESTION, { sources: [DEMO_NOTES], ...options }, context);
  const { runReport } = await import('../run-and-follow.js');
  return runReport(context, request);
}

interface ImportOptions extends SkipOptions {
  zotero?: string[];
  reread?: string;
  id?: string;
  json?: boolean;
}

export function addImportCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('import')
    .summary('store sources for runs that others start')
    .description(
      'Checks and stores sources in the data folder, and prints what the input of a run needs to name them: manifestRef and sourceCount. No server is needed. A run takes hold of its sources when it begins; until then the import holds them.',
    )
    .argument('[paths...]', 'files, folders and addresses (https://…) to read')
    .addOption(zoteroOption())
    .option(
      '--reread <ref>',
      'instead: the sources of a stored list, parsed again from the originals that are kept',
    )
    .option('--id <id>', 'who holds them: the id of the run that is to use them (default: an id of its own)')
    .addOption(skipInvalidOption())
    .addOption(strictOption())
    .option('--json', 'print one JSON document on standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate import notes/ --json\n  $ colligate import library.bib https://example.org/trial.html --skip-invalid\n  $ colligate import --reread MANIFEST\n\nAnswers search them with: colligate answer "…" --manifest REF. How a run is started on them with nothing but a Temporal\nclient: docs/interface.md.',
    );
  setCommandAction(command, context, (paths: string[], options: ImportOptions) =>
    importPaths(context, paths, options),
  );
}

async function importPaths(
  context: CommandContext,
  paths: readonly string[],
  { id, reread, json = false, ...options }: ImportOptions,
): Promise<ExitCode> {
  const problems = [
    ...importProblems([...paths, ...(options.zotero ?? [])], reread),
    ...(id === undefined ? [] : chosenRunIdProblems(id, '--id')),
  ];
  if (problems.length > 0) throw new UsageError(problems);
  const { terminal } = context;
  const config = context.loadConfig();
  const sources = givenSources(paths, await zoteroSources(options.zotero, config, problems));
  if (problems.length > 0) throw new UsageError(problems);
  const { storeSources } = await import('../../app/local-tasks.js');
  const stored = await storeSources(config, {
    given: reread === undefined ? (sources ?? { paths }) : { manifestRef: reread },
    skipInvalid: skipInvalidOf(options),
    heldBy: id,
  });
  const { manifestRef, count: sourceCount, chars: sourceChars, heldBy, warnings } = stored;
  if (json) {
    terminal.printJson({ manifestRef, sourceCount, sourceChars, heldBy, warnings });
    return ExitCode.ok;
  }
  const { warningLines } = await import('../warning-lines.js');
  for (const line of warningLines(warnings, { sources: sourceCount })) terminal.say(line);
  terminal.print(`manifestRef  ${manifestRef}`);
  terminal.print(`sourceCount  ${sourceCount}`);
  terminal.print(`sourceChars  ${sourceChars}`);
  terminal.say(
    `${formatCount(sourceCount, 'source')} stored in ${config.dataDir}. To let them go: ${COMMAND} delete ${quoteRunId(heldBy)}`,
  );
  return ExitCode.ok;
}

function importProblems(paths: readonly string[], reread: string | undefined): string[] {
  if (reread === undefined)
    return paths.length > 0
      ? []
      : [
          'PATHS is missing: name files, folders or addresses, a collection by --zotero, or a list by --reread.',
        ];
  const isRef = ArtifactRef.safeParse(reread).success;
  return [
    ...(paths.length === 0 ? [] : ['--reread and PATHS or --zotero are both given: give one of them.']),
    ...(isRef
      ? []
      : [
          `--reread is ${formatValue(reread)}: it has to be the manifestRef that "import" prints, of 64 hexadecimal digits.`,
        ]),
  ];
}
