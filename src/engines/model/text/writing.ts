import type { Finding } from '../../../contracts/report/finding';
import { type Reading, warningsOf } from '../answers/reading';
import type { AskedStep } from '../asked-step';
import type { CitedMaterial } from './cited-material';
import type { BlockReading, TextBlock } from './text-block';
import type { TextWriter } from './text-writer';

/** A step that writes a text; it is no `StepAnswer`, because it is read while it comes. */
export type AskedText<Input, Output> = Pick<AskedStep<Input, Output>, 'step' | 'prompt' | 'calls' | 'warn'>;

export interface TextForm<Input> {
  /** What it is called: `section`. */
  noun: string;
  findingsOf(input: Input): readonly Finding[];
  /** Those that the text has to tell, of all that it may. */
  wantedOf(input: Input): readonly Finding[];
  /** The input for some of its findings, with the conflicts that they stand in. */
  partOf(input: Input, findings: Finding[]): Input;
  /** What is left to write where a text was cut off that has not told of these; without it, the input for them. */
  restOf?(input: Input, untold: Finding[]): Input;
  wordsOf(input: Input): number;
  outputTokensOf(input: Input): number;
  materialOf(input: Input): CitedMaterial;
  readerOf(input: Input, material: CitedMaterial, writer: GrowingText): BlockReader;
}

export type BlockReader = (block: string, context: { path: string; said: Set<string> }) => BlockReading;

export type GrowingText = Pick<TextWriter, 'add' | 'covered' | 'said' | 'markdown'>;

export interface Writing<Input> {
  form: TextForm<Input>;
  prompt: AskedText<Input, unknown>['prompt'];
  calls: AskedText<Input, unknown>['calls'];
  warn: AskedText<Input, unknown>['warn'];
  writer: GrowingText;
  dropped: Set<string>;
}

export type HeldText = Reading<TextBlock[]>;

/** Takes what was held as it is: without what is invalid in it. */
export function accept(writing: Pick<Writing<never>, 'writer' | 'warn'>, held: HeldText): void {
  writing.writer.add(held.output ?? []);
  writing.warn(...warningsOf(held.problems));
}
