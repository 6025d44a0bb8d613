import { z } from 'zod';
import { SourceId } from '../../contracts/source/source';
import type { SourceWindow } from '../../contracts/source/passage';
import { promptLine } from '../material/material-block';
import type { ShortIds } from '../material/short-ids';

/** A part of a brief, as its template asks for it. */
const BriefTextPart = z.object({
  heading: z.string(),
  instruction: z.string(),
  words: z.int().positive(),
});
export type BriefTextPart = z.infer<typeof BriefTextPart>;

/** A summary that a brief is written from: its statements by paragraph, in their order. */
const BriefSummary = z.object({
  title: z.string(),
  paragraphs: z.array(z.array(z.object({ text: z.string(), sourceIds: z.array(SourceId) }))),
});
export type BriefSummary = z.infer<typeof BriefSummary>;

/** A whole brief (document 000), or the next parts of one behind the text so far. */
export const BriefForm = z.object({
  kind: z.literal('brief'),
  /** The parts to write, in the template's order. */
  parts: z.array(BriefTextPart).min(1),
  /** The headings of the whole brief; those of `parts` are among them. */
  headings: z.array(z.string()),
  /** What the sources' passages say, as the summaries tell it. */
  summaries: z.array(BriefSummary),
  /** Empty where nothing is written yet. */
  soFar: z.string(),
  /** True where the title is written with them. */
  asksTitle: z.boolean(),
});
export type BriefForm = z.infer<typeof BriefForm>;

const RULES = `- The summaries are all that is known of the sources. Behind each of their sentences stand the sources that it rests on; a sentence may lean on the one before it.
- Cite every factual claim. Do not invent anything that the sources do not say: where they say little, write little.
- Keep specifics: figures, units, dates, names, conditions and every "may" or "only" stand as the sources have them. Prefer specific data points over vague statements.
- Where sources disagree, say so, and give both sides, each with its own citations.
- Use exactly the headings above and no others, and write paragraphs under them.`;

export function briefTask({ parts, headings, soFar, asksTitle }: BriefForm, targetWords: number): string {
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
${RULES}`;
  const all = headings.map((heading) => `"${promptLine(heading)}"`).join(', ');
  return `Write a part of a brief that answers this question from these sources, in Markdown, ${words}. The parts of the brief are ${all}.${title} Write this part alone, under exactly this heading:
${wanted}
${RULES}
- Say nothing again that the text so far says. A summary or a conclusion may point at it, in other words.`;
}

/** What is wanted of a part where its template does not say otherwise (document 000). */
export function wantedOf(partId: string, instruction: string): string {
  if (instruction.trim() !== '') return instruction;
  if (partId === 'summary') return SUMMARY;
  return partId === 'conclusions' ? CONCLUSIONS : SUBTOPIC;
}

const SUMMARY =
  'Two to three paragraphs: the most important findings across all subtopics, the answer to the question first. A reader should understand the key takeaways from this part alone.';
const SUBTOPIC =
  'A detailed analysis of this subtopic, from the general to the particular. Integrate what other subtopics say of the same matter.';
const CONCLUSIONS =
  'One to two paragraphs: what follows from the findings together, as insights or recommendations that a reader can act on.';

/** The summaries, each sentence with its sources behind it; without those that no passage of the sources has. */
export function summariesText(
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
