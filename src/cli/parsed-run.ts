import { Command } from 'commander';
import type { RunKind } from '../contracts/run';
import type { AnswerOptions } from './answer-options';
import type { BriefOptions } from './brief-options';
import { defineAnswerCommand, defineBriefCommand, defineReportCommand } from './commands/writing';
import type { ReportOptions } from './report-options';

// The command of a run inside `schedule create`.

export type ParsedRun = { question: string } & (
  | { kind: 'report'; options: ReportOptions }
  | { kind: 'answer'; options: AnswerOptions }
  | { kind: 'brief'; options: BriefOptions }
);

const DEFINITIONS = { report: defineReportCommand, answer: defineAnswerCommand, brief: defineBriefCommand };

export function parseRunKind(word: string): RunKind | null {
  return Object.hasOwn(DEFINITIONS, word) ? (word as RunKind) : null;
}

/** Parses the words with the run's own command definition, so that messages are the same. */
export function parseRunCommand(outer: Command, kind: RunKind, words: readonly string[]): ParsedRun {
  const commands = new Command(outer.name()).copyInheritedSettings(outer);
  const read: ParsedRun[] = [];
  const command = DEFINITIONS[kind](commands).copyInheritedSettings(outer);
  command.action((question: string, options: unknown) => {
    read.push({ kind, question, options } as ParsedRun);
  });
  commands.parse([kind, ...words], { from: 'user' });
  const [parsed] = read;
  if (parsed === undefined) throw new Error(`the command ${kind} was not read`);
  return parsed;
}

/** Flags that a schedule cannot take: each of its runs has a generated id, and nobody waits for it. */
export function scheduleFlagProblems({ kind, options }: ParsedRun): string[] {
  const given: Partial<Record<'id' | 'again' | 'detach' | 'out' | 'html' | 'texts', unknown>> = {
    ...options,
  };
  return [
    ...(kind === 'brief' && options.sources !== undefined
      ? [
          '--sources is of no use here: a schedule reads the subtopics anew each time, with the texts that they give.',
        ]
      : []),
    ...(options.zotero === undefined
      ? []
      : [
          '--zotero is of no use here: workers read the sources of a schedule, and Zotero answers on your machine alone. Give its files with --sources.',
        ]),
    ...(given.id === undefined ? [] : ['--id is of no use here: each run is called NAME-DATE-TIME.']),
    ...(given.again === undefined ? [] : ['--again is of no use here: each run is one of its own.']),
    ...(given.detach === undefined
      ? []
      : ['--detach is of no use here: nobody waits for the runs of a schedule.']),
    ...(given.out === undefined
      ? []
      : ['--out is of no use here: the runs of a schedule write no files. "show ID" prints what one left.']),
    ...(given.html === false ? ['--no-html is of no use here: the runs of a schedule write no files.'] : []),
    ...(given.texts === undefined
      ? []
      : ['--texts is of no use here: the runs of a schedule write no files.']),
  ];
}
