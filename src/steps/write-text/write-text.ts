import { z } from 'zod';
import { Conflict, Finding } from '../../contracts/report/finding';
import { SourceWindow } from '../../contracts/source/passage';
import { replaceMarks } from '../../core/text/citation-marks';
import { countWords } from '../../core/writing/shorten';
import { conflictsText, findingsText } from '../material/findings-text';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { findingShortIds, type ShortIds, sourceShortIds } from '../material/short-ids';
import { sourcesPrefix } from '../material/source-blocks';
import type { Step } from '../step';

const SectionPlan = z.object({ title: z.string(), description: z.string() });

/** The whole text, one section behind the text so far, or the opening and the end of a text that has its sections. */
const TextForm = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whole') }),
  z.object({
    kind: z.literal('section'),
    section: SectionPlan,
    findings: z.array(Finding),
    soFar: z.string(),
  }),
  z.object({ kind: z.literal('frame'), soFar: z.string() }),
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
    answerKind: z.string().optional(),
    tables: z.array(z.string()).optional(),
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
- Write as a good analyst writes for somebody who has to decide and will not read the sources: plain sentences, one thought after the other, in the language of the question. Compare the sources, weigh them and conclude from them; do not list what each of them says.
- Name who found what, in whom or where, and when, wherever it matters. Where a source reports another study, name that study. Tell disagreement where it belongs: "ACI reports 954 jobs per million passengers [S1]; an industry guide gives 2,000–4,000 without naming a study [S3]."
- Exact numbers, units and dates. You may calculate and compare; show how ("1.37 million ÷ 365 ≈ 3,750 a day").
- Each sentence that states something from the sources ends with the sources that say it, before its full stop: "… by 12 % [S1][S4]." A sentence that introduces, connects or concludes needs none. A table cites in its rows.
- A table only where four or more things are compared on the same criteria, in full words.
- No list of sources, links, images, HTML or remarks on confidence.`,
  },
  variables: writeTextVariables,
  check: () => [],
};

function writeTextVariables(input: WriteTextInput, mark: string): Record<string, string> {
  const ids = sourceShortIds(input.sources);
  return {
    mark,
    question: promptLine(input.question),
    sources: sourcesPrefix(mark, input.sources, ids),
    material: materialText(input, mark),
    task: taskOf(input),
  };
}

/** What is known besides the sources, about a page: the plan, parts of one work, disagreements, gaps; the text so far. */
function materialText(input: WriteTextInput, mark: string): string {
  const { plan, conflicts, gaps, works, form } = input;
  const ids = sourceShortIds(input.sources);
  const known = new Set(input.sources.map(({ sourceId }) => sourceId));
  const named = (of: readonly string[]): string =>
    of.flatMap((id) => (known.has(id) ? [ids.shortOf(id)] : [])).join(', ');
  const told = conflicts.filter(({ viewpoints }) =>
    viewpoints.every(({ evidence }) => evidence.every(({ sourceId }) => known.has(sourceId))),
  );
  const notes = [
    ...(plan.answerKind === undefined
      ? []
      : [`The question wants this kind of answer: ${promptLine(plan.answerKind)}`]),
    ...works
      .filter((work) => work.filter((id) => known.has(id)).length > 1)
      .map((work) => `Parts of one work, whose agreement confirms nothing: ${named(work)}`),
    ...(told.length === 0 ? [] : [`Disagreements found in the sources:\n${conflictsText(told, ids)}`]),
    ...(gaps.length === 0
      ? []
      : [
          `Questions that no source was found to answer:\n${gaps.map((gap) => `- ${promptLine(gap)}`).join('\n')}`,
        ]),
    ...(plan.tables ?? []).map((table) => `A comparison that may deserve a table: ${promptLine(table)}`),
    ...planNotes(input),
  ];
  return [
    ...(notes.length === 0 ? [] : [materialBlock(mark, 'notes', notes.join('\n'))]),
    ...(form.kind === 'section'
      ? [materialBlock(mark, 'findings', findingsText(form.findings, ids, findingShortIds(form.findings)))]
      : []),
    ...(form.kind === 'whole' || form.soFar === ''
      ? []
      : [materialBlock(mark, 'text so far', withShortIds(form.soFar, ids, known))]),
  ].join('\n\n');
}

/** A text with `[S1]` for the marks of these sources, and no mark of others. */
function withShortIds(text: string, ids: ShortIds, known: ReadonlySet<string>): string {
  return replaceMarks(text, (cited) =>
    cited.flatMap((id) => (known.has(id) ? [`[${ids.shortOf(id)}]`] : [])).join(''),
  );
}

function planNotes({ plan: { sections, isGiven }, form }: WriteTextInput): string[] {
  if (sections.length === 0) return [];
  const titles = sections.map(
    ({ title, description }) => `- ${promptLine(title)}: ${promptLine(description)}`,
  );
  const lead =
    form.kind === 'whole' && !isGiven
      ? 'An early plan of the sections, which you may better:'
      : 'The sections of the report, with these titles and in this order:';
  return [[lead, ...titles].join('\n')];
}

const SUMMARY = `a section "## Executive Summary" with three to five bullets. The first sentence is the answer: a verdict with the number or range that a reader can use, and how sure it is. The others give what carries it, what speaks against it, and what a reader should do with it. A bullet has one or two sentences.`;

const LIMITS = `a last section "## Limits and open questions": how independent the sources are, what is extrapolated; then under "### Information Gaps" a list of what the question needs and no source has. At most six points together.`;

function taskOf({ form, targetWords }: WriteTextInput): string {
  const words = `about ${targetWords} words`;
  if (form.kind === 'whole')
    return `Write a well-structured, cited report of ${words} that answers the question, in Markdown: a line "# " with a title of at most 12 words; ${SUMMARY} Then sections under "## " headings that a person would write, in prose; ${LIMITS}`;
  if (form.kind === 'section') {
    const { title, description } = form.section;
    return `Write the next section of the report, in Markdown, ${words}. It begins with the line "## ${promptLine(title)}" and covers: ${promptLine(description)} Use its findings and passages; say nothing again that the text so far says.`;
  }
  return `The sections of the report are written (${countWords(form.soFar)} words). Write its opening and its end, in Markdown, ${words}: a line "# " with a title of at most 12 words; ${SUMMARY} Then ${LIMITS} Say only what the sections say.`;
}
