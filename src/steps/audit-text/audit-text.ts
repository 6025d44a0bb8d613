import { z } from 'zod';
import { AuditedStatement, TextNote } from '../../contracts/report/written-text';
import { SourceId } from '../../contracts/source/source';
import { SourceWindow } from '../../contracts/source/passage';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { type ShortIds, shortIds, sourceShortIds, withShortIds } from '../material/short-ids';
import { sourcesPrefix } from '../material/source-blocks';
import type { Step, StepProblem } from '../step';

const StatementToAudit = z.object({
  id: z.string(),
  /** The title of its part. */
  part: z.string(),
  /** With citation marks. */
  text: z.string(),
  sourceIds: z.array(SourceId),
  /** False for a sentence that is only shown, because its paragraph was changed. */
  isAsked: z.boolean(),
  /** Where the critic should look; decides nothing. */
  noticed: z.string().optional(),
});

export const AuditTextInput = z.object({
  /** Empty where it is not known. */
  question: z.string(),
  /** Whole sources where they fit, else the passages around what the statements cite. */
  sources: z.array(SourceWindow),
  /** In order of the text. */
  statements: z.array(StatementToAudit),
  /** Ids of sources that are parts of one work, a list a work. */
  works: z.array(z.array(z.string()).min(2)),
  /** True if faults of the whole text are wanted too. */
  asksNotes: z.boolean(),
});
export type AuditTextInput = z.infer<typeof AuditTextInput>;

export const AuditTextOutput = z.object({ verdicts: z.array(AuditedStatement), notes: z.array(TextNote) });
export type AuditTextOutput = z.infer<typeof AuditTextOutput>;

/** Holds each statement of a text against the sources that it cites. */
export const auditText: Step<AuditTextInput, AuditTextOutput, 'audit-text'> = {
  name: 'audit-text',
  version: '2',
  role: 'critic',
  input: AuditTextInput,
  output: AuditTextOutput,
  template: {
    system: READER_SYSTEM,
    user: `{{sources}}

{{works}}{{statements}}

These are the numbered sentences of a text that answers: {{question}}
You audit them against the sources. You are exact and fair: another wording of the same is supported, and a good conclusion is welcome. You look for what is really wrong: a figure, name, group, place or time of something else; a cause, a comparison, a trend or an "all, only, most, none" that no source has; two results put together that do not belong together; a relation the wrong way round.

For each sentence, except those marked "(context)", give one verdict:
- "supported": the sources that it cites say it, in the same or in other words. Several may each say a part. Title, author, site and date of a source are evidence too.
- "inference": no source says it, and it follows from what is cited, or from what stands around it: a comparison, a calculation, a judgement, a sentence that introduces or connects. What the text openly gives as its own (advice, an assumption, an example with supposed numbers) is one too, unless the sources speak against it.
- "overstated": the sources say less: fewer cases, less sure, another group, or only a part of it.
- "contradicted": the sources say otherwise.
- "unsupported": the sources do not say it, and it does not follow.
"severity": "wrong" where a reader would learn something false, or would decide otherwise: a number, a comparison, a cause, the strength of an answer; "wording" for everything that is only loosely put. For "supported" and "inference" write "wording".
"quotes": for each source that bears the sentence, bears what it follows from, or says otherwise, 4 to 15 words copied exactly from it; the best first. Without one a sentence that cites sources counts as unchecked; a sentence that cites nothing and only connects needs none.
"without": the sources that it cites and that say nothing of it; mostly none.
"calculation": where a number of the sentence is reckoned, the sum in digits with its result, such as "250000 * 0.0114 = 2850", from numbers as the sources write them; else "".
"reason": at most 25 words for a rejection: what the sources say instead, without names such as T1; else "".
Read the cells of a table row one by one. "(noticed: …)" comes from comparing words: look there, and judge by what is meant.
{{notes}}

Answer with a JSON object {"verdicts": [{"sentence": "T…", "verdict": "…", "severity": "wording", "quotes": [{"source": "S…", "quote": "…"}], "without": [], "calculation": "", "reason": ""}], "notes": [{"kind": "omission", "text": "…", "sentences": ["T…"]}]}.`,
  },
  variables(input, mark) {
    const ids = sourceShortIds(input.sources);
    return {
      mark,
      question: input.question === '' ? '(a question that is not given)' : promptLine(input.question),
      sources: sourcesPrefix(mark, input.sources, ids),
      works: worksText(input.works, ids, known(input.sources)),
      statements: materialBlock(mark, 'sentences', statementLines(input, ids)),
      notes: input.asksNotes ? NOTES : 'Leave "notes" empty.',
    };
  },
  check(input, { verdicts }): StepProblem[] {
    const known = new Set(input.statements.map(({ id }) => id));
    return verdicts.flatMap(({ id }, at) =>
      known.has(id) ? [] : [{ path: `verdicts.${at}`, message: 'it is on none of the sentences' }],
    );
  },
};

const NOTES = `"notes": at most three faults of the text as a whole, and mostly none: an important finding or caution of the sources that the text leaves out ("omission"); sentences that contradict each other ("contradiction"); advice of the sources that the text departs from without saying so ("departure"). Each with what to say in at most 30 words, and the sentences to change for it.`;

/** A line for each work of which several sources are given; ends with an empty line. */
export function worksText(
  works: readonly (readonly string[])[],
  ids: ShortIds,
  isKnown: (id: string) => boolean,
): string {
  const lines = works
    .map((work) => work.filter(isKnown).map((id) => ids.shortOf(id)))
    .filter((names) => names.length > 1)
    .map((names) => `Parts of one work, whose agreement confirms nothing: ${names.join(', ')}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

function known(sources: readonly { sourceId: string }[]): (id: string) => boolean {
  const ids = new Set(sources.map(({ sourceId }) => sourceId));
  return (id) => ids.has(id);
}

/** `T1` and so on, in the order of the statements. */
export function statementShortIds({ statements }: { statements: readonly { id: string }[] }): ShortIds {
  return shortIds(
    'T',
    statements.map(({ id }) => id),
  );
}

function statementLines(input: AuditTextInput, sources: ShortIds): string {
  const ids = statementShortIds(input);
  let part = '';
  return input.statements
    .flatMap(({ id, part: own, text, isAsked, noticed }) => {
      const heading = own === part ? [] : [`[${promptLine(own)}]`];
      part = own;
      const marked = withShortIds(text, sources, input.sources);
      const name = isAsked ? ids.shortOf(id) : '(context)';
      const remark = noticed === undefined ? '' : ` (noticed: ${promptLine(noticed)})`;
      return [...heading, `${name}: ${promptLine(marked)}${remark}`];
    })
    .join('\n');
}
