// What is told of answers, as rows: text for the document and for standard output.
import { spread } from './spread.mjs';

const milliseconds = (value) => `${Math.round(value)} ms`;
const range = (values) => {
  const { median, min, max } = spread(values);
  return `${milliseconds(median)} (${milliseconds(min)} – ${milliseconds(max)})`;
};
const against = (value, most, target) => `${target}: ${value < most ? 'met' : '**missed**'}`;

/** `overStudies` is null where the studies are not there. */
export function answerFigures({ overStudies, byModel }) {
  return [...(overStudies === null ? [] : studyRows(overStudies)), ...modelRows(byModel)];
}

function studyRows({ sources, alone, together, coldMs, histories }) {
  const { median } = spread(alone);
  const slowest = Math.max(...together);
  const inActivities = histories.map(({ busyMs }) => busyMs);
  return [
    {
      name: `extractive over ${sources} studies, warm index, one after the other (n = ${alone.length})`,
      value: range(alone),
      target: against(median, 300, 'median < 300 ms'),
    },
    { name: 'of these, while an activity was under way', value: range(inActivities), target: '' },
    {
      name: `the slowest of ${together.length} at once`,
      value: milliseconds(slowest),
      target: against(slowest, 2_000, '< 2 s'),
    },
    {
      name: 'the first, with no index',
      value: milliseconds(coldMs),
      target: against(coldMs, 10_000, '< 10 s'),
    },
  ];
}

function modelRows({ latencyMs, answers }) {
  const calls = spread(answers.map((answer) => answer.calls)).median;
  return [
    {
      name: `by a model that answers after ${latencyMs} ms, over the notes of examples/ (n = ${answers.length}, ${calls} calls each)`,
      value: range(answers.map(({ ms }) => ms)),
      target: '',
    },
    { name: 'of these, beyond its calls', value: range(answers.map(({ beyondMs }) => beyondMs)), target: '' },
  ];
}
