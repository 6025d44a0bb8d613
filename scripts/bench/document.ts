// docs/benchmarks.md from the figures: each part is written in one place, whether alone or with the whole.
import { byActivity, orchestrationMsAStep, type Call } from './history';
import type { AnswersOverStudies } from './measure-answers';
import type { FollowersFigures } from './measure-followers';
import type { AnswerByModel, CostFigures, ModelFigures, ThroughputFigures } from './measure-models';
import type { PagesFigures, PagesImport, PagesRound } from './measure-pages';
import type { Growth, Round } from './measure-runs';
import type { StoreFigures } from './measure-stores';
import type { Machine, Usage } from './processes';
import {
  columns,
  grouped,
  judged,
  kilobytes,
  megabytes,
  milliseconds,
  NOT_MEASURED,
  percent,
  plain,
  range,
  seconds,
  shortRange,
  spread,
  table,
  tenths,
  type Row,
} from './table';
import type { MeasuredRun } from './worker';

/** What figures were taken on, and how much of it was busy. */
export interface Taken {
  machine: Machine;
  startedAt: Date;
  othersBusy: number;
}

function takenOn({ machine, startedAt, othersBusy }: Taken): string {
  const { processor, cores, memoryGb, system, node } = machine;
  const date = startedAt.toISOString().slice(0, 10);
  return `${processor}, ${cores} cores,
${memoryGb.toFixed(0)} GB, ${system}, Node ${node}, ${date}; processors busy meanwhile ${percent(othersBusy)}, these runs included.`;
}

/** The parts that are measured by themselves too, in their order. */
const HEADINGS = {
  answers: '## Answers',
  crowds: '## Very many sources',
  throughput: '## Many runs at once',
  growth: '## Growth',
  pages: '## Pages',
  followers: '## Followers',
  starting: '## Starting and storing',
};
export type Part = keyof typeof HEADINGS;

/** Where a part of a document begins, or would begin. */
function placeOf(document: string, part: Part): number {
  const order = Object.values(HEADINGS);
  const at = order
    .slice(order.indexOf(HEADINGS[part]))
    .map((heading) => document.indexOf(`${heading}\n`))
    .find((place) => place >= 0);
  return at ?? document.length;
}

/** A part as a document has it; nothing where it has none. */
export function partIn(document: string, part: Part): string {
  return document.slice(placeOf(document, part), endOf(document, part));
}

function endOf(document: string, part: Part): number {
  const parts = Object.keys(HEADINGS) as Part[];
  const next = parts[parts.indexOf(part) + 1];
  return next === undefined ? document.length : placeOf(document, next);
}

/** The document with a part made anew, and all else as it stands. */
export function withPart(document: string, part: Part, text: string): string {
  return `${document.slice(0, placeOf(document, part))}${text}\n${document.slice(endOf(document, part))}`;
}

const usageOf =
  (show: (usage: Usage) => string) =>
  ({ usage }: { usage: Usage | null }): string =>
    usage === null ? NOT_MEASURED : show(usage);

interface RunRow {
  name: string;
  of: (run: MeasuredRun) => number | undefined;
  show: (value: number) => string;
  /** Targets hold for the studies, which are what they were set for. */
  target?: readonly [most: number, told: string];
}

