import { ApplicationFailure, ActivityFailure } from '@temporalio/workflow';
import addSources from '../../../contracts/schemas/add-sources.json';
import setOutline from '../../../contracts/schemas/set-outline.json';
import type { AddSources, PlainMessage, SetOutline } from '../../../contracts/steering/messages';
import type { JsonSchema } from '../../../core/shapes/json-schema';
import { takeSignal } from '../../run/handlers';
import { addSourcesSignal, MESSAGE_NOT_USABLE } from '../../run/messages';
import { causeMessage } from '../../run/outages/step-failures';
import { PLAIN_MESSAGE } from '../../run/steering/general-messages';
import { counted } from '../../run/publishing/run-mirror';
import { computing } from '../../run/activities';
import { activities } from '../activities';
import { givenSources, withAdded } from './given-sources';
import type { ReportRun } from '../carried-report';

/** Whoever sent a message waits while what it refers to is looked at. */
const IN_A_MESSAGE = { retry: { maximumAttempts: 4 }, scheduleToCloseTimeout: '2 minutes' } as const;

const ADD_SOURCES = addSources as JsonSchema;
const SET_OUTLINE = setOutline as JsonSchema;

export function takeReportMessages(run: ReportRun): void {
  const { inbox, carried } = run;
  inbox.take<SetOutline>('setOutline', {
    schema: SET_OUTLINE,
    refusal: () =>
      carried.readingBegun === true || hasReading(run)
        ? 'Pass 2 has begun, so the outline stands: it can be set until the sources are read for its sections. Start the report again for another one.'
        : null,
    apply: (message) => setOutlineOf(run, message),
  });
  inbox.take<PlainMessage>('approveOutline', {
    schema: PLAIN_MESSAGE,
    refusal: () => approvalRefusal(run),
    apply: () => {
      carried.approval = { leftMs: 0, isAwaited: false, isOver: true };
      return {
        said: run.isPaused
          ? 'The outline is approved; the run is paused, and goes on with it when it is resumed.'
          : 'The outline is approved: the run goes on with it.',
      };
    },
  });
  const takeInTurn = inTurn();
  inbox.take<AddSources>('addSources', {
    schema: ADD_SOURCES,
    refusal: () =>
      carried.closing === true
        ? 'The report is being put together for the last time, so nothing can be added to it. Start it again with all sources.'
        : null,
    apply: (message) => takeInTurn(() => addSourcesOf(run, message)),
  });
  const take = async (message: AddSources): Promise<void> => {
    try {
      await inbox.receive('addSources', message);
    } catch (error) {
      // Nobody waits for what becomes of a signal: the run says it.
      if (!(error instanceof ApplicationFailure)) throw error;
      run.signals.refused(`Sources could not be added: ${error.message}`);
    }
  };
  takeSignal(addSourcesSignal, [ADD_SOURCES], run.signals, (message) => void take(message));
}

function hasReading({ carried: { finishedPasses } }: ReportRun): boolean {
  return finishedPasses.includes('deep-dive');
}

function approvalRefusal({ input, carried: { approval, readingBegun } }: ReportRun): string | null {
  if (input.approval === undefined)
    return 'This report does not wait for approval: it was started without it, and goes on by itself.';
  if (approval?.isOver === true || readingBegun === true)
    return 'The report waits for approval no more: it goes on with its outline.';
  return approval?.isAwaited === true ? null : 'There is no outline yet to approve of: pass 1 has not ended.';
}

async function setOutlineOf(run: ReportRun, { outlineRef }: SetOutline): Promise<{ said: string }> {
  const { runId } = run.input;
  const { problems, sections } = await looked(() =>
    activities.checkOutline.executeWithOptions({ summary: 'look at an outline', ...IN_A_MESSAGE }, [
      { runId, outlineRef },
    ]),
  );
  if (problems.length > 0) throw notUsable(problems);
  // Pass 2 may have begun while it was looked at.
  if (run.carried.readingBegun === true)
    throw notUsable(['pass 2 began while the outline was looked at, so the one before stands']);
  run.carried.wantedOutlineRef = outlineRef;
  return {
    said: `An outline of ${counted(sections, 'section')} takes the place of the planned one before pass 2.`,
  };
}

type Added = { said: string; added: number; known: number };

async function addSourcesOf(
  run: ReportRun,
  { manifestRef, sourceCount }: Pick<AddSources, 'manifestRef' | 'sourceCount'>,
): Promise<Added> {
  const { carried, input } = run;
  const before = givenSources(run);
  const givenRef = before.sourceCount === 0 ? null : before.manifestRef;
  const admitted = await looked(() =>
    computing.admitSources.executeWithOptions({ summary: 'look at added sources', ...IN_A_MESSAGE }, [
      { runId: input.runId, manifestRef, sourceCount, givenRef },
    ]),
  );
  const { problems, added, known } = admitted;
  if (problems.length > 0) throw notUsable(problems);
  // A search of the run's own has found some meanwhile.
  if (givenSources(run).sourceCount !== before.sourceCount)
    return addSourcesOf(run, { manifestRef, sourceCount });
  if (carried.closing === true)
    throw notUsable(['the report was put together while the sources were looked at; start it again']);
  const there =
    known === 0 ? '' : ` ${counted(known, 'source')} ${known === 1 ? 'is' : 'are'} there already.`;
  if (admitted.givenRef === null) return { said: `Nothing is new:${there}`, added, known };
  carried.given = withAdded(before, admitted);
  return { said: `${counted(added, 'source')} ${joins(run, added)}.${there}`, added, known };
}

function joins({ carried }: ReportRun, added: number): string {
  const verb = added === 1 ? 'joins' : 'join';
  if (carried.taken === undefined && carried.catalogue === null) return `${verb} from the beginning`;
  if (carried.readingBegun !== true) return `${verb} before pass 2`;
  return `${verb} in passes 2 to 4, which run once more over all sources`;
}

/** What cannot be looked at may be sent again. */
async function looked<Result>(look: () => Promise<Result>): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    throw notUsable([`it could not be looked at (${causeMessage(error)}); send it again`]);
  }
}

function notUsable(problems: readonly string[]): ApplicationFailure {
  return ApplicationFailure.create({
    message: problems.join('; '),
    type: MESSAGE_NOT_USABLE,
    nonRetryable: true,
    details: [{ problems }],
  });
}

/** One after the other, in the order in which they came: each goes by what the ones before have left. */
function inTurn(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
