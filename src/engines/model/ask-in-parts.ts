import { StepFailedError } from '../step-failed-error';
import type { SmallerReason } from './answers/step-answer';
import type { AskedStep } from './asked-step';

/** An input is halved so often at most: 128 parts. */
const MAX_DEPTH = 7;
/**
 * A model that is cut off on a quarter of the input as well runs on whatever it is given. From then on what is whole of its
 * answers has to do, or one step would be asked for in a hundred parts.
 */
const MAX_CUT_OFF_DEPTH = 2;

export interface Depth {
  parted: number;
  cutOff: number;
}

export interface Troubles {
  count: number;
  dropped: number;
  /** Whether less to answer has been found to make the answers no shorter. */
  runsOn: boolean;
}

export type CarryOut<Input, Output> = (
  asked: AskedStep<Input, Output>,
  input: Input,
  depth: Depth,
  troubles: Troubles,
) => Promise<Output | null>;

/** What came of an input in parts, null for nothing; and null where it cannot be parted, or is not to be any more. */
export type InParts<Output> = (
  reason: SmallerReason,
  salvaged?: { output: Output; left: unknown },
) => Promise<{ output: Output | null } | null>;

export function askerInParts<Input, Output>(
  asked: AskedStep<Input, Output>,
  input: Input,
  { depth, troubles, carryOut }: { depth: Depth; troubles: Troubles; carryOut: CarryOut<Input, Output> },
): InParts<Output> {
  const { answer, calls } = asked;
  return async (reason, salvaged) => {
    if (reason === 'cut-off' && depth.cutOff >= MAX_CUT_OFF_DEPTH) troubles.runsOn = true;
    const isSecondTry = calls.turn > 0 && depth.parted > 0;
    const isDeep = depth.parted >= MAX_DEPTH || (reason === 'cut-off' && (troubles.runsOn || isSecondTry));
    if (isDeep) return null;
    // `left` is what the answer itself made of this input.
    const inputs = salvaged === undefined ? answer.smaller(input, reason) : [salvaged.left as Input];
    if (inputs.length === 0) return null;
    const parts: { input: Input; output: Output }[] = [];
    if (salvaged !== undefined) parts.push({ input, output: salvaged.output });
    // One after the other, so that what one teaches about the endpoint helps the next.
    const deeper = { parted: depth.parted + 1, cutOff: depth.cutOff + (reason === 'cut-off' ? 1 : 0) };
    let failure: StepFailedError | null = null;
    for (const part of inputs) {
      try {
        const output = await carryOut(asked, part, deeper, troubles);
        if (output !== null) parts.push({ input: part, output });
      } catch (error) {
        // What was wrong with it has been told; the other parts stand without it.
        if (!(error instanceof StepFailedError)) throw error;
        failure ??= error;
      }
    }
    // Where the others have nothing to say the failure is what came of the step.
    const saysNothing = parts.every(({ output }) => answer.isEmpty?.(output) === true);
    if (saysNothing && failure !== null) throw failure;
    return { output: parts.length === 0 ? null : answer.merge(input, parts) };
  };
}
