import { CONFIDENCE_REMARK } from '../core/evidence/confidence';
import { traitsOf } from '../contracts/run/engines';
import type { Report, ReportClaim } from '../contracts/report/report';
import { unescapedMarkdown } from '../core/text/markdown-addresses';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { reportLabels } from '../core/report/citation-numbers';

export interface ClaimStatement {
  /** The quote where the report only frames it, else the sentence without citations and confidence words. */
  statement: string;
  verbatim: boolean;
  framed: boolean;
}

const CONFIDENCE_WORDS = new RegExp(` ?\\(${CONFIDENCE_REMARK}\\)`, 'g');
/** A bracket that may be a citation, by a number or an address; addresses are written without brackets and blanks. */
const CITATION = /(?<!\\)\s*\[([^[\]\s]+)\]/g;

/**
 * The extractive engine frames quotes, and chooses the frame by the place: `Doe reports: “…”`, then `Doe also reports:
 * “…”`. What such a claim says is its first quote. A sentence that a model wrote is what it says.
 */
export function statementOf(claim: ReportClaim, report: Report): ClaimStatement {
  const sentence = plainSentence(claim.text, labelsOf(claim, report));
  const quote = claim.evidence[0]?.quote.replace(/\s+/g, ' ').trim() ?? '';
  const [key, quoteKey] = [sentenceKey(sentence), sentenceKey(quote)];
  const framed = traitsOf(report.provenance.engine).framesQuotes && holds(key, quoteKey);
  return {
    statement: framed ? quote : sentence,
    verbatim: framed || (quoteKey !== '' && key === quoteKey),
    framed,
  };
}

function labelsOf({ citations }: ReportClaim, report: Report): ReadonlySet<string> {
  const cited = report.citations.filter(({ n }) => citations.includes(n));
  return new Set([...reportLabels({ ...report, citations: cited }).values()].map(String));
}

function plainSentence(text: string, labels: ReadonlySet<string>): string {
  const told = text
    .replace(CONFIDENCE_WORDS, '')
    .replace(CITATION, (mark, label: string) => (labels.has(label) ? '' : mark));
  // Reports of earlier versions have word joiners in addresses.
  return unescapedMarkdown(told)
    .replace(/\u2060/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether one sequence of words stands in another; both are keys. */
export function holds(key: string, part: string): boolean {
  return part !== '' && ` ${key} `.includes(` ${part} `);
}
