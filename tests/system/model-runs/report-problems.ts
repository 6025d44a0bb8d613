import type { Report } from '../../../src/contracts/report';
import { SourceCatalogue } from '../../../src/contracts/source';
import type { ModelBench } from './model-bench';

/** A source as it was given. */
export interface GivenSource {
  id: string;
  content: string;
  /** All that is known of it besides. */
  about: string;
  url: string;
}

/** The sources of a run, in full. */
export async function sourcesOfRun(
  { colligate, stores }: Pick<ModelBench, 'colligate' | 'stores'>,
  runId: string,
): Promise<Map<string, GivenSource>> {
  const { sources } = SourceCatalogue.parse(await colligate.run(runId).passResult('gather'));
  const contents = await stores.content.retrieveBatch(sources.map(({ contentRef }) => contentRef));
  return new Map(
    sources.map(({ id, contentRef, title, author, site, publishedAt, url }) => [
      id,
      {
        id,
        content: contents.get(contentRef) ?? '',
        about: [title, author, site, publishedAt].join(' '),
        url: url ?? '',
      },
    ]),
  );
}

/** What a report says that its sources do not, and what in it does not hold together, as sentences. */
export function problemsOfReport(report: Report, sources: ReadonlyMap<string, GivenSource>): string[] {
  return [...problemsOfReferences(report, sources), ...inventions(report, sources)];
}

/** What a report cites and quotes that is not so in its sources, as sentences. */
export function problemsOfReferences(report: Report, sources: ReadonlyMap<string, GivenSource>): string[] {
  return [
    ...report.citations
      .filter(({ sourceId }) => !sources.has(sourceId))
      .map(({ sourceId }) => `${sourceId} is cited and no source`),
    ...report.sections.flatMap((section) => marksBeyond(section.markdown, report, section.title)),
    ...marksBeyond(report.markdown, report, 'the report'),
    ...report.claims.flatMap((claim) => claimProblems(claim, report, sources)),
    ...conflictProblems(report, sources),
  ];
}

function marksBeyond(markdown: string, { citations }: Report, where: string): string[] {
  const known = new Set(citations.map(({ n }) => n));
  return [...markdown.matchAll(/\[(\d+)\]/g)]
    .filter(([, n]) => !known.has(Number(n)))
    .map(([mark]) => `${mark} in ${where} is no citation of the report`);
}

function claimProblems(
  claim: Report['claims'][number],
  report: Report,
  sources: ReadonlyMap<string, GivenSource>,
): string[] {
  const problems: string[] = [];
  const section = report.sections.find(({ id }) => id === claim.sectionId);
  if (section?.markdown.slice(claim.start, claim.end) !== claim.text)
    problems.push(`${claim.id} is not at its place in its section`);
  if (claim.evidence.length === 0) problems.push(`${claim.id} has no evidence`);
  for (const { n, quote, start, end } of claim.evidence) {
    const citation = report.citations.find((one) => one.n === n);
    const content = sources.get(citation?.sourceId ?? '')?.content;
    if (quote === '' || content?.slice(start, end) !== quote)
      problems.push(`a quote of ${claim.id} is not at its offsets`);
  }
  for (const n of claim.citations) {
    if (!claim.evidence.some((evidence) => evidence.n === n))
      problems.push(`${claim.id} cites [${n}] without a quote of it`);
  }
  return problems;
}

function conflictProblems(report: Report, sources: ReadonlyMap<string, GivenSource>): string[] {
  return report.conflicts.flatMap(({ topic, viewpoints }) =>
    viewpoints
      .filter(({ statement, citations }) => {
        const cited = report.citations.filter(({ n }) => citations.includes(n));
        return !cited.some(({ sourceId }) =>
          folded(sources.get(sourceId)?.content).includes(folded(statement)),
        );
      })
      .map(() => `a side of the conflict on ${topic} is in none of its sources`),
  );
}

const NUMBER = /\d+(?:[.,]\d+)*/g;
/** What the extractive engine counts itself where it stands in for a model. */
const COUNTED =
  /\b\d+ of \d+ sources\b|\b\d+ (?:none|sources|findings|studies|of them|of the|reports?)\b|\b\d+ (?:bear on|are cited)\b/g;

/** Numbers, quotations, addresses and images that no source has. */
function inventions(report: Report, sources: ReadonlyMap<string, GivenSource>): string[] {
  const all = [...sources.values()];
  const material = folded(
    [report.question, ...all.flatMap(({ content, about }) => [content, about])].join('\n'),
  );
  const gaps = folded(report.gaps.join('\n'));
  const numbers = new Set(material.match(NUMBER));
  const urls = new Set(all.map(({ url }) => url));
  const written = [
    report.title,
    report.overallTheme,
    ...report.sections.flatMap(({ title, markdown }) => [title, markdown]),
    ...report.gaps,
    ...report.followUpQuestions,
    ...executiveSummary(report),
  ].map((text) => text.replace(/\[\d+\]/g, ''));
  return [
    ...written.flatMap((text) => [
      ...[...folded(text).replace(COUNTED, '').matchAll(NUMBER)]
        .filter(([number]) => !numbers.has(number))
        .map(([number]) => `${number} is in no source`),
      // A quote may have marks of its own, and one of them alone.
      ...[...text.matchAll(/“([^“”]{25,})”|"([^"“”]{25,})"/g)]
        .map(([, curly, straight = '']) => folded(curly ?? straight))
        .filter((quote) => !isQuoted(quote, material) && !gaps.includes(quote))
        .map((quote) => `"${quote}" is in no source`),
    ]),
    ...[...report.markdown.matchAll(/https?:\/\/[^\s<>)\]]+/g)]
      .filter(([address]) => !urls.has(address))
      .map(([address]) => `${address} is no source's address`),
    ...(/!\[|<[a-z]+[\s>]/i.test(report.markdown) ? ['there is an image or HTML'] : []),
  ];
}

/** What a summary left out of a quote is marked in it. */
function isQuoted(quote: string, material: string): boolean {
  return quote.split('…').every((part) => material.includes(part.trim().replace(/[.,]$/, '')));
}

/** Its bullets. */
function executiveSummary({ markdown }: Report): string[] {
  const summary = /## Executive Summary\n([^]*?)\n## /.exec(markdown)?.[1] ?? '';
  return summary.split('\n').filter((line) => line.startsWith('- '));
}

/** As two writers of the same words would have them: quotation marks, dashes, escapes and white space alike. */
function folded(text = ''): string {
  return text
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[“”«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[−–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}
