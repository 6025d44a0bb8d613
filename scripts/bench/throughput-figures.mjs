// What is told of many runs at once, as rows, and their part of docs/benchmarks.md.
import { spread } from './spread.mjs';

export const THROUGHPUT_HEADING = '## Many runs at once';
/** The part that comes behind this one: that on growth, where it was measured. */
const NEXT = /^## (?:Growth|Starting and storing)$/m;
const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
const range = (values, show) => {
  const { median, min, max } = spread(values);
  return `${show(median)} (${show(min)} – ${show(max)})`;
};

export function throughputFigures({ throughput }) {
  const { runs, requestsPerSecond, maxSharedCalls, tookMs, busy, usage, ended, calls } = throughput;
  const whole = ended.filter(({ status }) => status === 'completed');
  const ownCalls = ended.map(({ question }) => calls.filter((call) => call.question === question));
  const times = calls.map(({ startMs }) => startMs).sort((a, b) => a - b);
  const atOnce = mostAtOnce(calls);
  const rate = mostInAnySecond(times);
  const memory = usage.filter((one) => one !== null).map(({ anonymousBytes }) => anonymousBytes);
  return [
    {
      name: 'runs that ended',
      value: `${whole.length} of ${runs} completed`,
      target: judged('all', whole.length === runs),
    },
    { name: 'all of them took', value: seconds(tookMs), target: '' },
    {
      name: 'a run took',
      value: range(
        ended.map(({ askedAt, endedAt }) => endedAt - askedAt),
        seconds,
      ),
      target: '',
    },
    {
      name: 'until its first answer of a model',
      value: range(
        ownCalls.map((own, at) => Math.min(...own.map(({ endMs }) => endMs)) - ended[at].askedAt),
        seconds,
      ),
      target: '',
    },
    {
      name: 'the longest between two of its calls',
      value: range(ownCalls.map(longestGap), seconds),
      target: '',
    },
    { name: 'calls in all', value: String(calls.length), target: '' },
    {
      name: 'calls of a run with its question',
      value: range(
        ownCalls.map(({ length }) => length),
        String,
      ),
      target: '',
    },
    {
      name: 'most calls that began in any second',
      value: String(rate),
      target: judged(`≤ ${requestsPerSecond}`, rate <= requestsPerSecond),
    },
    { name: 'calls a second, on the whole', value: ((1_000 * calls.length) / tookMs).toFixed(1), target: '' },
    {
      name: 'most calls under way at once',
      value: String(atOnce),
      target: judged(`≤ ${maxSharedCalls}`, atOnce <= maxSharedCalls),
    },
    {
      name: 'a worker’s peak anonymous memory',
      value: memory.map((bytes) => `${Math.round(bytes / 1e6)} MB`).join(', '),
      target: '',
    },
    { name: 'processors busy meanwhile', value: `${(100 * busy).toFixed(0)} %`, target: '' },
  ];
}

/** The document with this part made anew, and all else as it stands. */
export function withThroughput(document, figures) {
  const until = document.search(NEXT);
  const from = document.indexOf(THROUGHPUT_HEADING);
  return `${document.slice(0, from < 0 ? until : from)}${throughputPart(figures)}\n${document.slice(until)}`;
}

export function throughputPart(figures) {
  const { runs, workers, latencyMs, requestsPerSecond, maxSharedCalls } = figures.throughput;
  return `${THROUGHPUT_HEADING}

${runs} reports are started at once (\`npm run bench -- --throughput\`) on ${workers} workers, processes of their own, that share
stores and limits: ${requestsPerSecond} requests a second and ${maxSharedCalls} at once, of a model on loopback that takes ${latencyMs} ms. Each is over four
notes of \`examples/\`, with a question of its own. The median stands before the least and the greatest.

| figure | measured | target |
| --- | --- | --- |
${throughputFigures(figures)
  .map(({ name, value, target }) => `| ${name} | ${value} | ${target} |`)
  .join('\n')}
`;
}

function judged(target, isMet) {
  return `${target}: ${isMet ? 'met' : '**missed**'}`;
}

/** How many fall into the fullest second of times in their order. */
function mostInAnySecond(times) {
  let from = 0;
  return times.reduce((most, time, at) => {
    while (time - times[from] >= 1_000) from += 1;
    return Math.max(most, at - from + 1);
  }, 0);
}

function mostAtOnce(calls) {
  const changes = calls.flatMap(({ startMs, endMs }) => [
    [startMs, 1],
    [endMs, -1],
  ]);
  let open = 0;
  return changes
    .sort(([a, up], [b, down]) => a - b || up - down)
    .reduce((most, [, change]) => Math.max(most, (open += change)), 0);
}

function longestGap(calls) {
  const times = calls.map(({ startMs }) => startMs).sort((a, b) => a - b);
  return Math.max(0, ...times.slice(1).map((time, at) => time - times[at]));
}
