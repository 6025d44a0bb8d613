import type { Report, ReportClaim } from '../contracts/report';
import { sentenceKey } from '../near-duplicate-sentences';
import { quotation } from '../writing/quotation';

/** What a claim says, apart from what its place in the report makes of it. */
export interface ClaimStatement {
  /** The quote where the report only frames it, else the sentence without citation numbers and confidence words. */
  statement: string;
  /** Whether the statement is a quote, word for word. */
  verbatim: boolean;
  /** Whether the sentence only frames quotes. */
  framed: boolean;
  /** The sentence with `…` for its quotes. */
  frame: string;
}

const CONFIDENCE_WORDS = / ?\((?:High|Medium|Low) confidence\)/g;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/**
 * The extractive engine frames quotes, and chooses the frame by the place: `Doe reports: “…”`, then `Doe also reports:
 * “…”`. What such a claim says is its first quote. A sentence that a model wrote is what it says.
 */
export function statementOf(claim: ReportClaim, engine: Report['provenance']['engine']): ClaimStatement {
  const sentence = plainSentence(claim);
  const quote = claim.evidence[0]?.quote.replace(/\s+/g, ' ').trim() ?? '';
  const [key, quoteKey] = [sentenceKey(sentence), sentenceKey(quote)];
  const framed = engine === 'extractive' && holds(key, quoteKey);
  return {
    statement: framed ? quote : sentence,
    verbatim: framed || (quoteKey !== '' && key === quoteKey),
    framed,
    frame: plainSentence({ ...claim, text: withoutQuotes(claim) }),
  };
}

function withoutQuotes({ text, evidence }: ReportClaim): string {
  return evidence.reduce((frame, { quote }) => frame.replace(quotation(quote), '“…”'), text);
}

function plainSentence({ text, citations }: ReportClaim): string {
  const numbers = new Set(citations.map(String));
  return text
    .replace(CONFIDENCE_WORDS, '')
    .replace(/(?<!\\)\s*\[(\d+)\]/g, (mark, number: string) => (numbers.has(number) ? '' : mark))
    .replace(ESCAPED, '$1')
    .replace(/\u2060/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether one sequence of words stands in another; both are keys. */
export function holds(key: string, part: string): boolean {
  return part !== '' && ` ${key} `.includes(` ${part} `);
}
