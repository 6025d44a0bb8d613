import type { Evidence, Finding } from '../../contracts/report/finding';
import { originalOf, type SourcesById } from '../../core/evidence/distinct-evidence';
import { splitSentences } from '../../language/sentences';
import { terms } from '../../language/words';
import type { Question } from '../question/question';
import { readStatement, type Statement } from '../statements/statement';

/** A quote as it is held against others. `findingId` is absent where no finding has it. */
export interface QuotedStatement {
  evidence: Evidence;
  statement: Statement;
  /** Quotes of one root are one voice, and neither contradict nor confirm each other. */
  root: string;
  findingId?: string;
  confidence: number;
}

/** So many words of a question name a subject and what becomes of it. */
const LEAST_ASKED = 3;

export function quotedStatements(
  findings: readonly Finding[],
  sources: SourcesById,
  asked?: Question,
): QuotedStatement[] {
  return findings.flatMap(({ id, confidence, evidence }) =>
    evidence
      .flatMap(sentencesOf)
      .map((sentence) => ({ ...quotedStatement(sentence, sources, asked), findingId: id, confidence })),
  );
}

/** The quotes that findings word: each speaks for its claim, as further evidence was found to agree before. */
export function claimedStatements(findings: readonly Finding[], sources: SourcesById): QuotedStatement[] {
  return quotedStatements(
    findings.map((finding) => ({ ...finding, evidence: finding.evidence.slice(0, 1) })),
    sources,
  );
}

export function quotedStatement(evidence: Evidence, sources: SourcesById, asked?: Question): QuotedStatement {
  const statement = readStatement(evidence.quote, sources.get(evidence.sourceId)?.title);
  return {
    evidence,
    statement: isOfAll(evidence, asked) ? { ...statement, title: new Set(asked?.words) } : statement,
    root: originalOf(evidence.sourceId, sources),
    confidence: 0,
  };
}

/** What names all that a question asks about is about that, whatever its source is called: `Alpha trial`. */
function isOfAll({ quote }: Evidence, { words }: Pick<Question, 'words'> = { words: [] }): boolean {
  const said = new Set(terms(quote));
  return words.length >= LEAST_ASKED && words.every((word) => said.has(word));
}

function sentencesOf(evidence: Evidence): Evidence[] {
  return splitSentences(evidence.quote).map(({ start, end, text }) => ({
    ...evidence,
    quote: text,
    start: evidence.start + start,
    end: evidence.start + end,
  }));
}

export function placeOf({ sourceId, start, end }: Evidence): string {
  return `${sourceId}@${start}-${end}`;
}
