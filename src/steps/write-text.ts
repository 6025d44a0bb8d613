import { z } from 'zod';
import { Conflict, Finding } from '../contracts/finding';
import { SourceId, SourceWindow } from '../contracts/source';
import { confidenceWord, conflictReason } from '../evidence/corroboration';
import { countWords } from '../report/attribution';
import {
  findingShortIds,
  materialBlock,
  promptLine,
  READER_SYSTEM,
  type ShortIds,
  sourceShortIds,
  sourcesPrefix,
  withShortIds,
} from './material';
import type { Step } from './step';

const BriefTextPart = z.object({
  heading: z.string(),
  instruction: z.string(),
  words: z.int().positive(),
});
export type BriefTextPart = z.infer<typeof BriefTextPart>;

const BriefSummary = z.object({
  title: z.string(),
  paragraphs: z.array(z.array(z.object({ text: z.string(), sourceIds: z.array(SourceId) }))),
});
export type BriefSummary = z.infer<typeof BriefSummary>;

/** A whole brief (document 000), or its next parts after `soFar`. */
export const BriefForm = z.object({
  kind: z.literal('brief'),
  parts: z.array(BriefTextPart).min(1),
  /** All headings of the brief, including those of `parts`. */
  headings: z.array(z.string()),
  summaries: z.array(BriefSummary),
  /** Empty at the beginning. */
  soFar: z.string(),
  asksTitle: z.boolean(),
});
export type BriefForm = z.infer<typeof BriefForm>;

const BRIEF_RULES = `- The summaries are all that is known of the sources. Behind each of their sentences stand the sources that it rests on; a sentence may lean on the one before it.
- Cite every factual claim. Do not invent anything that the sources do not say: where they say little, write little.
- Keep specifics: figures, units, dates, names, conditions and every "may" or "only" stand as the sources have them. Prefer specific data points over vague statements.
- Where sources disagree, say so, and give both sides, each with its own citations.
- Use exactly the headings above and no others, and write paragraphs under them.`;

function briefTask({ parts, headings, soFar, asksTitle }: BriefForm, targetWords: number): string {
  const words = `about ${targetWords} words`;
  const wanted = parts
    .map(
      (part) =>
        `## ${promptLine(part.heading)}\n(${promptLine(part.instruction)} About ${part.words} words.)`,
    )
    .join('\n');
  const title = asksTitle ? ` Begin with a line "# " and a title of the brief, of at most 12 words.` : '';
  if (soFar === '' && parts.length === headings.length)
    return `Write a well-structured, cited brief of ${words} that answers this question from these sources, in Markdown.${title} Write these parts, in this order, each under exactly this heading:
${wanted}
${BRIEF_RULES}`;
  const all = headings.map((heading) => `"${promptLine(heading)}"`).join(', ');
  return `Write a part of a brief that answers this question from these sources, in Markdown, ${words}. The parts of the brief are ${all}.${title} Write this part alone, under exactly this heading:
${wanted}
${BRIEF_RULES}
- Say nothing again that the text so far says. A summary or a conclusion may point at it, in other words.`;
}

/** Default instructions of document 000. */
export function partInstruction(partId: string, instruction: string): string {
  if (instruction.trim() !== '') return instruction;
  if (partId === 'summary') return BRIEF_SUMMARY_INSTRUCTION;
  return partId === 'conclusions' ? CONCLUSIONS_INSTRUCTION : SUBTOPIC_INSTRUCTION;
}

const BRIEF_SUMMARY_INSTRUCTION =
  'Two to three paragraphs: the most important findings across all subtopics, the answer to the question first. A reader should understand the key takeaways from this part alone.';
const SUBTOPIC_INSTRUCTION =
  'A detailed analysis of this subtopic, from the general to the particular. Integrate what other subtopics say of the same matter.';
const CONCLUSIONS_INSTRUCTION =
  'One to two paragraphs: what follows from the findings together, as insights or recommendations that a reader can act on.';

function summariesText(
  summaries: readonly BriefSummary[],
  sources: readonly SourceWindow[],
  ids: ShortIds,
): string {
  const given = new Set(
    sources.flatMap(({ sourceId, passages }) => passages.map(({ text }) => `${sourceId} ${text}`)),
  );
  return summaries
    .flatMap(({ title, paragraphs }) => {
      const lines = paragraphs.flatMap((paragraph) => {
        const sentences = paragraph.flatMap(({ text, sourceIds }) => {
          const cited = sourceIds.filter((id) => given.has(`${id} ${text}`));
          const marks = cited.map((id) => `[${ids.shortOf(id)}]`).join('');
          return cited.length === 0 ? [] : [`${promptLine(text)} ${marks}`];
        });
        return sentences.length === 0 ? [] : [sentences.join(' ')];
      });
      return lines.length === 0 ? [] : [`[${promptLine(title)}]\n${lines.join('\n')}`];
    })
    .join('\n\n');
}

