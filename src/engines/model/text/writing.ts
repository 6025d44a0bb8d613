import { type Reading, warningsOf } from '../answers/reading';
import type { AskedStep } from '../asked-step';
import type { BlockReading, TextBlock } from './text-block';
import type { TextWriter } from './text-writer';

/** A step that writes a text; it is no `StepAnswer`, because it is read while it comes. */
export type AskedText<Input, Output> = Pick<AskedStep<Input, Output>, 'step' | 'prompt' | 'calls' | 'warn'>;

export type BlockReader = (block: string, context: { path: string; said: Set<string> }) => BlockReading;

export type HeldText = Reading<TextBlock[]>;

export type GrowingText = Pick<TextWriter, 'add' | 'said' | 'markdown'>;

export interface Writing {
  writer: GrowingText;
  warn: AskedText<unknown, unknown>['warn'];
}

/** Takes what was held as it is: without what is invalid in it. */
export function accept({ writer, warn }: Writing, held: HeldText): void {
  writer.add(held.output ?? []);
  warn(...warningsOf(held.problems));
}
