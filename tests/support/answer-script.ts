import type { AnswerDraft } from '../../src/contracts/draft';
import { citationMark } from '../../src/lib/citation-marks';
import type { AnswerInput } from '../../src/steps/answer-question';
import type {
  AuditTextInput,
  AuditTextOutput,
  MendTextInput,
  MendTextOutput,
} from '../../src/steps/audit-text';
import type { RewriteQuestionOutput } from '../../src/steps/search-queries';
import type { CompressInput, CompressOutput } from '../../src/steps/summarise';
import type { StepScript } from './scripted-engine';

export const OBSERVATIONS = [
  'DAIL-SQL uses example-based learning with carefully selected demonstrations. The selection algorithm ranks examples by similarity to the target query.',
  'On the Spider benchmark DAIL-SQL reaches an execution accuracy of 86.6 percent.',
];

const MODEL = { name: 'scripted', contextTokens: 16_000, price: null };
/** Asked of models, with short waits for what is away. */
export const BY_MODEL = {
  engine: 'openai',
  models: { fast: MODEL, strong: MODEL, critic: MODEL },
} as const;

export function textOf(claims: readonly (readonly [plain: string, passageId: string])[]): AnswerDraft {
  const sentences = claims.map(([plain, id]) => ({
    text: `${plain} ${citationMark([id])}`,
    plain,
    passageIds: [id],
  }));
  const markdown = sentences.map(({ text }) => text).join(' ');
  return { markdown, sentences, missing: null, setAside: [] };
}

export function idOf({ passages }: AnswerInput, words: string): string {
  return passages.find(({ text }) => text.includes(words))?.id ?? 'P1';
}

/** A critic that finds every claim in the first thing that it cites, or, where words noticed something, that this says otherwise. */
function believes({ statements, sources }: AuditTextInput): AuditTextOutput {
  return {
    verdicts: statements
      .filter(({ isAsked }) => isAsked)
      .map(({ id, sourceIds, noticed }) => ({
        id,
        verdict: noticed === undefined ? 'supported' : 'contradicted',
        severity: 'wrong',
        quotes: sources
          .filter(({ sourceId }) => sourceIds.includes(sourceId))
          .flatMap(({ sourceId, passages }) =>
            passages.map(({ text, start, end }) => ({ sourceId, quote: text, start, end })),
          )
          .slice(0, 1),
        calculation: '',
        reason: noticed ?? '',
      })),
    notes: [],
  };
}

/** A writer that deletes what it is told is wrong, or writes `text` in its place. */
export function mends(text = ''): (input: MendTextInput) => MendTextOutput {
  return ({ faults }) => ({
    edits: faults.flatMap(({ statementIds }) => statementIds.map((statementId) => ({ statementId, text }))),
  });
}

export function says(answer: (input: AnswerInput) => AnswerDraft): Record<string, StepScript> {
  return {
    answer,
    'audit-text': believes,
    'mend-text': mends(),
    compress: ({ passages }: CompressInput): CompressOutput => ({
      summaries: passages.map(({ id }) => ({ id, text: 'Tea was studied.' })),
    }),
    'rewrite-question': (): RewriteQuestionOutput => ({ queries: ['other words for it'] }),
  };
}

export const TRUE_CLAIM = 'DAIL-SQL uses example-based learning with carefully selected demonstrations.';
export const INVENTED_CLAIM =
  'On the Spider benchmark DAIL-SQL reaches an execution accuracy of 99.1 percent.';
