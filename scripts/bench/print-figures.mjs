// The figures as text on standard output.
import { answerFigures } from './answer-figures.mjs';
import { costTables } from './cost-figures.mjs';
import { activityFigures, crowdFigures, modelFigures, runFigures, startFigures } from './figures.mjs';
import { growthFigures, growthTitles } from './growth-figures.mjs';
import { byActivity } from './history-figures.mjs';
import { throughputFigures } from './throughput-figures.mjs';
import { materialTitle, runTitles } from './titles.mjs';

export function printFigures(figures) {
  const { machine, othersBusy, measured } = figures;
  const lines = [
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb.toFixed(0)} GB, Node ${machine.node}`,
    `The processors were busy for ${(100 * othersBusy).toFixed(0)} % of the time, these runs included.`,
  ];
  for (const material of measured) {
    for (const [which, title] of Object.entries(runTitles)) {
      lines.push('', `${materialTitle(material)}: ${title}`);
      for (const row of runFigures(material, which)) {
        const target = row.target === undefined ? '' : `   ${row.target}: ${row.met ? 'met' : 'MISSED'}`;
        lines.push(`  ${row.name.padEnd(58)} ${row.value}${target}`);
      }
    }
    lines.push('', '  activity                count    in all   longest   at least one going on');
    for (const { name, count, busy, longest, sum } of activityFigures(material, 'first', byActivity)) {
      lines.push(
        `  ${name.padEnd(22)} ${String(count).padStart(6)} ${sum.padStart(9)} ${longest.padStart(9)}   ${busy}`,
      );
    }
    const peaks = material.rounds.map(({ first }) => first.peakDuring.join(' + ') || 'no activity');
    lines.push('', `  Memory was at its peak during: ${[...new Set(peaks)].join('; ')}`);
  }
  lines.push('', 'Runs by a model');
  for (const row of modelFigures(figures)) {
    lines.push(
      `  after ${row.latency}: ${row.calls}; took ${row.wall}, had to take ${row.bound} ${row.ratio}; ${row.beyond} beyond`,
    );
  }
  for (const { title, rows, changed } of costTables(figures.costs)) {
    lines.push('', `What a model is sent: ${title}`);
    for (const row of rows)
      lines.push(
        `  ${row.step.padEnd(18)} ${String(row.calls).padStart(4)} calls  ${row.tokensIn} in, ${row.shared} sent before`,
      );
    if (changed !== '') lines.push(`  ${changed}`);
  }
  lines.push('', ...crowdLines(figures), '', ...answerLines(figures), '', ...throughputLines(figures));
  lines.push('', 'Starting and storing');
  for (const row of startFigures(figures)) lines.push(`  ${row.name.padEnd(62)} ${row.value}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function printCrowds(figures) {
  process.stdout.write(`${crowdLines(figures).join('\n')}\n`);
}

export function printGrowth(figures) {
  const lines = [
    `Growth: ${growthTitles(figures).join('; ')}`,
    ...growthFigures(figures).map(({ name, values }) => `  ${name.padEnd(62)} ${values.join('; ')}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function printAnswers(figures) {
  process.stdout.write(`${answerLines(figures).join('\n')}\n`);
}

export function printThroughput(figures) {
  process.stdout.write(`${throughputLines(figures).join('\n')}\n`);
}

function throughputLines(figures) {
  return [
    'Many runs at once',
    ...throughputFigures(figures).map(({ name, value, target }) => `  ${name}: ${value}   ${target}`),
  ];
}

function answerLines({ answers, othersBusy }) {
  return [
    `Answers; the processors were busy for ${(100 * othersBusy).toFixed(0)} % of the time, these included`,
    ...answerFigures(answers).map(({ name, value, target }) => `  ${name}: ${value}   ${target}`),
  ];
}

function crowdLines(figures) {
  const titles = figures.crowds.map(({ title }) => title).join('; ');
  return [
    `Very many sources: ${titles}`,
    ...crowdFigures(figures).map(({ name, values }) => `  ${name.padEnd(62)} ${values.join('; ')}`),
  ];
}