/** For example `F1 (High confidence; as reported by Doe; about small airports): …`. */
export function findingsText(findings: readonly Finding[], sources: ShortIds, ids: ShortIds): string {
  return findings
    .map(({ id, confidence, claim, evidence, attributedTo, about }) => {
      const said = promptLine(claim);
      const quotes = evidence.map(
        ({ sourceId, quote }) => `${sources.shortOf(sourceId)}: “${promptLine(quote)}”`,
      );
      const isQuote = said === promptLine(evidence[0]?.quote ?? '');
      const [first, ...others] = isQuote ? quotes : [said, ...quotes];
      const facts = [
        `${confidenceWord(confidence)} confidence`,
        ...(attributedTo === undefined ? [] : [`as reported by ${promptLine(attributedTo)}`]),
        ...(about === undefined ? [] : [`about ${promptLine(about)}`]),
      ].join('; ');
      const opening = `${ids.shortOf(id)} (${facts}): ${first ?? said}`;
      return [opening, ...others.map((quote) => `  ${quote}`)].join('\n');
    })
    .join('\n');
}

function conflictsText(conflicts: readonly Conflict[], sources: ShortIds): string {
  if (conflicts.length === 0) return 'none';
  return conflicts
    .map((conflict) => {
      const views = conflict.viewpoints.map((viewpoint, index) => {
        const quotes = viewpoint.evidence.map(
          (evidence) => `${sources.shortOf(evidence.sourceId)}: “${promptLine(evidence.quote)}”`,
        );
        return `  view ${index + 1}: ${quotes.join('; ')}`;
      });
      return [`- ${promptLine(conflict.topic)} (${promptLine(conflictReason(conflict))})`, ...views].join(
        '\n',
      );
    })
    .join('\n');
}

const SectionPlan = z.object({ title: z.string(), description: z.string() });

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
  /** Whole sources if they fit, else the section's passages. */
  sources: z.array(SourceWindow),
  plan: z.object({
    sections: z.array(SectionPlan),
    /** True for a person's plan, which must be kept. */
    isGiven: z.boolean(),
  }),
  conflicts: z.array(Conflict),
  gaps: z.array(z.string()),
  /** Each list holds the ids of sources that are parts of one work. */
  works: z.array(z.array(z.string()).min(2)),
  leftOut: z.int().nonnegative().optional(),
  targetWords: z.int().positive(),
  form: TextForm,
});
export type WriteTextInput = z.infer<typeof WriteTextInput>;

/** Sanitised Markdown with citation marks `[@id]` or `[@id; @id]`. */
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
    sources: sourcesPrefix(mark, promptSources(input), ids),
    material: materialText(input, mark),
    task: textTask(input),
  };
}

/** The writer of a brief reads the summaries, so sources are given without passages. */
function promptSources({ sources, form }: WriteTextInput): SourceWindow[] {
  return form.kind === 'brief' ? sources.map((source) => ({ ...source, passages: [] })) : sources;
}

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

function planNotes({ plan: { sections, isGiven }, form }: WriteTextInput): string[] {
  if (sections.length === 0 || (form.kind === 'whole' && !isGiven)) return [];
  const titles = sections.map(
    ({ title, description }) => `- ${promptLine(title)}: ${promptLine(description)}`,
  );
  return [['The sections of the report, with these titles and in this order:', ...titles].join('\n')];
}

const SUMMARY_INSTRUCTION = `a title under "# "; then "## Executive Summary", the answer itself for a reader in a hurry, its core first;`;

const LIMITS_INSTRUCTION = `last, "## Limits and open questions": a short paragraph on how far the answer can be relied on, and under "### Information Gaps" a short list of what the question needs and no source has.`;

/** Strong models write best with few instructions. */
function textTask({ form, targetWords, question }: WriteTextInput): string {
  const asked = `Question: ${promptLine(question)}`;
  if (form.kind === 'brief') return `${briefTask(form, targetWords)}\n\n${asked}\n`;
  const words = `about ${targetWords} words`;
  if (form.kind === 'whole')
    return `Write a well-structured, cited report of ${words} that answers this question from these sources, in Markdown and in the language of the question.

${asked}

The report has ${SUMMARY_INSTRUCTION} then its sections under "## " headings, as the question needs them; ${LIMITS_INSTRUCTION}`;
  if (form.kind === 'section') {
    const { title, description } = form.section;
    return `A well-structured, cited report answers this question from these sources, in Markdown and in the language of the question. Write its next section, ${words}.

${asked}

The section begins with the line "## ${promptLine(title)}" and covers: ${promptLine(description)} Use its findings and passages; say nothing again that the text so far says.`;
  }
  return `The sections of a report that answers this question are written (${countWords(form.soFar)} words). Write its opening and its end, in Markdown, ${words}.

${asked}

They are ${SUMMARY_INSTRUCTION} and ${LIMITS_INSTRUCTION} Say only what the sections say.`;
}
