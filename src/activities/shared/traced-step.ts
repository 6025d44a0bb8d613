import type { PinnedPrompt, PromptOrigin } from '../../contracts/run/prompts';
import { traitsOf } from '../../contracts/run/engines';
import type { ModelCall, StepResult } from '../../engines/engine';
import { notesOn } from '../../engines/failure-notes';
import type { Step } from '../../steps/step';
import type { StepSpan } from '../../tracing/traces';
import type { ActivityPorts, StepBrief } from './ports';
import { originOf } from './pinned-prompts';

/** Has a step carried out, and tells of it where traces are wanted; the step goes on as if nobody were told. */
export async function tracedStep<Input, Output>(
  { traces }: Pick<ActivityPorts, 'traces'>,
  run: StepBrief,
  asked: {
    step: Step<Input, Output>;
    input: Input;
    place: StepSpan['place'];
    prompt: PinnedPrompt | undefined;
  },
  carryOut: (listening: { onCall?: (call: ModelCall) => void }) => Promise<StepResult<Output>>,
): Promise<StepResult<Output>> {
  if (!traces.isOn) return carryOut({});
  const { step, input, place, prompt } = asked;
  const startedAt = Date.now();
  const calls: ModelCall[] = [];
  const tell = (ended: Pick<StepSpan, 'usage' | 'failure' | 'output'>): void => {
    const origin: PromptOrigin | null = traitsOf(run.engine).asksModels ? originOf(step, prompt) : null;
    const { name, version } = step;
    const { engine, turn = 0 } = run;
    traces.step(run, {
      step: { name, version },
      engine,
      place,
      turn,
      prompt: origin,
      startedAt,
      endedAt: Date.now(),
      calls,
      input,
      ...ended,
    });
  };
  try {
    const result = await carryOut({ onCall: (call) => calls.push(call) });
    tell({ usage: result.usage, failure: null, output: result.output });
    return result;
  } catch (error) {
    const notes = notesOn(error);
    const name = error instanceof Error ? error.name : 'unknown';
    const advice = notes?.advice ?? null;
    const kind = advice === null ? '' : `.${advice.kind}`;
    tell({ usage: notes?.spent ?? null, failure: `${name}${kind}`, output: undefined });
    throw error;
  }
}