const RUN_ROWS: readonly RunRow[] = [
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
  {
    name: 'worker’s processor time',
    of: ({ usage }) => (usage === null ? undefined : usage.cpuSeconds * 1_000),
    show: seconds,
  },
  { name: 'history', of: (run) => run.historyBytes, show: kilobytes, target: [1e6, '< 1 MB'] },
  { name: 'history events', of: (run) => run.history.events, show: plain },
  { name: 'activities', of: (run) => run.history.activities.length, show: plain },
  {
    name: 'orchestration a step',
    of: (run) => orchestrationMsAStep(run.wallMs, run.history.activities),
    show: milliseconds,
    target: [25, '≤ 25 ms'],
  },
  {
    name: 'client: read, check and store the sources, start the run',
    of: (run) => run.startMs,
    show: seconds,
  },
  // Document 002's minutes for its passes; gathering comes before them.
  ...(
    [
      ['overview', 'pass 1', 5],
      ['deep-dive', 'pass 2', 15],
      ['cross-reference', 'pass 3', 10],
      ['report', 'pass 4', 10],
    ] as const
  ).map(([pass, name, minutes]): RunRow => ({
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

export interface MeasuredMaterial {
  name: string;
  question: string;
  rounds: Round[];
}

function materialPart({ name, question, rounds }: MeasuredMaterial): string {
  const sources = rounds[0]?.first.sources ?? 0;
  const runTable = (which: 'first' | 'second', title: string): string => {
    const rows = RUN_ROWS.map(({ name: row, of, show, target }) => {
      const values = rounds.map((round) => of(round[which])).filter((value) => value !== undefined);
      const isJudged = target !== undefined && name === 'studies' && values.length > 0;
      const told = isJudged ? judged(target[1], spread(values).median <= target[0]) : '';
      return [row, shortRange(values.filter(Number.isFinite), show), told];
    });
    return `### ${title}\n\n${table(['figure', 'measured', 'target'], rows)}\n`;
  };
  const kinds = rounds.map(({ first }) => byActivity(first.history.activities));
  const activities = (kinds[0] ?? []).map(({ name: activity, count }) => {
    const own = kinds.flatMap((groups) => groups.filter((group) => group.name === activity));
    const middle = (key: 'sumMs' | 'longestMs' | 'busyMs'): string =>
      milliseconds(spread(own.map((row) => row[key])).median);
    return [activity, String(count), middle('sumMs'), middle('longestMs'), middle('busyMs')];
  });
  return `## ${name === 'studies' ? `${sources} studies` : `${sources} notes of examples/`}

> ${question}

${runTable('first', 'The first run of a worker, in an empty folder')}
${runTable('second', 'The same again, by the same worker')}
Where the time of the first run goes, by activity:

${table(['activity', 'number', 'in all', 'longest', 'at least one going on'], activities)}
`;
}

function modelsPart(models: readonly ModelFigures[]): string {
  const headers = [
    'the model answers after',
    'calls',
    'the run took',
    'the calls had to take',
    'ratio',
    'beyond that, an activity',
  ];
  const rows = models.map(({ latencyMs, slots, calls, wallMs, boundMs, ratio, steps, beyondMsAStep }) => [
    `${latencyMs} ms`,
    `${calls} calls, ${slots} slots, ${steps} activities`,
    seconds(wallMs),
    seconds(boundMs),
    latencyMs === 0 ? '' : `${ratio.toFixed(2)} (${judged('≤ 1.1', ratio <= 1.1)})`,
    `${beyondMsAStep.toFixed(0)} ms${latencyMs === 0 ? ` (${judged('≤ 25 ms', beyondMsAStep <= 25)})` : ''}`,
  ]);
  return `## Runs by a model

A report over \`examples/\` by the openai engine, against a model server on loopback that takes so long to answer. The calls
have to take at least the longest chain of calls that follow each other, or all calls one after the other in the slots.

${table(headers, rows)}
`;
}

const COST_TITLES = { articles: '60 articles', notes: '16 notes of examples/' };

function costPart(costs: readonly CostFigures[]): string {
  const count = (value: number): string => grouped(Math.round(value));
  const rounded = (share: number): string => `${Math.round(100 * share)} %`;
  const parts = costs.map(({ name, sourceTokens, tokensIn, sharedShare, calls, steps, again }) => {
    const each = tokensIn / sourceTokens;
    const target =
      name === 'notes'
        ? judged('≤ 34,000', tokensIn <= 34_000)
        : `${each.toFixed(2)} for each of the sources, ${judged('≤ 1.35', each <= 1.35)}`;
    const shared = name === 'articles' ? ` (${judged('≥ 60 %', sharedShare >= 0.6)})` : '';
    const rows = [
      ...steps.map((one) => [
        one.step,
        String(one.calls),
        count(one.tokensIn),
        one.copies.toFixed(1),
        rounded(one.sharedShare),
      ]),
      ['in all', String(calls), `${count(tokensIn)} (${target})`, '', `${rounded(sharedShare)}${shared}`],
    ];
    const most = Math.max(...again);
    const changed = `\nOne number changed in one note, tried with each of ${again.length}: ${most} calls at most (${judged('≤ 4', most <= 4)}).\n`;
    const headers = ['step', 'calls', 'tokens in', 'copies of each source', 'in a prefix sent before'];
    return `### ${COST_TITLES[name]}, ${count(sourceTokens)} tokens of text

${table(headers, rows)}
${again.length === 0 ? '' : changed}`;
  });
  return `## What a model is sent

By the openai engine, counted at a model server on loopback at four characters a token. A copy is a source of which a call is
given something; a prefix sent before is how a prompt begins that an earlier prompt of the run began with too. What it was before
sources were read in groups: [0013](decisions/0013-sources-in-groups.md).

${parts.join('\n')}`;
}

export interface AnswerFigures {
  /** Null where the studies are not there. */
  overStudies: AnswersOverStudies | null;
  byModel: { latencyMs: number; answers: AnswerByModel[] };
}

export function answersPart({ overStudies, byModel }: AnswerFigures, taken: Taken): string {
  const rounded = (ms: number): string => `${Math.round(ms)} ms`;
  const below = (value: number, most: number, target: string): string => judged(target, value < most);
  const rows: Row[] = [];
  if (overStudies !== null) {
    const { sources, alone, together, coldMs, inActivitiesMs } = overStudies;
    const slowest = Math.max(...together);
    const how = `extractive over ${sources} studies, warm index, one after the other (n = ${alone.length})`;
    rows.push(
      [how, range(alone, rounded), below(spread(alone).median, 300, 'median < 300 ms')],
      ['of these, while an activity was under way', range(inActivitiesMs, rounded), ''],
      [`the slowest of ${together.length} at once`, rounded(slowest), below(slowest, 2_000, '< 2 s')],
      ['the first, with no index', rounded(coldMs), below(coldMs, 10_000, '< 10 s')],
    );
  }
  const { latencyMs, answers } = byModel;
  const calls = spread(answers.map((answer) => answer.calls)).median;
  const by = `by a model that answers after ${latencyMs} ms, over the notes of examples/ (n = ${answers.length}, ${calls} calls each)`;
  const beyond = answers.map(({ beyondMs }) => beyondMs);
  rows.push(
    [
      by,
      range(
        answers.map(({ ms }) => ms),
        rounded,
      ),
      '',
    ],
    ['of these, beyond its calls', range(beyond, rounded), ''],
  );
  return `${HEADINGS.answers}

From a program's call to its reply, through a server and a worker of their own (\`npm run bench -- --answers\`); each question is another
one, and the median stands before the least and the greatest. ${takenOn(taken)}

${table(['figure', 'measured', 'target'], rows)}
`;
}

export interface Crowd {
  title: string;
  run: MeasuredRun;
}

export function crowdsPart(crowds: readonly Crowd[], taken: Taken): string {
  const figures = columns<MeasuredRun>(
    crowds.map(({ title }) => title),
    [
      ['ends as', ({ report }) => report.status],
      ['run, from its first start to its close', ({ wallMs }) => seconds(wallMs)],
      ['client: read, check and store the sources, start the run', ({ startMs }) => seconds(startMs)],
      [
        'worker’s peak anonymous memory (RssAnon, < 1 GB)',
        usageOf((usage) => megabytes(usage.anonymousBytes)),
      ],
      [
        'worker’s peak resident memory (RSS, with mapped files)',
        usageOf((usage) => megabytes(usage.residentBytes)),
      ],
      ['worker’s processor time', usageOf(({ cpuSeconds }) => seconds(cpuSeconds * 1_000))],
      ['activities of the last history', ({ history }) => plain(history.activities.length)],
      ['events of the last history', ({ history }) => plain(history.events)],
      ['the last history', ({ historyBytes }) => kilobytes(historyBytes)],
      ['sources cited', ({ report }) => plain(report.citations)],
    ],
    crowds.map(({ run }) => run),
  );
  return `${HEADINGS.crowds}

A run over each, by the extractive engine, in an empty folder (\`npm run bench -- --crowds\`). ${takenOn(taken)}

${figures}
`;
}

export function throughputPart(figures: ThroughputFigures): string {
  const { runs, workers, latencyMs, requestsPerSecond, maxSharedCalls, tookMs, busy, usage, ended, calls } =
    figures;
  const whole = ended.filter(({ status }) => status === 'completed').length;
  const own = ended.map(({ question, askedAt }) => ({
    askedAt,
    calls: calls.filter((call) => call.question === question),
  }));
  const rate = mostInAnySecond(startsOf(calls));
  const atOnce = mostAtOnce(calls);
  const memory = usage.flatMap((one) => (one === null ? [] : [plain(one.anonymousBytes / 1e6)]));
  const firstAnswers = own.map((one) => Math.min(...one.calls.map(({ endMs }) => endMs)) - one.askedAt);
  const rows = [
    ['runs that ended', `${whole} of ${runs} completed`, judged('all', whole === runs)],
    ['all of them took', tenths(tookMs), ''],
    [
      'a run took',
      range(
        ended.map(({ askedAt, endedAt }) => endedAt - askedAt),
        tenths,
      ),
      '',
    ],
    ['until its first answer of a model', range(firstAnswers, tenths), ''],
    [
      'the longest between two of its calls',
      range(
        own.map((one) => longestGap(one.calls)),
        tenths,
      ),
      '',
    ],
    ['calls in all', String(calls.length), ''],
    [
      'calls of a run with its question',
      range(
        own.map((one) => one.calls.length),
        String,
      ),
      '',
    ],
    [
      'most calls that began in any second',
      String(rate),
      judged(`≤ ${requestsPerSecond}`, rate <= requestsPerSecond),
    ],
    ['calls a second, on the whole', ((1_000 * calls.length) / tookMs).toFixed(1), ''],
    ['most calls under way at once', String(atOnce), judged(`≤ ${maxSharedCalls}`, atOnce <= maxSharedCalls)],
    ['a worker’s peak anonymous memory', memory.map((mb) => `${mb} MB`).join(', '), ''],
    ['processors busy meanwhile', percent(busy), ''],
  ];
  return `${HEADINGS.throughput}

${runs} reports are started at once (\`npm run bench -- --throughput\`) on ${workers} workers, processes of their own, that share
stores and limits: ${requestsPerSecond} requests a second and ${maxSharedCalls} at once, of a model on loopback that takes ${latencyMs} ms. Each is over four
notes of \`examples/\`, with a question of its own. The median stands before the least and the greatest.

${table(['figure', 'measured', 'target'], rows)}
`;
}

function startsOf(calls: readonly Call[]): number[] {
  return calls.map(({ startMs }) => startMs).sort((a, b) => a - b);
}

/** How many fall into the fullest second of times in their order. */
function mostInAnySecond(times: readonly number[]): number {
  let from = 0;
  return times.reduce((most, time, at) => {
    while (time - (times[from] ?? time) >= 1_000) from += 1;
    return Math.max(most, at - from + 1);
  }, 0);
}

function mostAtOnce(calls: readonly Call[]): number {
  const changes = calls.flatMap(({ startMs, endMs }) => [
    { at: startMs, change: 1 },
    { at: endMs, change: -1 },
  ]);
  let open = 0;
  return changes
    .sort((a, b) => a.at - b.at || a.change - b.change)
    .reduce((most, { change }) => Math.max(most, (open += change)), 0);
}

function longestGap(calls: readonly Call[]): number {
  const times = startsOf(calls);
  return Math.max(0, ...times.slice(1).map((time, at) => time - (times[at] ?? time)));
}

export interface GrowthFigures {
  question: string;
  growth: readonly Growth[];
}

export function growthPart({ question, growth }: GrowthFigures, taken: Taken): string {
  const whole = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const used = usageOf(({ cpuSeconds }) => tenths(cpuSeconds * 1_000));
  const anonymous = usageOf(({ anonymousBytes }) => whole(anonymousBytes));
  const resident = usageOf(({ residentBytes }) => whole(residentBytes));
  const most = (values: readonly number[]): number => Math.max(0, ...values);
  const passes = [
    ['gather', 'gathering'],
    ['overview', 'pass 1'],
    ['deep-dive', 'pass 2'],
    ['cross-reference', 'pass 3'],
    ['report', 'pass 4'],
  ] as const;
  const figures = columns<Growth>(
    growth.map(({ count }) => `${grouped(count)} sources`),
    [
      ['what they have together', ({ inputBytes }) => whole(inputBytes)],
      ['ends as', ({ report }) => report.status],
      ['client: read, check and store the sources, start the run', ({ client }) => tenths(client.ms)],
      ['client’s processor time', ({ client }) => used(client)],
      ['client’s peak anonymous memory', ({ client }) => anonymous(client)],
      ['client’s peak resident memory', ({ client }) => resident(client)],
      ['run, from its first start to its close', ({ report }) => tenths(report.timings.total)],
      ...passes.map(
        ([pass, name]) =>
          [`of it ${name}`, ({ report }: Growth) => tenths(report.timings.byPass[pass] ?? 0)] as const,
      ),
      ['worker’s processor time', used],
      ['worker’s peak anonymous memory (RssAnon, < 1 GB)', anonymous],
      ['worker’s peak resident memory (RSS, with mapped files)', resident],
      [
        'at its peak the worker was at',
        ({ peakDuring }) => peakDuring.join(', ') || 'none of its activities',
      ],
      ['histories', ({ executions }) => grouped(executions.length)],
      [
        'events of the longest history (≤ 10,000)',
        ({ executions }) => grouped(most(executions.map(({ events }) => events))),
      ],
      [
        'bytes of the largest history',
        ({ executions }) => kilobytes(most(executions.map(({ bytes }) => bytes))),
      ],
      ['activities', ({ activities }) => grouped(activities.reduce((sum, { count }) => sum + count, 0))],
      ['content store on disk', ({ storeBytes }) => whole(storeBytes)],
      ['claims', ({ report }) => grouped(report.claims.length)],
      ['sources cited', ({ report }) => grouped(report.citations.length)],
      ['what `report.json` says of the collection', ({ report }) => collectionOf(report.sources)],
    ],
    growth,
  );
  return `${HEADINGS.growth}

A run by the extractive engine over documents that are made of the 500 studies, seeded (\`npm run bench -- --growth\`): each has
sentences of several studies and the length of one, so that with many documents a sentence stands in many. Each run has an empty
folder; client, server and worker are processes of their own. ${takenOn(taken)}

> ${question}

${figures}

Resident memory has the pages of the store's file that were read, which the system takes back where others need it; anonymous memory
is what a worker cannot give back.
`;
}

function collectionOf({ total, inFull, bySummary, unused, duplicates }: Growth['report']['sources']): string {
  return `${grouped(total)} in all: ${grouped(inFull)} read in full, ${grouped(bySummary)} by summary, ${grouped(unused)} unused, ${grouped(duplicates)} duplicates`;
}

export function pagesPart(pages: readonly PagesFigures[], taken: Taken): string {
  const of =
    (
      value: (round: PagesRound, figures: PagesFigures) => number | undefined,
      show: (value: number) => string,
    ) =>
    (figures: PagesFigures): string =>
      shortRange(
        figures.rounds.flatMap((round) => value(round, figures) ?? []),
        show,
      );
  const onTheWhole = ({ ms }: PagesImport, { count }: PagesFigures): number => (1_000 * count) / ms;
  const perProcessor = ({ usage }: PagesImport, { count }: PagesFigures): number | undefined =>
    usage === null ? undefined : count / usage.cpuSeconds;
  const cpu = ({ usage }: PagesImport): number | undefined =>
    usage === null ? undefined : 1_000 * usage.cpuSeconds;
  const ratio = (one: number | undefined, other: number | undefined): number | undefined =>
    one === undefined || other === undefined ? undefined : one / other;
  const share = (value: number): string => value.toFixed(2);
  const figures = columns<PagesFigures>(
    pages.map(({ count, rounds }) => `${grouped(count)} pages${rounds.length === 1 ? ', once' : ''}`),
    [
      ['first, pages a second (≥ 50)', of(({ first }, all) => onTheWhole(first, all), plain)],
      ['first, pages for a second of a processor', of(({ first }, all) => perProcessor(first, all), plain)],
      ['again, pages a second', of(({ again }, all) => onTheWhole(again, all), plain)],
      ['again, pages for a second of a processor', of(({ again }, all) => perProcessor(again, all), plain)],
      ['pages sent whole, again', of(({ again }) => again.whole, plain)],
      ['time, again to first', of(({ first, again }) => again.ms / first.ms, share)],
      ['processor time, again to first', of(({ first, again }) => ratio(cpu(again), cpu(first)), share)],
      ['peak anonymous memory, first', of(({ first }) => first.usage?.anonymousBytes, megabytes)],
      ['peak anonymous memory, again', of(({ again }) => again.usage?.anonymousBytes, megabytes)],
      ['peak resident memory (RSS), first', of(({ first }) => first.usage?.residentBytes, megabytes)],
      ['peak resident memory (RSS), again', of(({ again }) => again.usage?.residentBytes, megabytes)],
    ],
    pages,
  );
  return `${HEADINGS.pages}

\`colligate import\` of a list of addresses, from the command's start to its end (\`npm run bench -- --pages\`): articles of
${kilobytes(Math.max(0, ...pages.map(({ pageBytes }) => pageBytes)))} of HTML on loopback, fetched with no pace kept, parsed, checked and stored in an empty folder; then all of them again, which the server says have not
changed. Processor time and memory are those of the command and the process in which it parses, together; a page a second counts
whatever else the machine did, a second of a processor does not. ${takenOn(taken)}

${figures}
`;
}

export function followersPart(figures: FollowersFigures, taken: Taken): string {
  const { followers, slow, events, whole, letGo, tookMs, memory, usage, status } = figures;
  const { aSecond, seconds: lasting, sortedMs, failed } = status;
  const at = (share: number): number => sortedMs[Math.ceil(share * sortedMs.length) - 1] ?? NaN;
  const cpu = (one: Usage | null | undefined): string =>
    one === null || one === undefined ? NOT_MEASURED : seconds(1_000 * one.cpuSeconds);
  const bytes = (name: keyof NonNullable<typeof memory>): string =>
    memory === null ? NOT_MEASURED : megabytes(memory[name]);
  const quick = followers - slow;
  const rows = [
    ['events of the run', grouped(events), ''],
    [
      'followers that got each once and in order',
      `${grouped(whole)} of ${grouped(quick)}`,
      judged('all', whole === quick),
    ],
    ['of those that read nothing, let go before the end', `${letGo} of ${slow}`, ''],
    ['from the first follower to the last event', tenths(tookMs), ''],
    ['anonymous memory of a process before its first follower', bytes('alone'), ''],
    ['with its 500 followers', bytes('connected'), ''],
    ['at most', bytes('most'), ''],
    ['when the run had ended', bytes('after'), ''],
    ['processor time of the process that stayed', cpu(usage[0]), ''],
    ['processor time of the one that was started anew', cpu(usage[1]), ''],
    [`status, ${aSecond} requests a second for ${lasting} s: median`, milliseconds(at(0.5)), ''],
    ['status: 99 of 100 within', milliseconds(at(0.99)), judged('< 50 ms', at(0.99) < 50)],
    ['status: the longest', milliseconds(at(1)), ''],
    ['status: failed', grouped(failed), judged('none', failed === 0)],
    ['status: processor time of the process', cpu(status.usage), ''],
  ];
  return `${HEADINGS.followers}

A report that ${grouped(followers)} followers follow over HTTP at two processes of \`serve\`, one of which is killed and started anew in their midst (\`npm run bench -- --followers\`); ${slow}
of them read nothing. While its outline waits for approval, large events are written beside its own, so that what is not read fills what systems hold back. Then the status of
reports that go on is asked for at a set rate of a process on one processor, each request timed from when it was due. All of it, whoever follows and asks included, is on the one
machine. ${takenOn(taken)}

${table(['figure', 'measured', 'target'], rows)}
`;
}

function startingPart(measured: readonly MeasuredMaterial[], stores: StoreFigures): string {
  const rounds = measured.flatMap((material) => material.rounds);
  const memories = rounds.flatMap(({ atRest }) => atRest?.anonymousBytes ?? []);
  const rate = (mb: number): string => `${mb.toFixed(1)} MB/s`;
  const rows = [
    [
      'Temporal server, until it answers',
      shortRange(
        rounds.map((round) => round.serverStartMs),
        milliseconds,
      ),
    ],
    [
      'worker, until it polls',
      shortRange(
        rounds.map((round) => round.workerStartMs),
        milliseconds,
      ),
    ],
    ['worker’s anonymous memory before its first run', shortRange(memories, megabytes)],
    [
      `content store: ${stores.texts} texts of ${megabytes(stores.bytes)} in, flushed`,
      rate(stores.storeMbASecond),
    ],
    ['content store: the same out, checked against their hashes', rate(stores.retrieveMbASecond)],
    ['the same, signed so that near-duplicates are found', rate(stores.signMbASecond)],
    ['content store: size on disk', megabytes(stores.storedBytes)],
    ['content store: one small artifact, flushed', milliseconds(stores.artifactMs)],
    ['event log: one event, flushed', milliseconds(stores.eventMs)],
  ];
  return `${HEADINGS.starting}\n\n${table(['figure', ''], rows)}\n`;
}

export interface AllFigures {
  runs: number;
  measured: readonly MeasuredMaterial[];
  stores: StoreFigures;
  models: readonly ModelFigures[];
  costs: readonly CostFigures[];
  answers: AnswerFigures;
  crowds: readonly Crowd[];
  throughput: ThroughputFigures;
  /** What takes too long to be measured with the rest stands as it is. */
  growth: string;
  pages: string;
  followers: string;
}

export function benchmarkDocument(figures: AllFigures, taken: Taken): string {
  const { machine, startedAt, othersBusy } = taken;
  const { runs, measured, stores, models, costs, answers, crowds, throughput, growth, pages, followers } =
    figures;
  const onStudies = measured.some(({ name }) => name === 'studies');
  const rows = [
    ['processor', `${machine.processor}, ${machine.cores} cores`],
    ['memory', `${machine.memoryGb.toFixed(0)} GB`],
    ['system', machine.system],
    ['Node', machine.node],
    ['Colligate', machine.colligate],
    ['date', startedAt.toISOString().slice(0, 10)],
    ['processors busy meanwhile', `${percent(othersBusy)}, these runs included`],
  ];
  return `# Benchmarks

Made by \`npm run bench -- --runs ${runs} --write\`; do not edit by hand.

${table(['machine', ''], rows)}

${runs === 1 ? 'Figures of one round.' : `Medians of ${runs} rounds, the least and the greatest in brackets.`}
Each round is an empty folder with a Temporal server and a worker of its own, separate processes on the one machine. A run's
time is the server's, from the run's start to its close; memory is sampled every 25 ms; orchestration a step is the part of that time
in which no activity was being carried out, divided by the number of activities.
${onStudies ? '' : '\n**The studies were not there: these figures are of `examples/` alone, and say nothing about the targets.**\n'}
${measured.map(materialPart).join('\n')}
${modelsPart(models)}
${costPart(costs)}
${answersPart(answers, taken)}
${crowdsPart(crowds, taken)}
${throughputPart(throughput)}
${growth}${pages}${followers}${startingPart(measured, stores)}`;
}
