import { ApplicationFailure, defineSignal, setHandler } from '@temporalio/workflow';
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { argumentProblems, toldProblems } from './input/start-problems';
import type { JsonSchema } from '../../core/shapes/json-schema';
import { MESSAGE_REFUSED } from './messages';

// The one place that lets messages in: whatever anybody sends is held against what the message takes, the whole of its
// arguments, before anything of a run sees it. Lint keeps the SDK's own registration out of every other file. Signals of other
// names are left to the SDK, which keeps them aside: a default handler of ours would have it fail the task at reserved names.

export const NO_ARGUMENT: readonly JsonSchema[] = [];

export interface SignalDoor {
  admit(): void;
  refused(reason: string): void;
}

/** Has signals of a name taken: with the arguments of the schemas, or, where it says all by its name, without any. */
export function takeSignal<Arguments extends unknown[]>(
  { name }: SignalDefinition<Arguments>,
  schemas: readonly JsonSchema[],
  door: SignalDoor,
  take: (...given: Arguments) => void,
  { mayBeBare = false } = {},
): void {
  setHandler(defineSignal<unknown[]>(name), (...given: unknown[]) => {
    door.admit();
    const problems = mayBeBare && given.length === 0 ? [] : argumentProblems(schemas, given);
    if (problems.length > 0) door.refused(`A signal was refused: ${notAsItHasToBe(name, problems)}`);
    else take(...(given as Arguments)); // as the schemas have it
  });
}

export function answerQuery<Answer>(definition: QueryDefinition<Answer>, answer: () => Answer): void {
  setHandler(definition, (...given: unknown[]) => {
    refuseUnfit(definition.name, NO_ARGUMENT, given);
    return answer();
  });
}

/** Has updates of a name taken; `mayCome` throws where one cannot be taken now. */
export function takeUpdate<Result, Arguments extends unknown[]>(
  definition: UpdateDefinition<Result, Arguments>,
  schemas: readonly JsonSchema[],
  take: (...given: Arguments) => Promise<Result>,
  mayCome: (...given: Arguments) => void = () => undefined,
): void {
  setHandler(definition, take, {
    validator: (...given: unknown[]) => {
      refuseUnfit(definition.name, schemas, given);
      mayCome(...(given as Arguments)); // as the schemas have it
    },
  });
}

export function refused(reason: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(reason, MESSAGE_REFUSED);
}

function refuseUnfit(name: string, schemas: readonly JsonSchema[], given: readonly unknown[]): void {
  const problems = argumentProblems(schemas, given);
  if (problems.length > 0) throw refused(notAsItHasToBe(name, problems));
}

function notAsItHasToBe(name: string, problems: readonly string[]): string {
  return `${name} is not as it has to be: ${toldProblems(problems).join('; ')}.`;
}
