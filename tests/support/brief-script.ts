import { type DimensionScore, JUDGE_DIMENSIONS, mapDimensions } from '../../src/contracts/judgement';
import type { SourceWindow } from '../../src/contracts/source';
import { runExtractiveStep } from '../../src/engines/extractive/extractive-steps';
import { plainText } from '../../src/evidence/written-text';
import { citationMark } from '../../src/lib/citation-marks';
import type {
  AuditTextInput,
  AuditTextOutput,
  MendTextInput,
  MendTextOutput,
} from '../../src/steps/audit-text';
import type { JudgeInput, JudgeOutput } from '../../src/steps/judge';
import type { BriefForm, WriteTextInput, WriteTextOutput } from '../../src/steps/write-text';
import type { StepScript } from './scripted-engine';

/** How a scripted model words a statement under a heading; null leaves it out. */
export type Says = (claim: string, heading: string) => string | null;

/** A model that tells each statement in the words that `says` gives it, and a judge that gives each text what `scores` says. */
export function briefScript(
  given: {
    says?: Says;
    /** Headings that a text in one call lacks. */
    forgets?: readonly string[];
    title?: string;
    /** What stands for a faulty sentence; it is deleted without. */
    mends?: (sentence: string, reason: string) => string;
    judge?: (input: JudgeInput) => { score: number; parts: string[] };
  } = {},
): Record<string, StepScript> {
  const { says = (claim: string) => claim, forgets = [], mends = () => '' } = given;
  const { title = 'What helps people who sleep badly', judge = () => ({ score: 5, parts: [] }) } = given;
  return {
    // No model does these.
    'plan-brief': (input: unknown) => runExtractiveStep('plan-brief', input),
    'write-brief-part': (input: unknown) => runExtractiveStep('write-brief-part', input),
    'write-text': (input: WriteTextInput): WriteTextOutput => {
      const form = input.form as BriefForm; // a brief asks for no other
      const isWhole = form.parts.length > 1;
      const parts = form.parts
        .filter(({ heading }) => !isWhole || !forgets.includes(heading))
        .map(({ heading }) => `## ${heading}\n\n${told(heading, input.sources, says)}`);
      return { markdown: [...(form.asksTitle ? [`# ${title}`] : []), ...parts].join('\n\n') };
    },
    'audit-text': audited,
    'mend-text': ({ statements, faults }: MendTextInput): MendTextOutput => ({
      edits: faults.flatMap(({ statementIds, reason }) =>
        statementIds.map((statementId) => {
          const text = statements.find(({ id }) => id === statementId)?.text ?? '';
          return { statementId, text: mends(text, reason) };
        }),
      ),
    }),
    judge: (input: JudgeInput): JudgeOutput => {
      const { score, parts } = judge(input);
      const dimension: DimensionScore = {
        score,
        reason: 'A script judges it.',
        places: parts.map((partId) => ({ partId, quote: null })),
      };
      return { by: 'model', ...mapDimensions(JUDGE_DIMENSIONS, () => dimension) };
    },
  };
}

interface Statement {
  claim: string;
  heading: string;
  sourceIds: string[];
}

/** A statement that several sources are cited for stands under each of them. */
function statementsIn(sources: readonly SourceWindow[]): Statement[] {
  const statements = new Map<string, Statement>();
  for (const { sourceId, passages } of sources)
    for (const { text, headings } of passages) {
      const known = statements.get(text) ?? { claim: text, heading: headings[0] ?? '', sourceIds: [] };
      statements.set(text, { ...known, sourceIds: [...known.sourceIds, sourceId] });
    }
  return [...statements.values()];
}

/** The opening and the end have the first two statements. */
function told(heading: string, sources: readonly SourceWindow[], says: Says): string {
  const all = statementsIn(sources);
  const own = all.filter((statement) => statement.heading === heading);
  return (own.length > 0 ? own : all.slice(0, 2))
    .flatMap(({ claim, sourceIds }) => {
      const plain = says(claim, heading);
      return plain === null ? [] : [`${plain.replace(/\.$/, '')} ${citationMark(sourceIds)}.`];
    })
    .join('\n\n');
}

/** Supports what has the words of a statement of what it cites. */
function audited({ statements, sources }: AuditTextInput): AuditTextOutput {
  const passages = sources.flatMap(({ sourceId, passages: own }) =>
    own.map(({ text, start, end }) => ({ sourceId, quote: text, start, end })),
  );
  return {
    verdicts: statements
      .filter(({ isAsked }) => isAsked)
      .map(({ id, text }) => {
        const plain = plainText(text).toLowerCase();
        const quote = passages.find((one) => plain.includes(one.quote.replace(/\.$/, '').toLowerCase()));
        const rejected = { verdict: 'unsupported', severity: 'wrong', reason: 'No source says it.' } as const;
        const stands = { verdict: 'supported', severity: 'wording', reason: '' } as const;
        return {
          id,
          calculation: '',
          quotes: quote === undefined ? [] : [quote],
          ...(quote === undefined ? rejected : stands),
        };
      }),
    notes: [],
  };
}

export const BY_SCRIPTED_MODEL = {
  engine: 'openai',
  models: {
    fast: { name: 'scripted', contextTokens: 16_000, price: null },
    strong: { name: 'scripted', contextTokens: 16_000, price: null },
    critic: { name: 'scripted', contextTokens: 16_000, price: null },
  },
} as const;
