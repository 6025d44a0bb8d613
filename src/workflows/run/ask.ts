import type { RunFacts } from '../../activities/shared/ports';
import type { Spent } from '../../activities/shared/run-step';
import type { PassName } from '../../contracts/kinds';
import { QUOTING_ENGINE, traitsOf } from '../../contracts/run/engines';
import { book, isSpent } from '../../core/budget/budget-ledger';
import { keepWarnings } from './carried-run';
import { MODEL_TURNS, UNTAKEN_TO_TELL } from './run-constants';
import { isRefusedRequest, isUnusableAnswer, usageTold } from './outages/step-failures';
import { askingModels } from './queues';
import type { Activity, Ask, AskModel, Perform, Run } from './run';

const QUOTED = 'it was done by quoting instead';

/**
 * Carries out steps that may ask a model. No call starts once the budget's limit is reached: the step is done by quoting then.
 * Calls under way go on, so a run may exceed its limit by these.
 */
export function createAsk({
  run,
  named,
  perform,
  pass,
}: {
  run: Run;
  named: (summary: string) => string;
  perform: Perform;
  pass: () => PassName;
}): { ask: Ask; askModel: AskModel } {
  const { carried } = run;
  const { asksModels } = traitsOf(run.input.engine);
  const onModelQueue = {
    ...askingModels(),
    scheduleToStartTimeout: run.input.outages?.queueMs ?? UNTAKEN_TO_TELL,
  } as const;

  async function askOnce<Input extends { run: RunFacts }, Result extends Spent>(
    activity: Activity<Input, Result>,
    request: Input,
    { name, turn }: { name: string; turn: number },
  ): Promise<Result> {
    try {
      const asked = asksModels ? { ...request, run: { ...request.run, turn } } : request;
      const result = await perform(activity, asked, { summary: name, ...(asksModels ? onModelQueue : {}) });
      carried.ledger = book(carried.ledger, pass(), result.usage);
      keepWarnings(carried, result.warnings);
      return result;
    } catch (error) {
      const used = usageTold(error);
      if (used !== null) carried.ledger = book(carried.ledger, pass(), used);
      throw error;
    }
  }

  const askModel: AskModel = async (activity, request, summary, instead) => {
    const name = named(summary);
    for (const turn of MODEL_TURNS) {
      if (asksModels && isSpent(carried.ledger)) {
        await run.warn({
          code: 'budget',
          message: `The budget is spent, so no model is asked for ${name}; ${instead}.`,
        });
        break;
      }
      try {
        return await askOnce(activity, request, { name, turn });
      } catch (error) {
        if (!asksModels) throw error;
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

  const ask: Ask = async (activity, request, summary, instead = QUOTED) => {
    const made = await askModel(activity, request, summary, instead);
    if (made !== null) return made;
    carried.quotedSteps += 1;
    const quoting = { ...request, run: { ...request.run, engine: QUOTING_ENGINE, models: null } };
    return run.carryOut(activity, quoting, `${summary} · without a model`);
  };
  return { ask, askModel };
}
