import type { Evidence } from '../../contracts/report/finding';
import type { SourceWindow } from '../../contracts/source/passage';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { decideStatement } from '../../core/written-text/decide-statement';
import { citationMark, replaceMarks } from '../../core/text/citation-marks';
import { groupedBy } from '../../core/values/grouped-by';
import type { AuditTextInput, AuditTextOutput } from '../../steps/audit-text/audit-text';
import type { GivenSource } from '../../verification/report/given-source';
import { missingNumbers } from './written-text/audit-statements';

/** A sentence of somebody else's text that words do not find supported. */
export interface OpenSentence {
  plain: string;
  /** The stretches of the sources that it cites which the critic is shown. */
  evidence: readonly Evidence[];
  byWords: ClaimVerdict;
}

type DescribedSource = Omit<GivenSource, 'content' | 'url'>;

/** Asks for a verdict on each sentence; its id is its place. `question` is empty where it is not known. */
export function criticInput(
  open: readonly OpenSentence[],
  sources: readonly DescribedSource[],
  question: string,
): AuditTextInput {
  const evidence = open.flatMap((sentence) => sentence.evidence);
  return {
    question,
    sources: windowsOf(evidence, sources),
    statements: open.map(({ plain, byWords, ...sentence }, place) => {
      const sourceIds = sourcesOf(sentence.evidence);
      return {
        id: `${place}`,
        part: '',
        // A mark in somebody else's text cites nothing of ours.
        text: `${replaceMarks(plain, () => '')} ${citationMark(sourceIds)}`,
        sourceIds,
        isAsked: true,
        ...(byWords.verdict === 'unchecked' ? {} : { noticed: byWords.reason }),
      };
    }),
    works: [],
    asksNotes: false,
  };
}

/** The verdict on each sentence, in their order: where the critic does not decide, that of words. */
export function criticVerdicts(
  open: readonly OpenSentence[],
  { question, sources }: Pick<AuditTextInput, 'question' | 'sources'>,
  { verdicts }: AuditTextOutput,
): ClaimVerdict[] {
  const said = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  return open.map(({ plain, evidence, byWords }, place) => {
    const sourceIds = sourcesOf(evidence);
    const cited = sources.filter(({ sourceId }) => sourceIds.includes(sourceId));
    const about = cited.flatMap(({ title, author = '', publishedAt = '', site = '' }) => [
      title,
      author,
      publishedAt,
      site,
    ]);
    const texts = [question, ...about, ...evidence.map(({ quote }) => quote)];
    // Only the words' verdict knows the whole sources.
    const absentNumbers = byWords.code === 'number-absent' ? missingNumbers(plain, texts) : [];
    const words = { verdict: byWords, absentNumbers, texts };
    const { verdict } = decideStatement({ sourceIds }, said.get(`${place}`), words);
    return verdict === null || verdict.verdict === 'unchecked'
      ? byWords
      : { ...verdict, evidence: verdict.evidence ?? byWords.evidence };
  });
}

function sourcesOf(evidence: readonly Evidence[]): string[] {
  return [...new Set(evidence.map(({ sourceId }) => sourceId))];
}

/** A source for each that has evidence, with what is not held by a longer stretch of it as passages. */
function windowsOf(evidence: readonly Evidence[], sources: readonly DescribedSource[]): SourceWindow[] {
  const described = new Map(sources.map(({ id, ...source }) => [id, source]));
  return [...groupedBy(evidence, ({ sourceId }) => sourceId)].map(([sourceId, all]) => {
    const { title = '', author, site, publishedAt } = described.get(sourceId) ?? {};
    const longestFirst = [...all].sort((one, other) => one.start - other.start || other.end - one.end);
    let end = -1;
    const passages = longestFirst.flatMap(({ quote: text, ...span }) => {
      if (span.end <= end) return [];
      end = span.end;
      return [{ text, start: span.start, end, headings: [] }];
    });
    return {
      sourceId,
      title,
      author,
      site,
      publishedAt,
      quality: { level: 'general', reason: '' },
      summaryOnly: false,
      passages,
    };
  });
}
