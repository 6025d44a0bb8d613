import type { Finding } from '../../../contracts/report/finding';
import { warningsOf } from '../answers/reading';
import type { AskedStep } from '../asked-step';
import type { Echoes } from '../grounding/echoes';
import type { HeldText } from './section-answer';
import type { SectionMaterial } from './section-material';
import type { BlockReading } from './section-text';
import type { SectionWriter } from './section-writer';

/** A step that writes on findings; its text is no `StepAnswer`, because it is read while it comes. */
export type AskedText<Input, Output> = Pick<AskedStep<Input, Output>, 'step' | 'prompt' | 'calls' | 'warn'>;

/** What differs between the texts that are written on findings. */
export interface TextForm<Input> {
  /** What it is called: `section`. */
  noun: string;
  findingsOf(input: Input): readonly Finding[];
  /** Those that the text has to tell, of all that it may. */
  wantedOf(input: Input): readonly Finding[];
  /** The input for some of its findings, with the conflicts that they stand in; `writer` has what stands by then. */
  partOf(input: Input, findings: Finding[], writer: TextWriter): Input;
  wordsOf(input: Input): number;
  limitsOf(input: Input): { temperature: number; maxOutputTokens: number };
  materialOf(input: Input, echoes: Echoes): SectionMaterial;
  /** Reads one answer's blocks, one after the other. */
  readerOf(input: Input, material: SectionMaterial, writer: TextWriter): BlockReader;
}

export type BlockReader = (block: string, context: { path: string; said: Set<string> }) => BlockReading;

/** A text as it grows, in one piece or in parts. */
export type TextWriter = Pick<SectionWriter, 'add' | 'covered' | 'said'> & {
  /** All that stands. */
  markdown(): string;
};

/** A text under way. */
export interface Writing<Input> {
  form: TextForm<Input>;
  prompt: AskedText<Input, unknown>['prompt'];
  calls: AskedText<Input, unknown>['calls'];
  warn: AskedText<Input, unknown>['warn'];
  writer: TextWriter;
  dropped: Set<string>;
}

/** Takes what was held as it is: without what is invalid in it. */
export function accept(writing: Pick<Writing<never>, 'writer' | 'warn'>, held: HeldText): void {
  writing.writer.add(held.output ?? []);
  writing.warn(...warningsOf(held.problems));
}
