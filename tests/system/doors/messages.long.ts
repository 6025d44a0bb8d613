import fc from 'fast-check';
import type { Payload } from '@temporalio/common';
import type { SteeringAnswer } from '../../../src/contracts/steering/messages';
import * as workflows from '../../../src/workflows';
import { BY_MODEL, idOf, OBSERVATIONS, says, textOf, TRUE_CLAIM } from '../../support/answer-script';
import { briefScript } from '../../support/brief-script';
import { reaches } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { REPORT_SCRIPT } from '../../support/report-script';
import { openScriptedBench } from '../../support/run-bench';
import { doorsOf, inBulk, type Doors } from './door-bench';
import { ENCRYPTED, LARGE, RUBBISH, sent, type Rubbish } from './rubbish';
import { STARTS } from './starts';

// Whatever a run takes while it goes on may be sent by anybody, with anything: a run of each kind is held, and gets it all.

/** The server takes ten updates of an execution at once. */
const AT_ONCE = 6;
const FUZZED = 40;
const SEED = 20_260_102;

/** A run that is held, until it is let go. */
interface Held {
  /** The id of the execution that has the doors. */
  id: string;
  /** Lets it go, and gives what it came to. */
  finish(): Promise<string>;
}

/** What says all by its name, and does it. */
const BARE = ['pause', 'resume', 'forget'];
const ODD_NAMES = [
  'no-such-door',
  '__proto__',
  'constructor',
  '__temporal_no_such_door',
  '__temporal_workflow_metadata_',
  '__stack_trace_',
  'n'.repeat(1_000),
];

const bench = forAllTests(openScriptedBench);
let doors: Doors;

beforeAll(() => {
  doors = doorsOf(bench);
  bench.play({
    ...briefScript(),
    ...says((input) => textOf([[TRUE_CLAIM, idOf(input, 'example-based')]])),
    ...REPORT_SCRIPT,
  });
});
afterAll(() => doors.close());

const HELD: Record<string, (id: string) => Promise<Held>> = {
  async report(id) {
    const run = await bench.startRun(id, { approval: { timeoutMs: 3_600_000 } });
    await reaches(run, 'awaiting-approval');
    return {
      id,
      async finish() {
        expect(await doors.update(id, 'approveOutline', [sent({ id: 'yes' })])).toMatch(/^answered: /);
        return resultOf(id);
      },
    };
  },
  answer: (id) =>
    heldBy('answer', id, 'answer', { question: 'What does DAIL-SQL use?', observations: OBSERVATIONS }),
  brief(id) {
    const asOf = '2026-01-01T00:00:00Z';
    const given = { question: 'Which habits help?', subtopics: SUBTOPICS, asOf };
    return heldBy('plan-brief', id, 'brief', given);
  },
  async scheduled(name) {
    const schedule = await bench.colligate.createSchedule({
      name,
      times: { everyMs: 365 * 86_400_000 },
      run: { report: bench.request({ question: 'Which habits help?' }) },
    });
    const hold = bench.engine.hold('outline');
    await schedule.trigger();
    await hold.reached;
    const [firing] = (await schedule.describe()).firings;
    const runId = firing?.runId ?? '';
    const { workflow } = bench.client;
    const id = (await workflow.getHandle(runId).describe()).raw.workflowExecutionInfo?.parentExecution
      ?.workflowId;
    return {
      id: id ?? '',
      async finish() {
        hold.release();
        await workflow.getHandle(id ?? '').result();
        return resultOf(runId);
      },
    };
  },
};

const SUBTOPICS = [
  {
    title: 'Light',
    summary: 'Evening light delays sleep onset by 22 minutes in adults [1].',
    citations: ['https://example.org/light'],
  },
];

async function heldBy(step: string, id: string, type: string, given: object): Promise<Held> {
  const hold = bench.engine.hold(step);
  await doors.start(type, id, [sent({ ...BY_MODEL, ...given })]);
  await hold.reached;
  return {
    id,
    finish() {
      hold.release();
      return resultOf(id);
    },
  };
}

/** What a run has left for its reader, without what is true of that run alone. */
async function resultOf(id: string): Promise<string> {
  const outcome = (await bench.client.workflow.getHandle(id).result()) as { markdownRef: string };
  return ((await bench.stores.content.retrieve(outcome.markdownRef)) ?? '').replaceAll(id, 'RUN');
}

interface Named {
  name: string;
}

/** The doors that a run has open, by what the SDK knows of it: none can be left out. */
async function openDoors(id: string): Promise<{ signals: string[]; updates: string[]; queries: string[] }> {
  const told = await doors.query(id, '__temporal_workflow_metadata', []);
  const { definition } = JSON.parse(told.replace(/^answered: /, '')) as {
    definition: Record<`${'signal' | 'update' | 'query'}Definitions`, Named[]>;
  };
  const names = (given: Named[]): string[] => given.map(({ name }) => name);
  return {
    signals: names(definition.signalDefinitions),
    updates: names(definition.updateDefinitions),
    queries: names(definition.queryDefinitions),
  };
}

