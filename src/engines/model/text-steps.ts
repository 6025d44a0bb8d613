import type { InputOf, OutputOf, StepName } from '../../steps/registry';
import type { StepProblem } from '../../steps/step';
import type { AskedStep } from './asked-step';
import { runReply } from './reply/run-reply';
import { runWriteText } from './written-text/run-write-text';

/** Steps whose text is taken as it comes; every other is read from a whole answer (`answers/`). */
export type TextStepName = Extract<StepName, 'write-text' | 'answer'>;

type AskedText<Input, Output> = Pick<AskedStep<Input, Output>, 'step' | 'prompt' | 'calls' | 'warn'>;

interface TextStep<Input, Output> {
  run(asked: AskedText<Input, Output>, input: Input, onText: (text: string) => void): Promise<Output>;
  unusable: StepProblem;
}

const texts: { [Name in TextStepName]: TextStep<InputOf<Name>, OutputOf<Name>> } = {
  'write-text': {
    run: runWriteText,
    unusable: { path: 'the text', message: 'it cites none of the sources; cite them as [S1]' },
  },
  answer: {
    run: runReply,
    unusable: {
      path: 'the answer',
      message: 'nothing of it was on what the passages say; write less, and cite every sentence',
    },
  },
};

/** How a step's text is taken; undefined for a step that is asked in another way, or not at all. */
export function textStepOf<Input, Output>(name: string): TextStep<Input, Output> | undefined {
  if (!Object.hasOwn(texts, name)) return undefined;
  // A step's name decides its input and its output, as the registry has them.
  return texts[name as TextStepName] as unknown as TextStep<Input, Output>;
}
