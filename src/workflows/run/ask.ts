import { condition } from '@temporalio/workflow';
import type { RunFacts } from '../../activities/shared/ports';
import type { Spent } from '../../activities/shared/run-step';
import {
  reserve,
  settle,
  withoutRepair,
  type BudgetLedger,
  type WorstCase,
} from '../../core/budget/budget-ledger';
import { QUOTING_ENGINE, traitsOf } from '../../contracts/run/engines';
import type { PassName } from '../../contracts/kinds';
import { keepWarnings } from './carried-run';
import { MODEL_TURNS, UNTAKEN_TO_TELL } from './in-histories';
import { askingModels } from './queues';
import type { Activity, Ask, AskModel, Perform, Run } from './run';
import { isRefusedRequest, isUnusableAnswer, usageOfFailure } from './outages/step-failures';

const QUOTED = 'it was done by quoting instead';

/** How a run has steps carried out that may ask a model: within its budget, and by quoting where that is not to be had. */
export function createAsk({
  run,
  named,
  perform,
  pass,
}: {
  run: Run;
  /** What the Web UI calls a piece of the pass's work. */
  named: (summary: string) => string;
  perform: Perform;
  pass: () => PassName;
}): { ask: Ask; askModel: AskModel } {
  const { carried } = run;
  const { engine } = run.input;
  /** How many calls hold a reservation. */
  let asking = 0;
  const onModelQueue = {
    ...askingModels(),
    scheduleToStartTimeout: run.input.outages?.queueMs ?? UNTAKEN_TO_TELL,
  } as const;

  /**
   * Reserves a call's worst case, where need be after calls under way have left room; where there is only room for the
   * call without its repair turn, that. What was reserved, or null where there is no room for either.
   */
  async function takeRoom(name: string, worstCase: WorstCase): Promise<WorstCase | null> {
    const { fund } = run.placeOf(pass());
    const withRoom = (room: WorstCase): BudgetLedger | null => reserve(carried.ledger, name, room, fund);
    const take = (room: WorstCase): WorstCase | null => {
      const reserved = withRoom(room);
      if (reserved === null) return null;
      carried.ledger = reserved;
      asking += 1;
      return room;
    };
    for (;;) {
      const taken = take(worstCase) ?? (asking === 0 ? take(withoutRepair(worstCase)) : null);
      if (taken !== null || asking === 0) return taken;
      // Most calls cost far less than their worst case.
      await condition(() => withRoom(worstCase) !== null || asking === 0);
    }
  }

  /** With the room that was taken. */
  async function askOnce<Input extends { run: RunFacts }, Result extends Spent>(
    activity: Activity<Input, Result>,
    request: Input,
    { name, worstCase, turn }: { name: string; worstCase: WorstCase; turn: number },
  ): Promise<Result> {
    try {
      const isModel = traitsOf(engine).asksModels;
      const asked = isModel
        ? { ...request, run: { ...request.run, turn, maxTokens: worstCase.tokens } }
        : request;
      const result = await perform(activity, asked, { summary: name, ...(isModel ? onModelQueue : {}) });
      carried.ledger = settle(carried.ledger, name, pass(), result.usage);
      keepWarnings(carried, result.warnings);
      return result;
    } catch (error) {
      carried.ledger = settle(carried.ledger, name, pass(), usageOfFailure(error, worstCase));
      throw error;
    } finally {
      asking -= 1;
    }
  }

  const askModel: AskModel = async (activity, request, summary, worstCase, instead) => {
    const name = named(summary);
    for (const turn of MODEL_TURNS) {
      const room = await takeRoom(name, worstCase);
      if (room === null) {
        await run.warn({
          code: 'budget',
          message: `The budget has no room to ask a model for ${name}; ${instead}.`,
        });
        break;
      }
      try {
        return await askOnce(activity, request, { name, worstCase: room, turn });
      } catch (error) {
        if (!traitsOf(engine).asksModels) throw error;
        if (isRefusedRequest(error)) {
          await run.warn({
            code: 'model-unusable',
            message: `The endpoint fails at what is asked for ${name}, and answers other questions; ${instead}.`,
          });
          break;
        }
        if (!isUnusableAnswer(error)) throw error;
        const outcome = turn === MODEL_TURNS.at(-1) ? `; ${instead}` : ', so it was asked again';
        await run.warn({
          code: 'model-unusable',
          message: `What the model gave for ${name} could not be used${outcome}.`,
        });
      }
    }
    return null;
  };

  const ask: Ask = async (activity, request, summary, worstCase, instead = QUOTED) => {
    const made = await askModel(activity, request, summary, worstCase, instead);
    if (made !== null) return made;
    carried.quotedSteps += 1;
    const quoting = { ...request, run: { ...request.run, engine: QUOTING_ENGINE, models: null } };
    return run.carryOut(activity, quoting, `${summary} · without a model`);
  };
  return { ask, askModel };
}