/** What all kinds of runs take alike; it gets the whole of it with one of them, and the rubbish itself with the others. */
const ALIKE = ['pause', 'resume', 'setOutline', 'approveOutline', 'addSources'];
const ANSWERED_ALIKE = ['progress', 'usage', 'steering'];

/** Rubbish in every place of a message's arguments, and any values. */
function messagesTo(kind: string, name: string): (readonly Payload[])[] {
  const all: readonly Rubbish[] = [...RUBBISH, ENCRYPTED];
  const first = all.map(({ payload }) => [payload]);
  const isDone = kind !== 'report' && [...ALIKE, ...ANSWERED_ALIKE].includes(name);
  if (isDone || name.startsWith('__')) return first;
  const any = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 2 });
  return [
    ...first,
    ...all.map(({ payload }) => [sent({ id: 'm' }), payload]),
    [sent({ id: 'm' }), sent(1), sent(2), sent(3), sent(4)],
    ...fc.sample(any, { numRuns: FUZZED, seed: SEED }).map((given) => given.map(sent)),
  ];
}

it('every workflow of the bundle is held here, but for those that take no message', async () => {
  const others = ['content', 'webhook'];
  expect([...Object.keys(HELD), ...others].sort()).toEqual(Object.keys(workflows).sort());
  for (const type of others) {
    const id = `takes nothing, ${type}`;
    await doors.start(type, id, [sent(STARTS[type]?.valid ?? {})]);
    await doors.ended(id);
    const { signals, updates, queries } = await openDoors(id);
    expect([...signals, ...updates, ...queries].filter((name) => !name.startsWith('__'))).toEqual([]);
  }
});

describe.each(Object.keys(HELD))('a run of %s', (kind) => {
  let run: Held;
  let names: Awaited<ReturnType<typeof openDoors>>;
  let undisturbed: string;
  beforeAll(async () => {
    const hold = HELD[kind];
    if (hold === undefined) throw new Error(`No run of ${kind} is held.`);
    undisturbed = await (await hold(`${kind}-calm`)).finish();
    run = await hold(`${kind}-disturbed`);
    names = await openDoors(run.id);
  });
  it('refuses every query with arguments', async () => {
    expect(names.queries).toEqual(expect.arrayContaining(['__temporal_workflow_metadata']));
    for (const name of names.queries) {
      const answers = await inBulk(messagesTo(kind, name), AT_ONCE, (args) =>
        doors.query(run.id, name, args),
      );
      const isOwn = !name.startsWith('__');
      expect(
        answers.filter(
          (answer) => !(isOwn ? /^refused: .*no argument/s : /^(refused|answered): /).test(answer),
        ),
      ).toEqual([]);
      expect(await doors.query(run.id, name, [])).toMatch(/^answered: /);
    }
  });

  it('refuses every update with rubbish, in words', async () => {
    for (const name of names.updates) {
      const sentTo = name === 'reply' ? messagesTo(kind, name) : [...messagesTo(kind, name), []];
      const answers = await inBulk(sentTo, AT_ONCE, (args) => doors.update(run.id, name, args));
      expect(answers.filter((answer) => !/^refused: .{10,20000}$/s.test(answer))).toEqual([]);
    }
  });

  it('does nothing for signals with rubbish', async () => {
    for (const name of names.signals) {
      const messages = [...messagesTo(kind, name), ...(BARE.includes(name) ? [] : [[]])];
      await inBulk(messages, AT_ONCE, (args) => doors.signal(run.id, name, args));
    }
    const large = LARGE.slice(0, 2);
    const [first] = names.signals;
    for (const { payload } of large) await doors.signal(run.id, first ?? '', [payload]);
    if (!names.queries.includes('steering')) return;
    expect((await steering()).applied).toEqual({});
  });

  it('has no other door', async () => {
    for (const name of ODD_NAMES) {
      for (const args of [[], [sent({ id: 'm' })], [{}]]) {
        await doors.signal(run.id, name, args);
        expect(await doors.update(run.id, name, args)).toMatch(/^(refused|not taken): /);
        expect(await doors.query(run.id, name, args)).toMatch(/^refused: /);
      }
    }
  });

  it('comes to the same as without all that, and no task of it failed', async () => {
    expect(await run.finish()).toBe(undisturbed);
    // Of the many refusals the first ones are told, each in an event of its own.
    const refusals = (await bench.eventsOf(run.id)).flatMap((event) =>
      event.type === 'warning' && event.payload.code === 'message-refused' ? [event.key] : [],
    );
    expect(new Set(refusals).size).toBe(names.queries.includes('steering') ? 10 : 0);
    const failed: unknown[] = [];
    for await (const { workflowId, runId } of bench.client.workflow.list()) {
      const { failedTask } = await doors.ended(workflowId, runId);
      if (failedTask !== null) failed.push({ workflowId, failedTask });
    }
    expect(failed).toEqual([]);
  });

  async function steering(): Promise<SteeringAnswer> {
    const answer = await doors.query(run.id, 'steering', []);
    return JSON.parse(answer.replace(/^answered: /, '')) as SteeringAnswer;
  }
});
