import { readFileSync } from 'node:fs';
import { built } from './built.mjs';
import { draw } from './draw.mjs';
import { UsageError } from './usage-error.mjs';

const LEAST_WORDS = 5;

/**
 * What can be counted of a finished report, and a seeded sample of its claims for a reader, told to `say`. The sources are
 * read again from their files, so that a quote is held against what its author wrote.
 */
export async function reportSuite({ file, sources, sample = 50, seed = 1, say }) {
  const report = readReport(file);
  const { readSources } = built('sources/read-sources.js');
  const contents = new Map();
  for await (const reading of readSources(sources)) {
    if (reading.ok) contents.set(reading.record.id, reading.record.content);
    else throw new UsageError(`${reading.problem.file}: ${reading.problem.message}.`);
  }
  say(`A sample of ${sample} claims, seed ${seed}:\n`);
  for (const claim of draw(report.claims, sample, seed)) {
    const source = report.citations.find((citation) => citation.n === claim.citations[0]);
    say(`${claim.id} [${claim.sectionId}] ${source?.title ?? ''}\n  ${claim.text}\n`);
  }
  return counted(report, contents);
}

function readReport(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as a report: ${error.message}.`);
  }
  for (const key of ['markdown', 'sections', 'citations', 'claims', 'conflicts', 'gaps', 'sources'])
    if (report[key] === undefined) throw new UsageError(`${file} has no "${key}", as a report.json has.`);
  return report;
}

function counted({ markdown, sections, citations, claims, conflicts, gaps, sources }, contents) {
  const numbers = new Set(citations.map((citation) => citation.n));
  const used = [...markdown.matchAll(/(?<!\\)\[(\d+)\]/g)].map((match) => Number(match[1]));
  const evidence = claims.flatMap((claim) => claim.evidence);
  const idOf = new Map(citations.map((citation) => [citation.n, citation.sourceId]));
  const misquoted = evidence.filter(
    ({ n, quote, start, end }) => contents.get(idOf.get(n))?.slice(start, end) !== quote,
  );
  const body = sections.map((section) => section.markdown).join('\n\n');
  const sentences = sentencesIn(body);
  const words = markdown.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const figures = (body.match(/\d+(?:[.,]\d+)*/g) ?? []).length;
  return {
    n: claims.length,
    sections: sections.length,
    words,
    sourcesCited: citations.length,
    sources: sources.total,
    fewestSourcesInASection:
      sections.length === 0 ? 0 : Math.min(...sections.map((section) => section.citations.length)),
    citationsWithoutASource: used.filter((n) => !numbers.has(n)).length,
    quotesNotAtTheirOffsets: misquoted.length,
    sentencesThatStandTwice: sentences.length - new Set(sentences).size,
    figuresPer1000Words: words === 0 ? 0 : Math.round((1000 * figures) / words),
    conflicts: conflicts.length,
    gaps: gaps.length,
  };
}

/** What follows a quote's end, such as "[1] (Medium confidence).", is not a sentence of its own. */
function sentencesIn(text) {
  const { splitSentences } = built('language/sentences.js');
  return splitSentences(text)
    .map(({ text: sentence }) => sentence.toLowerCase().replace(/\W+/g, ' ').trim())
    .filter((sentence) => sentence.split(' ').length >= LEAST_WORDS);
}
