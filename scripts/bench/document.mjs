// docs/benchmarks.md from the figures.
import { answerFigures } from './answer-figures.mjs';
import { costTables } from './cost-figures.mjs';
import { activityFigures, crowdFigures, modelFigures, runFigures, startFigures } from './figures.mjs';
import { growthFigures, growthTitles } from './growth-figures.mjs';
import { byActivity } from './history-figures.mjs';
import { THROUGHPUT_HEADING, throughputPart } from './throughput-figures.mjs';
import { materialTitle, runTitles } from './titles.mjs';

export function benchmarkDocument(figures) {
  const { machine, startedAt, othersBusy, runs, measured } = figures;
  const onStudies = measured.some(({ name }) => name === 'studies');
  return `# Benchmarks

Made by \`npm run bench -- --runs ${runs} --write\`; do not edit by hand.

| machine | |
| --- | --- |
| processor | ${machine.processor}, ${machine.cores} cores |
| memory | ${machine.memoryGb.toFixed(0)} GB |
| system | ${machine.system} |
| Node | ${machine.node} |
| Colligate | ${machine.colligate} |
| date | ${startedAt.toISOString().slice(0, 10)} |
| processors busy meanwhile | ${(100 * othersBusy).toFixed(0)} %, these runs included |

${runs === 1 ? 'Figures of one round.' : `Medians of ${runs} rounds, the least and the greatest in brackets.`}
Each round is an empty folder with a Temporal server and a worker of its own, separate processes on the one machine. A run's
time is the server's, from the run's start to its close; memory is sampled every 25 ms; orchestration a step is the part of that time
in which no activity was being carried out, divided by the number of activities.
${onStudies ? '' : '\n**The studies were not there: these figures are of `examples/` alone, and say nothing about the targets.**\n'}
${measured.map(materialPart).join('\n')}
## Runs by a model

A report over \`examples/\` by the openai engine, against a model server on loopback that takes so long to answer. The calls
have to take at least the longest chain of calls that follow each other, or all calls one after the other in the slots.

| the model answers after | calls | the run took | the calls had to take | ratio | beyond that, an activity |
| --- | --- | --- | --- | --- | --- |
${modelFigures(figures)
  .map(
    (row) => `| ${row.latency} | ${row.calls} | ${row.wall} | ${row.bound} | ${row.ratio} | ${row.beyond} |`,
  )
  .join('\n')}

${costPart(figures)}
${answersPart(figures)}
${crowdsPart(figures)}
${throughputPart(figures)}
${figures.growthPart}${STARTING_HEADING}

| figure | |
| --- | --- |
${startFigures(figures)
  .map((row) => `| ${row.name} | ${row.value} |`)
  .join('\n')}
`;
}

function costPart({ costs }) {
  const tables = costTables(costs).map(
    ({ title, rows, changed }) => `### ${title}

| step | calls | tokens in | copies of each source | in a prefix sent before |
| --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row.step} | ${row.calls} | ${row.tokensIn} | ${row.copies} | ${row.shared} |`).join('\n')}
${changed === '' ? '' : `\n${changed}\n`}`,
  );
  return `## What a model is sent

By the openai engine, counted at a model server on loopback at four characters a token. A copy is a source of which a call is
given something; a prefix sent before is how a prompt begins that an earlier prompt of the run began with too. What it was before
sources were read in groups: [0013](decisions/0013-sources-in-groups.md).

${tables.join('\n')}`;
}

const ANSWERS_HEADING = '## Answers';
const CROWDS_HEADING = '## Very many sources';
const GROWTH_HEADING = '## Growth';
const STARTING_HEADING = '## Starting and storing';

/** The document with the part on answers made anew, and all else as it stands. */
export function withAnswers(document, figures) {
  const from = document.indexOf(ANSWERS_HEADING);
  const until = document.indexOf(CROWDS_HEADING);
  return `${document.slice(0, from < 0 ? until : from)}${answersPart(figures)}\n${document.slice(until)}`;
}

function answersPart(figures) {
  const { answers } = figures;
  return `${ANSWERS_HEADING}

