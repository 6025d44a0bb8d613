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
  targetWords: z.int().positive(),
  form: TextForm,
});
export type WriteTextInput = z.infer<typeof WriteTextInput>;

/** Harmless Markdown; citations are marks, `[@id]` or `[@id; @id]`. */
export const WriteTextOutput = z.object({ markdown: z.string().min(1) });
export type WriteTextOutput = z.infer<typeof WriteTextOutput>;

export const writeText: Step<WriteTextInput, WriteTextOutput, 'write-text'> = {
  name: 'write-text',
  version: '1',
  role: 'strong',
  input: WriteTextInput,
  output: WriteTextOutput,
  template: {
    system: READER_SYSTEM,
    user: `{{sources}}

{{material}}

A reader asks: {{question}}

{{task}}
- Write as you would for a colleague who has to decide and will not read the sources: full, natural sentences in the language of the question, nothing twice. Keep remarks on the material for the limits.
- Let the question decide the sections: each thing that it asks for (a cost, a cause, a procedure, a list) has its place under a heading that says so, for each option. Begin paragraphs that a reader looks up with a name in bold; use numbered steps for what is done in order.
- Explain why, weigh, and bring out what the sources show only together: the rule, and where it stops. Doubt a claim that says too much, with the reason. Say in words how sure something is where it matters, and of a number whether it was measured, simulated, forecast or only claimed.
- Give what a decision needs: what to do in which case, with the numbers behind it, what to watch, and what to do if it fails; mark it as your advice, and put its core into the summary.
- Name the people, studies, outlets and places that a source names, and not "the source" or "the report". Exact numbers, units and dates, each with its conditions; a "may" stays a "may". You may calculate, compare and conclude.
- Cite at each statement from a source, before its full stop: "… by 12 % [S1][S4]." Only sources that say it. Tables cite in their rows. Sentences that introduce, connect or conclude need no citation.
- No list of sources, links, images or HTML.`,
  },
  variables: writeTextVariables,
  check: () => [],
};

function writeTextVariables(input: WriteTextInput, mark: string): Record<string, string> {
  const ids = sourceShortIds(input.sources);
  return {
    mark,
    question: promptLine(input.question),
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
  const { conflicts, gaps, works, form } = input;
  const ids = sourceShortIds(input.sources);
  const known = new Set(input.sources.map(({ sourceId }) => sourceId));
  const named = (of: readonly string[]): string =>
    of.flatMap((id) => (known.has(id) ? [ids.shortOf(id)] : [])).join(', ');
  const told = conflicts.filter(({ viewpoints }) =>
    viewpoints.every(({ evidence }) => evidence.every(({ sourceId }) => known.has(sourceId))),
  );
  const notes = [
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

const SUMMARY = `an executive summary under "## Executive Summary", three to six bullets of one thought each, at most 40 words: the first answers the question outright, with the number or range where it asks for one, each of several things that it asks about has its own, and one says what to do;`;

const LIMITS = `last, under "## Limits and open questions", one paragraph on what limits the answer, and under "### Information Gaps" a list of what the question needs and no source has, at most six points together.`;

function taskOf({ form, targetWords }: WriteTextInput): string {
  if (form.kind === 'brief') return briefTask(form, targetWords);
  const words = `about ${targetWords} words`;
  if (form.kind === 'whole')
    return `Write a well-structured, cited report that answers this question from these sources, in Markdown: a title under "# "; ${SUMMARY} sections of ${words} together under "## " headings that a person would write, in prose, with a table where four or more things are compared on the same criteria; ${LIMITS}`;
  if (form.kind === 'section') {
    const { title, description } = form.section;
    return `Write the next section of the report, in Markdown, ${words}. It begins with the line "## ${promptLine(title)}" and covers: ${promptLine(description)} Use its findings and passages; say nothing again that the text so far says.`;
  }
  return `The sections of the report are written (${countWords(form.soFar)} words). Write its opening and its end, in Markdown, ${words}: a title under "# "; ${SUMMARY} ${LIMITS} Say only what the sections say.`;
}
