import { z } from 'zod';
import { AuditedStatement, TextNote } from '../contracts/draft';
import { SourceId, SourceWindow } from '../contracts/source';
import { replaceMarks } from '../lib/citation-marks';
import {
  materialBlock,
  promptLine,
  READER_SYSTEM,
  type ShortIds,
  shortIds,
  sourceBlocks,
  sourceShortIds,
  sourcesPrefix,
  withShortIds,
} from './material';
import type { Step, StepProblem } from './step';

const StatementToAudit = z.object({
  id: z.string(),
  part: z.string(),
  text: z.string(),
  sourceIds: z.array(SourceId),
  /** False for context sentences of a changed paragraph. */
  isAsked: z.boolean(),
  /** A hint for the critic, without effect on the verdict. */
  noticed: z.string().optional(),
});

export const AuditTextInput = z.object({
  /** Empty if unknown. */
  question: z.string(),
  /** Whole sources if they fit, else the passages around the citations. */
  sources: z.array(SourceWindow),
  statements: z.array(StatementToAudit),
  /** Each list holds the ids of sources that are parts of one work. */
  works: z.array(z.array(z.string()).min(2)),
  /** True to ask for faults of the whole text too. */
  asksNotes: z.boolean(),
});
export type AuditTextInput = z.infer<typeof AuditTextInput>;

export const AuditTextOutput = z.object({ verdicts: z.array(AuditedStatement), notes: z.array(TextNote) });
export type AuditTextOutput = z.infer<typeof AuditTextOutput>;

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
      works: worksText(input.works, ids, sourceIdFilter(input.sources)),
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

function sourceIdFilter(sources: readonly { sourceId: string }[]): (id: string) => boolean {
  const ids = new Set(sources.map(({ sourceId }) => sourceId));
  return (id) => ids.has(id);
}

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

const Fault = z.object({
  statementIds: z.array(z.string()).min(1),
  reason: z.string(),
  /** True if missing content is to be added. */
  mayGrow: z.boolean(),
  /** True if the sentence only slightly overstates. */
  isWording: z.boolean().optional(),
});

export const MendTextInput = z.object({
  question: z.string(),
  sources: z.array(SourceWindow),
  statements: z.array(z.object({ id: z.string(), part: z.string(), block: z.int(), text: z.string() })),
  faults: z.array(Fault).min(1),
});
export type MendTextInput = z.infer<typeof MendTextInput>;

export const MendTextOutput = z.object({
  /** `text` has citation marks; empty deletes the sentence. */
  edits: z.array(z.object({ statementId: z.string(), text: z.string() })),
});
export type MendTextOutput = z.infer<typeof MendTextOutput>;

export const mendText: Step<MendTextInput, MendTextOutput, 'mend-text'> = {
  name: 'mend-text',
  version: '2',
  role: 'strong',
  input: MendTextInput,
  output: MendTextOutput,
  template: {
    system: READER_SYSTEM,
    user: `{{sources}}

{{statements}}

{{faults}}

You wrote a text that answers: {{question}}
Above are the paragraphs in which a reviewer found faults, sentence by sentence, and the faults. Mend only the sentences named in them, and the sentence right behind one where it refers to what is gone. Each other sentence stays as it is, byte for byte.
- Delete a sentence that the text does not need: give "" as its text. Else say what the sources say, as firmly as they allow, in a plain sentence about as long as the old one, without a word on what was wrong before. Where something is missing, add a sentence.
- Read the paragraph with the new sentence: what refers to the sentence before still has to refer to it.
- A sentence in a table row is the whole row, with its bars. A sentence of a list has no marker.
- Cite as before, [S1] before the full stop, only sources that say it.

Answer with a JSON object {"edits": [{"sentence": "T…", "text": "…"}]}, an edit for each sentence that changes.`,
  },
  variables(input, mark) {
    const ids = sourceShortIds(input.sources);
    return {
      mark,
      question: promptLine(input.question),
      sources: sourceBlocks(mark, input.sources, ids),
      statements: materialBlock(mark, 'paragraphs', paragraphs(input, ids)),
      faults: materialBlock(mark, 'faults', faultLines(input, ids)),
    };
  },
  check: () => [],
};

function paragraphs(input: MendTextInput, sources: ShortIds): string {
  const ids = statementShortIds(input);
  let place = '';
  return input.statements
    .flatMap(({ id, part, block, text }) => {
      const own = `${part} ${block}`;
      const heading = own === place ? [] : ['', `[${promptLine(part)}]`];
      place = own;
      const marked = withShortIds(text, sources, input.sources);
      return [...heading, `${ids.shortOf(id)}: ${promptLine(marked)}`];
    })
    .join('\n')
    .trim();
}

function faultLines(input: MendTextInput, sources: ShortIds): string {
  const ids = statementShortIds(input);
  const known = new Set(input.sources.map(({ sourceId }) => sourceId));
  return input.faults
    .map(({ statementIds, reason, mayGrow, isWording = false }) => {
      const names = statementIds.map((id) => ids.shortOf(id)).join(', ');
      const said = replaceMarks(reason, (cited) =>
        cited.map((id) => (known.has(id) ? sources.shortOf(id) : 'another source')).join(', '),
      );
      return `- ${names}: ${promptLine(said)}${mayGrow ? ' (the text may grow for it)' : ''}${isWording ? ' (change only the words that say too much)' : ''}`;
    })
    .join('\n');
}
