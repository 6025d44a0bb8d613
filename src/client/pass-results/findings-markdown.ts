import { confidenceText } from '../../core/evidence/confidence';
import type { Evidence, Finding, LeftOutFinding, SectionFindings } from '../../contracts/report/finding';
import type { Outline } from '../../contracts/report/outline';
import { count } from '../../core/writing/count';
import { rankByFindings } from '../../core/ranking/rank-by-findings';
import { inert, quotation, quotedIfVerbatim } from '../../core/writing/quotation';
import { bullets, joinBlocks } from '../../core/writing/markdown-blocks';
import { missingSections, type PassSurroundings } from './pass-results';
import type { SourceLabels } from './source-labels';

export function deepDiveMarkdown(
  found: readonly SectionFindings[],
  surroundings: PassSurroundings,
  labels: SourceLabels,
): string {
  const missing = missingSections({ pass: 'deep-dive', result: [...found] }, surroundings);
  const findings = found.reduce((sum, section) => sum + section.findings.length, 0);
  const leftOut = found.reduce((sum, section) => sum + (section.leftOut?.length ?? 0), 0);
  const inFull = new Set(found.flatMap((section) => section.readInFull));
  const bySummary = new Set(
    found.flatMap((section) => section.readBySummary).filter((id) => !inFull.has(id)),
  );
  return joinBlocks([
    '# Pass 2: Deep Dive',
    `${count(findings, 'finding')} in ${count(found.length, 'section')}, from ${count(inFull.size, 'source')} read in full and ${bySummary.size} by their summary.${leftOut === 0 ? '' : ` ${leftOut} more ${leftOut === 1 ? 'was' : 'were'} found and left out.`}`,
    missing.length === 0
      ? ''
      : `Not every section is done. Nothing is there of: ${missing.map(({ title }) => inert(title)).join('; ')}.`,
    ...found.flatMap((section) => [
      sectionHeading(section.sectionId, surroundings.outline),
      findingList(section.findings, labels),
      ...readList(
        'Left out',
        (section.leftOut ?? []).map((one) => leftOutLine(one, labels)),
      ),
      ...readList('Read in full, by what they gave', rankedReading(section, surroundings.outline, labels)),
      ...readList(
        'Read by their summary',
        section.readBySummary.map((id) => labels.label(id)),
      ),
    ]),
  ]);
}

/** `## 2. Title`, numbered as in the outline. */
export function sectionHeading(sectionId: string, outline: Outline | null, level = '##'): string {
  const index = outline?.sections.findIndex(({ id }) => id === sectionId) ?? -1;
  const title = outline?.sections[index]?.title;
  return title === undefined ? `${level} ${inert(sectionId)}` : `${level} ${index + 1}. ${inert(title)}`;
}

export function findingList(findings: readonly Finding[], labels: SourceLabels): string {
  if (findings.length === 0) return 'There is no finding.';
  return findings
    .map(({ claim, confidence, evidence, quoted }, index) => {
      const told = quotedIfVerbatim(claim, evidence, (text) => text);
      const number = `${index + 1}. `;
      const quotes = evidence.map(
        (item) => `${' '.repeat(number.length)}- ${evidenceLine(item, claim, labels)}`,
      );
      const mark = quoted === true ? ', quoted where the model found less' : '';
      return [`${number}${told} — ${confidenceText(confidence)}${mark}`, ...quotes].join('\n');
    })
    .join('\n');
}

/** A source with its quote, but for one that the line above has in quotation marks already. */
export function evidenceLine(
  { sourceId, quote, page }: Evidence,
  above: string,
  labels: SourceLabels,
): string {
  const source = `${labels.label(sourceId)}${page === undefined ? '' : `, page ${page}`}`;
  return folded(quote) === folded(above) ? source : `${source}: ${quotation(quote)}`;
}

function leftOutLine({ claim, citations, reason }: LeftOutFinding, labels: SourceLabels): string {
  const said = claim === undefined ? 'A finding' : quotation(claim);
  const sources = citations.length === 0 ? '' : ` (${citations.map((id) => labels.name(id)).join(', ')})`;
  return `${said}${sources}: ${inert(reason).replace(/\.$/, '')}`;
}

function readList(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, bullets(lines)];
}

function rankedReading(
  { sectionId, readInFull, findings }: SectionFindings,
  outline: Outline | null,
  labels: SourceLabels,
): string[] {
  const planned = outline?.sections.find(({ id }) => id === sectionId)?.sourceScores ?? [];
  const relevance = new Map(planned.map((source) => [source.sourceId, source.relevance]));
  const read = readInFull.map((sourceId) => ({ sourceId, relevance: relevance.get(sourceId) ?? 0 }));
  return rankByFindings(read, findings).map(
    ({ sourceId, findings: given, score }) =>
      `${labels.label(sourceId)} — ${given === 0 ? 'no finding' : count(given, 'finding')} (${score.toFixed(2)})`,
  );
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
