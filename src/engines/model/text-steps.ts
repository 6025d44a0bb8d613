import type { InputOf, OutputOf, StepName } from '../../steps/registry';
import type { StepProblem } from '../../steps/step';
import { runAnswer } from './written-text/run-answer';
import { runWriteText } from './written-text/run-write-text';
import type { AskedText } from './written-text/stream-text';

/** Steps whose text is taken as it comes; every other is read from a whole answer (`answers/`). */
export type TextStepName = Extract<StepName, 'write-text' | 'answer'>;

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
    run: runAnswer,
    unusable: { path: 'the answer', message: 'it cites none of the passages; cite them by number, as [1]' },
  },
};

/** How a step's text is taken; undefined for a step that is asked in another way, or not at all. */
export function textStepOf<Input, Output>(name: string): TextStep<Input, Output> | undefined {
  if (!Object.hasOwn(texts, name)) return undefined;
  // A step's name decides its input and its output, as the registry has them.
  return texts[name as TextStepName] as unknown as TextStep<Input, Output>;
}
