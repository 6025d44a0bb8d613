// What grows with the number of sources, as rows: a column for each number.
const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
const kilobytes = (bytes) => `${(bytes / 1e3).toFixed(0)} KB`;
const whole = (value) => value.toLocaleString('en-GB');
const NOT_TOLD = 'not measured on this system';
const most = (values) => Math.max(0, ...values);

const PASSES = [
  ['gather', 'gathering'],
  ['overview', 'pass 1'],
  ['deep-dive', 'pass 2'],
  ['cross-reference', 'pass 3'],
  ['report', 'pass 4'],
];

const rows = [
  ['what they have together', ({ inputBytes }) => megabytes(inputBytes)],
  ['ends as', ({ report }) => report.status],
  ['client: read, check and store the sources, start the run', ({ client }) => seconds(client.ms)],
  ['client’s processor time', ({ client }) => used(client.usage)],
  ['client’s peak anonymous memory', ({ client }) => anonymous(client.usage)],
  ['client’s peak resident memory', ({ client }) => resident(client.usage)],
  ['run, from its first start to its close', ({ report }) => seconds(report.timings.total)],
  ...PASSES.map(([pass, name]) => [
    `of it ${name}`,
    ({ report }) => seconds(report.timings.byPass[pass] ?? 0),
  ]),
  ['worker’s processor time', ({ usage }) => used(usage)],
  ['worker’s peak anonymous memory (RssAnon, < 1 GB)', ({ usage }) => anonymous(usage)],
  ['worker’s peak resident memory (RSS, with mapped files)', ({ usage }) => resident(usage)],
  ['at its peak the worker was at', ({ peakDuring }) => peakDuring.join(', ') || 'none of its activities'],
  ['histories', ({ executions }) => whole(executions.length)],
  [
    'events of the longest history (≤ 10,000)',
    ({ executions }) => whole(most(executions.map(({ events }) => events))),
  ],
  ['bytes of the largest history', ({ executions }) => kilobytes(most(executions.map(({ bytes }) => bytes)))],
  ['activities', ({ activities }) => whole(activities.reduce((sum, { count }) => sum + count, 0))],
  ['content store on disk', ({ storeBytes }) => megabytes(storeBytes)],
  ['claims', ({ report }) => whole(report.claims.length)],
  ['sources cited', ({ report }) => whole(report.citations.length)],
  ['what `report.json` says of the collection', ({ report }) => collection(report.sources)],
];

export function growthFigures({ growth }) {
  return rows.map(([name, show]) => ({ name, values: growth.map(show) }));
}

export function growthTitles({ growth }) {
  return growth.map(({ count }) => `${whole(count)} sources`);
}

function collection({ total, inFull, bySummary, unused, duplicates }) {
  return `${whole(total)} in all: ${whole(inFull)} read in full, ${whole(bySummary)} by summary, ${whole(unused)} unused, ${whole(duplicates)} duplicates`;
}

function used(usage) {
  return usage === null ? NOT_TOLD : seconds(usage.cpuSeconds * 1_000);
}

function anonymous(usage) {
  return usage === null ? NOT_TOLD : megabytes(usage.anonymousBytes);
}

function resident(usage) {
  return usage === null ? NOT_TOLD : megabytes(usage.residentBytes);
}
