import { z } from 'zod';
import { Conflict, Finding } from '../../contracts/report/finding';
import { SourceWindow } from '../../contracts/source/passage';
import { countWords } from '../../core/writing/shorten';
import { conflictsText, findingsText } from '../material/findings-text';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { findingShortIds, sourceShortIds, withShortIds } from '../material/short-ids';
import { sourcesPrefix } from '../material/source-blocks';
import type { Step } from '../step';
import { BriefForm, briefTask, summariesText } from './brief-task';

const SectionPlan = z.object({ title: z.string(), description: z.string() });

/**
 * A whole report, one section behind the text so far, or the opening and the end of a report that has its sections; a brief, or
 * parts of one.
 */
const TextForm = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whole') }),
  z.object({
    kind: z.literal('section'),
    section: SectionPlan,
    findings: z.array(Finding),
    soFar: z.string(),
  }),
  z.object({ kind: z.literal('frame'), soFar: z.string() }),
  BriefForm,
]);
export type TextForm = z.infer<typeof TextForm>;

export const WriteTextInput = z.object({
  question: z.string(),
  /** Whole sources where they fit, else the passages on the section. */
  sources: z.array(SourceWindow),
  plan: z.object({
    sections: z.array(SectionPlan),
    /** True for a plan by a person, which is kept. */
    isGiven: z.boolean(),
  }),
  conflicts: z.array(Conflict),
  gaps: z.array(z.string()),
  /** Ids of sources that are parts of one work, a list a work. */
  works: z.array(z.array(z.string()).min(2)),
  /** How many sources of the run are not shown, as the plan found that they say nothing on the question. */
  leftOut: z.int().nonnegative().optional(),
  targetWords: z.int().positive(),
  form: TextForm,
});
export type WriteTextInput = z.infer<typeof WriteTextInput>;

/** Harmless Markdown; citations are marks, `[@id]` or `[@id; @id]`. */
export const WriteTextOutput = z.object({ markdown: z.string().min(1) });
export type WriteTextOutput = z.infer<typeof WriteTextOutput>;

export const writeText: Step<WriteTextInput, WriteTextOutput, 'write-text'> = {
  name: 'write-text',
  version: '2',
  role: 'strong',
  input: WriteTextInput,
  output: WriteTextOutput,
  template: {
    system: READER_SYSTEM,
    user: `{{sources}}

{{material}}

{{task}}
- Cite as [S1] at each statement that rests on a source, before its full stop, and in the rows of tables. What is your own (an introduction, a conclusion, a calculation, an assumption, advice, general knowledge where the sources lack what the question needs) needs no citation; the words show that it is yours.
- Name people, studies and outlets as the sources do, and the work that a source only retells, where it says which; [S1] stands for a source only in a citation.
- No list of sources, no links, images or HTML.`,
  },
  variables: writeTextVariables,
  check: () => [],
};

function writeTextVariables(input: WriteTextInput, mark: string): Record<string, string> {
  const ids = sourceShortIds(input.sources);
  return {
    mark,
    sources: sourcesPrefix(mark, shownSources(input), ids),
    material: materialText(input, mark),
    task: taskOf(input),
  };
}

/** The writer of a brief reads what sources say in the summaries, in their order, and here only what they are called. */
function shownSources({ sources, form }: WriteTextInput): SourceWindow[] {
  return form.kind === 'brief' ? sources.map((source) => ({ ...source, passages: [] })) : sources;
}

/** What is known besides the sources, about a page: the plan, parts of one work, disagreements, gaps; the text so far. */
function materialText(input: WriteTextInput, mark: string): string {
  const { conflicts, gaps, works, leftOut = 0, form } = input;
  const ids = sourceShortIds(input.sources);
  const known = new Set(input.sources.map(({ sourceId }) => sourceId));
  const named = (of: readonly string[]): string =>
    of.flatMap((id) => (known.has(id) ? [ids.shortOf(id)] : [])).join(', ');
  const told = conflicts.filter(({ viewpoints }) =>
    viewpoints.every(({ evidence }) => evidence.every(({ sourceId }) => known.has(sourceId))),
  );
  const notes = [
    ...(leftOut === 0 ? [] : [`${leftOut} more sources were read and say nothing on the question.`]),
    ...works
      .filter((work) => work.filter((id) => known.has(id)).length > 1)
      .map((work) => `Parts of one work, whose agreement confirms nothing: ${named(work)}`),
    ...(told.length === 0 ? [] : [`Disagreements found in the sources:\n${conflictsText(told, ids)}`]),
    ...(gaps.length === 0
      ? []
      : [
          `Questions that no source was found to answer:\n${gaps.map((gap) => `- ${promptLine(gap)}`).join('\n')}`,
        ]),
    ...planNotes(input),
  ];
  const summaries = form.kind === 'brief' ? summariesText(form.summaries, input.sources, ids) : '';
  return [
    ...(summaries === '' ? [] : [materialBlock(mark, 'summaries', summaries)]),
    ...(notes.length === 0 ? [] : [materialBlock(mark, 'notes', notes.join('\n'))]),
    ...(form.kind === 'section'
      ? [materialBlock(mark, 'findings', findingsText(form.findings, ids, findingShortIds(form.findings)))]
      : []),
    ...(form.kind === 'whole' || form.soFar === ''
      ? []
      : [materialBlock(mark, 'text so far', withShortIds(form.soFar, ids, input.sources))]),
  ].join('\n\n');
}

/** A writer of a whole text plans it, unless a person has. */
function planNotes({ plan: { sections, isGiven }, form }: WriteTextInput): string[] {
  if (sections.length === 0 || (form.kind === 'whole' && !isGiven)) return [];
  const titles = sections.map(
    ({ title, description }) => `- ${promptLine(title)}: ${promptLine(description)}`,
  );
  return [['The sections of the report, with these titles and in this order:', ...titles].join('\n')];
}

const SUMMARY = `a title under "# "; then "## Executive Summary", the answer itself for a reader in a hurry, its core first;`;

const LIMITS = `last, "## Limits and open questions": a short paragraph on how far the answer can be relied on, and under "### Information Gaps" a short list of what the question needs and no source has.`;

/** The request that a user would type; a strong model writes best when it is told least. */
function taskOf({ form, targetWords, question }: WriteTextInput): string {
  const asked = `Question: ${promptLine(question)}`;
  if (form.kind === 'brief') return `${briefTask(form, targetWords)}\n\n${asked}\n`;
  const words = `about ${targetWords} words`;
  if (form.kind === 'whole')
    return `Write a well-structured, cited report of ${words} that answers this question from these sources, in Markdown and in the language of the question.

${asked}

The report has ${SUMMARY} then its sections under "## " headings, as the question needs them; ${LIMITS}`;
  if (form.kind === 'section') {
    const { title, description } = form.section;
    return `A well-structured, cited report answers this question from these sources, in Markdown and in the language of the question. Write its next section, ${words}.

${asked}

The section begins with the line "## ${promptLine(title)}" and covers: ${promptLine(description)} Use its findings and passages; say nothing again that the text so far says.`;
  }
  return `The sections of a report that answers this question are written (${countWords(form.soFar)} words). Write its opening and its end, in Markdown, ${words}.

${asked}

They are ${SUMMARY} and ${LIMITS} Say only what the sections say.`;
}