From a program's call to its reply, through a server and a worker of their own (\`npm run bench -- --answers\`); each question is another
one, and the median stands before the least and the greatest. ${takenOn(figures)}

| figure | measured | target |
| --- | --- | --- |
${answerFigures(answers)
  .map(({ name, value, target }) => `| ${name} | ${value} | ${target} |`)
  .join('\n')}
`;
}

function takenOn({ machine, startedAt, othersBusy }) {
  return `${machine.processor}, ${machine.cores} cores,
${machine.memoryGb.toFixed(0)} GB, ${machine.system}, Node ${machine.node}, ${startedAt.toISOString().slice(0, 10)}; processors busy meanwhile ${(100 * othersBusy).toFixed(0)} %, these runs included.`;
}

/** The document with the part on very many sources made anew, and all else as it stands. */
export function withCrowds(document, figures) {
  const from = document.indexOf(CROWDS_HEADING);
  const until = placeOf(document, [THROUGHPUT_HEADING, GROWTH_HEADING, STARTING_HEADING]);
  return `${document.slice(0, from < 0 ? until : from)}${crowdsPart(figures)}\n${document.slice(until)}`;
}

/** The document with the part on growth made anew, and all else as it stands. */
export function withGrowth(document, figures) {
  const from = placeOf(document, [GROWTH_HEADING, STARTING_HEADING]);
  return `${document.slice(0, from)}${growthPart(figures)}\n${document.slice(document.indexOf(STARTING_HEADING))}`;
}

/** The part on growth as a document has it: it is measured by itself, since it takes long. */
export function growthIn(document) {
  return document.slice(
    placeOf(document, [GROWTH_HEADING, STARTING_HEADING]),
    document.indexOf(STARTING_HEADING),
  );
}

/** Where the first of the headings that it has begins. */
function placeOf(document, headings) {
  return headings.map((heading) => document.indexOf(heading)).find((at) => at >= 0) ?? document.length;
}

function growthPart(figures) {
  const titles = growthTitles(figures);
  return `${GROWTH_HEADING}

A run by the extractive engine over documents that are made of the 500 studies, seeded (\`npm run bench -- --growth\`): each has
sentences of several studies and the length of one, so that with many documents a sentence stands in many. Each run has an empty
folder; client, server and worker are processes of their own. ${takenOn(figures)}

> ${figures.question}

| figure | ${titles.join(' | ')} |
| --- |${' --- |'.repeat(titles.length)}
${growthFigures(figures)
  .map(({ name, values }) => `| ${name} | ${values.join(' | ')} |`)
  .join('\n')}

Resident memory has the pages of the store's file that were read, which the system takes back where others need it; anonymous memory
is what a worker cannot give back.
`;
}

function crowdsPart(figures) {
  const { crowds } = figures;
  return `${CROWDS_HEADING}

A run over each, by the extractive engine, in an empty folder (\`npm run bench -- --crowds\`). ${takenOn(figures)}

| figure | ${crowds.map(({ title }) => title).join(' | ')} |
| --- |${' --- |'.repeat(crowds.length)}
${crowdFigures(figures)
  .map(({ name, values }) => `| ${name} | ${values.join(' | ')} |`)
  .join('\n')}
`;
}

function materialPart(material) {
  return `## ${materialTitle(material)}

> ${material.question}

${Object.entries(runTitles)
  .map(([which, title]) => runTable(material, which, title))
  .join('\n')}
Where the time of the first run goes, by activity:

| activity | number | in all | longest | at least one going on |
| --- | --- | --- | --- | --- |
${activityFigures(material, 'first', byActivity)
  .map(({ name, count, sum, longest, busy }) => `| ${name} | ${count} | ${sum} | ${longest} | ${busy} |`)
  .join('\n')}
`;
}

function runTable(material, which, title) {
  const rows = runFigures(material, which);
  const cells = rows.map(
    ({ name, value, target, met }) =>
      `| ${name} | ${value} | ${target === undefined ? '' : `${target}: ${met ? 'met' : '**missed**'}`} |`,
  );
  return `### ${title.charAt(0).toUpperCase()}${title.slice(1)}

| figure | measured | target |
| --- | --- | --- |
${cells.join('\n')}
`;
}
