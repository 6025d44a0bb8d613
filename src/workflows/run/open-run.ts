import { setHandler, workflowInfo } from '@temporalio/workflow';
import { book, release } from '../../core/budget/budget-ledger';
import type { PassName } from '../../contracts/kinds';
import type { RunInput } from '../../contracts/run/run-input';
import { createAsk } from './ask';
import { beginCarried, keepWarnings, knownCarried, type CarriedRun } from './carried-run';
import { goOnInNewHistory } from './continue-as-new';
import { beginCourse, enterPass } from './course';
import type { Kind } from './kind';
import { pauseSignal, resumeSignal } from './messages';
import { createOutages } from './outages';
import { createPauseGate } from './pause-gate';
import { createRecorder } from './record-run';
import type { PassPlace, Perform, Run } from './run';
import { createTeller } from './run-teller';
import { createRunClock } from './time-limit';

/** What a run carries before anything is done. */
function begun<Input extends RunInput, Carried extends CarriedRun, Brief>(
  kind: Kind<Input, Carried, Brief>,
  input: Input,
): Carried {
  const general = beginCarried(input, workflowInfo().startTime);
  // What every kind carries, and what this one carries besides: together they are all of it.
  return { version: kind.stateVersion, ...general, ...kind.begin() } as unknown as Carried;
}

/** Takes up a run, its queries and signals; nothing is awaited before, so that none of them is missed. */
export function openRun<Input extends RunInput, Carried extends CarriedRun, Brief>(
  kind: Kind<Input, Carried, Brief>,
  input: Input,
  given: Carried | undefined,
): Run<Input, Carried, Brief> {
  const carried = given === undefined ? begun(kind, input) : knownCarried(given, kind.stateVersion);
  const names = kind.passes.map(({ name }) => name);
  const lastPass = names.at(-1);
  if (lastPass === undefined) throw new Error(`A run of the kind ${kind.name} has no passes.`);
  const unfinishedPass = (): PassName =>
    names.find((name) => !carried.finishedPasses.includes(name)) ?? lastPass;
  const course = beginCourse(unfinishedPass());

  const gate = createPauseGate({
    paused: carried.paused,
    onChange: () => {
      carried.paused = gate.paused;
      if (gate.paused) clock.stop();
      else clock.start();
      teller.tell();
    },
  });
  const clock = createRunClock(gate, { limitMs: input.budget.maxTimeMs, activeMs: carried.activeMs });
  const outages = createOutages(
    input.outages,
    gate,
    {
      onChange: () => recorder.tellOutage(outages),
      onSpent: (usage) => {
        carried.ledger = book(carried.ledger, course.pass, usage);
      },
    },
    () => carried.ledger.spent.outputTokens > 0,
  );
  const teller = createTeller({ kind, input, carried, course, gate, outages });

  const placeOf = (name: PassName): PassPlace => {
    const number = names.indexOf(name);
    const pass = kind.passes[number];
    if (pass === undefined) throw new Error(`A run of the kind ${kind.name} has no pass ${name}.`);
    return { number, role: pass.role, fund: pass.fund };
  };
  /** What the Web UI calls a piece of the pass's work. */
  const named = (summary: string): string => `pass ${placeOf(course.pass).number} · ${summary}`;
  const recorder = createRecorder({
    runId: input.runId,
    carried,
    named,
    outlast: (attempt) => outages.outlast(attempt),
    place: () => placeOf(course.pass).number,
    note: () => teller.note(),
    tell: () => teller.tell(),
  });

  const perform: Perform = async (activity, request, options) => {
    const result = await outages.outlast((trial) =>
      gate.pass(() => activity.executeWithOptions({ ...options, ...trial }, [request])),
    );
    course.parts.done += 1;
    teller.note();
    return result;
  };
  const countTime = (of: PassName): void => {
    carried.passMs[of] = (carried.passMs[of] ?? 0) + Date.now() - course.passSince;
  };
  const enter = async (next: PassName): Promise<void> => {
    let hasBegun = false;
    await recorder.record('begins', (record) =>
      gate.pass(() => {
        if (!hasBegun) {
          hasBegun = true;
          enterPass(course, next);
          teller.tell();
        }
        const pass = kind.passes[placeOf(next).number];
        return record(kind.openingEvents(input, next, pass?.message(input, carried) ?? ''));
      }),
    );
  };

  teller.answerQueries();
  kind.answerQueries(carried);
  setHandler(pauseSignal, () => gate.pause());
  setHandler(resumeSignal, () => {
    gate.resume();
    outages.tryNow();
  });
  // A new history starts with an empty memo.
  if (given !== undefined) teller.tell();

  const run: Run<Input, Carried, Brief> = {
    input,
    brief: kind.brief(input),
    carried,
    clock,
    lastPassNumber: names.length - 1,
    placeOf,
    unfinishedPass,
    hasFindings: () => kind.hasFindings(carried),
    async pass(name, work, kept) {
      if (carried.finishedPasses.includes(name)) return kept();
      await enter(name);
      const made = await work();
      carried.finishedPasses.push(name);
      countTime(name);
      if (name !== lastPass) await run.continueAsNewIfLong();
      return made;
    },
    plan(of, done = 0) {
      course.parts = { done, of };
      teller.note();
    },
    finishPiece(id) {
      course.donePieces.push(id);
      teller.note();
    },
    carryOut: (activity, request, summary) => perform(activity, request, { summary: named(summary) }),
    ask: (...asked) => ask(...asked),
    outlast: (attempt, options) => outages.outlast(attempt, options),
    async warn(warning) {
      keepWarnings(carried, [warning]);
      await recorder.warn(warning);
    },
    async fallShort(sentence) {
      if (!carried.shortfalls.includes(sentence)) carried.shortfalls.push(sentence);
      await run.warn({ code: 'pass-failed', message: sentence });
    },
    setStatus(next) {
      course.special = next;
      teller.tell();
    },
    end(next, facts = []) {
      course.facts = facts;
      for (const { fund } of kind.passes) {
        if (fund !== undefined) carried.ledger = release(carried.ledger, fund);
      }
      run.setStatus(next);
    },
    continueAsNewIfLong: () =>
      goOnInNewHistory(input, carried, () => {
        if (!carried.finishedPasses.includes(course.pass)) countTime(course.pass);
        carried.activeMs = clock.activeMs();
      }),
  };
  const ask = createAsk({ run, named, perform, pass: () => course.pass });
  return run;
}
