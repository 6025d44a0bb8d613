// The figures by name, as rows: what they are, how to show them, and what is aimed at.
import { orchestrationMsAStep } from './history-figures.mjs';
import { spread } from './spread.mjs';

const seconds = (value) => `${(value / 1_000).toFixed(value < 9_950 ? 2 : 1)} s`;
const milliseconds = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
const megabytes = (value) => `${(value / 1e6).toFixed(value < 9.95e6 ? 1 : 0)} MB`;
const kilobytes = (value) => `${(value / 1e3).toFixed(0)} KB`;
const plain = (value) => String(Math.round(value));

/** Targets hold for the studies, which are what they were set for. */
const runRows = [
  {
    name: 'run, from its start to its close',
    of: (run) => run.wallMs,
    show: seconds,
    target: [20_000, '≤ 20 s'],
  },
  {
    name: 'worker’s peak anonymous memory (RssAnon)',
    of: (run) => run.usage?.anonymousBytes,
    show: megabytes,
    target: [500e6, '≤ 500 MB'],
  },
  {
    name: 'worker’s peak resident memory (RSS, with mapped files)',
    of: (run) => run.usage?.residentBytes,
    show: megabytes,
  },
  { name: 'worker’s processor time', of: (run) => run.usage && run.usage.cpuSeconds * 1_000, show: seconds },
  { name: 'history', of: (run) => run.historyBytes, show: kilobytes, target: [1e6, '< 1 MB'] },
  { name: 'history events', of: (run) => run.history.events, show: plain },
  { name: 'activities', of: (run) => run.history.activities.length, show: plain },
  {
    name: 'orchestration a step',
    of: (run) => orchestrationMsAStep({ wallMs: run.wallMs, activities: run.history.activities }),
    show: milliseconds,
    target: [25, '≤ 25 ms'],
  },
  {
    name: 'client: read, check and store the sources, start the run',
    of: (run) => run.startMs,
    show: seconds,
  },
  // Document 002's minutes for its passes; gathering comes before them.
  ...[
    ['overview', 'pass 1', 5],
    ['deep-dive', 'pass 2', 15],
    ['cross-reference', 'pass 3', 10],
    ['report', 'pass 4', 10],
  ].map(([pass, name, minutes]) => ({
    name,
    of: (run) => run.report.passMs[pass],
    show: seconds,
    target: [minutes * 60_000, `≤ ${minutes} min`],
  })),
  { name: 'report.md', of: (run) => run.report.markdownBytes, show: kilobytes },
  { name: 'report.json', of: (run) => run.report.jsonBytes, show: kilobytes },
  { name: 'words of the report', of: (run) => run.report.words, show: plain },
  { name: 'sources cited', of: (run) => run.report.citations, show: plain },
];

/** Rows for the first or the second run of each round. */
export function runFigures({ name, rounds }, which) {
  return runRows.map((row) => {
    const values = rounds.map((round) => row.of(round[which])).filter(Number.isFinite);
    return present(row, values, name === 'studies' ? row.target : undefined);
  });
}

/** Runs by a model: what they took, and what their calls had to take at least. */
export function modelFigures({ models }) {
  return models.map(({ latencyMs, slots, calls, wallMs, boundMs, ratio, steps, beyondMsAStep }) => ({
    latency: `${latencyMs} ms`,
    calls: `${calls} calls, ${slots} slots, ${steps} activities`,
    wall: seconds(wallMs),
    bound: seconds(boundMs),
    ratio: latencyMs === 0 ? '' : `${ratio.toFixed(2)} (≤ 1.1: ${ratio <= 1.1 ? 'met' : '**missed**'})`,
    beyond: `${beyondMsAStep.toFixed(0)} ms${latencyMs === 0 ? ` (≤ 25 ms: ${beyondMsAStep <= 25 ? 'met' : '**missed**'})` : ''}`,
  }));
}

/** Runs over very many sources: a column for each crowd. */
export function crowdFigures({ crowds }) {
  const rows = [
    ['ends as', (run) => run.report.status],
    ['run, from its first start to its close', (run) => seconds(run.wallMs)],
    ['client: read, check and store the sources, start the run', (run) => seconds(run.startMs)],
    [
      'worker’s peak anonymous memory (RssAnon, < 1 GB)',
      (run) => (run.usage ? megabytes(run.usage.anonymousBytes) : 'not measured on this system'),
    ],
    [
      'worker’s peak resident memory (RSS, with mapped files)',
      (run) => (run.usage ? megabytes(run.usage.residentBytes) : 'not measured on this system'),
    ],
    [
      'worker’s processor time',
      (run) => (run.usage ? seconds(run.usage.cpuSeconds * 1_000) : 'not measured on this system'),
    ],
    ['activities of the last history', (run) => plain(run.history.activities.length)],
    ['events of the last history', (run) => plain(run.history.events)],
    ['the last history', (run) => kilobytes(run.historyBytes)],
    ['sources cited', (run) => plain(run.report.citations)],
  ];
  return rows.map(([name, show]) => ({ name, values: crowds.map(({ run }) => show(run)) }));
}

export function startFigures({ measured, stores }) {
  const rounds = measured.flatMap((material) => material.rounds);
  const memories = rounds.flatMap(({ atRest }) => atRest?.anonymousBytes ?? []);
  return [
    present(
      { name: 'Temporal server, until it answers', show: milliseconds },
      rounds.map((round) => round.serverStartMs),
    ),
    present(
      { name: 'worker, until it polls', show: milliseconds },
      rounds.map((round) => round.workerStartMs),
    ),
    present({ name: 'worker’s anonymous memory before its first run', show: megabytes }, memories),
    {
      name: `content store: ${stores.texts} texts of ${megabytes(stores.bytes)} in, flushed`,
      value: `${stores.storeMbASecond.toFixed(1)} MB/s`,
    },
    {
      name: 'content store: the same out, checked against their hashes',
      value: `${stores.retrieveMbASecond.toFixed(1)} MB/s`,
    },
    {
      name: 'the same, signed so that near-duplicates are found',
      value: `${stores.signMbASecond.toFixed(1)} MB/s`,
    },
    { name: 'content store: size on disk', value: megabytes(stores.storedBytes) },
    { name: 'content store: one small artifact, flushed', value: milliseconds(stores.artifactMs) },
    { name: 'event log: one event, flushed', value: milliseconds(stores.eventMs) },
  ];
}

/** Of all rounds, each kind of activity in one row, in the order of the run. */
export function activityFigures({ rounds }, which, byActivity) {
  const all = rounds.map((round) => byActivity(round[which].history.activities));
  return (all[0] ?? []).map(({ name, count }) => {
    const rows = all.flatMap((groups) => groups.filter((group) => group.name === name));
    const middle = (pick) => milliseconds(spread(rows.map(pick)).median);
    return {
      name,
      count,
      busy: middle((row) => row.busyMs),
      longest: middle((row) => row.longestMs),
      sum: middle((row) => row.sumMs),
    };
  });
}

function present({ name, show }, values, target) {
  if (values.length === 0) return { name, value: 'not measured on this system' };
  const { median, min, max } = spread(values);
  const range = show(min) === show(max) ? '' : ` (${show(min)} – ${show(max)})`;
  return {
    name,
    value: `${show(median)}${range}`,
    ...(target === undefined ? {} : { target: target[1], met: median <= target[0] }),
  };
}
