import { z } from 'zod';
import { draw } from '../seeded-draw';
import * as product from '../product';
import { textOf, UsageError } from '../records';
import type { Suite } from '../suite';

const LEAST_WORDS = 5;
const SAMPLE = 50;

/** What is counted of a finished report; a reader of other versions' reports asks for no more than that. */
const Written = z.object({
  markdown: z.string(),
  sections: z.array(z.object({ markdown: z.string(), citations: z.array(z.unknown()) })),
  citations: z.array(z.object({ n: z.number(), sourceId: z.string(), title: z.string().optional() })),
  claims: z.array(
    z.object({
      id: z.string(),
      sectionId: z.string(),
      text: z.string(),
      citations: z.array(z.number()),
      evidence: z.array(z.object({ n: z.number(), quote: z.string(), start: z.number(), end: z.number() })),
    }),
  ),
  conflicts: z.array(z.unknown()),
  gaps: z.array(z.unknown()),
  sources: z.object({ total: z.number() }),
});
type Written = z.infer<typeof Written>;

/**
 * What can be counted of a finished report, and a seeded sample of its claims for a reader, told on standard error. The sources
 * are read again from their files, so that a quote is held against what its author wrote.
 */
export const report: Suite = {
  usage: 'report REPORT.json --sources PATH [PATH …] [--sample N --seed S]',
  options: ['sources', 'sample', 'seed'],
  // The shell may have spread a pattern behind `--sources`.
  takesMore: true,
  async measure({ file, files, sources, sample = SAMPLE, seed, say }) {
    const written = readReport(file);
    const contents = new Map<string | undefined, string>();
    for await (const reading of product.readSources([...sources, ...files.slice(1)])) {
      if (reading.ok) contents.set(reading.record.id, reading.record.content);
      else throw new UsageError(`${reading.problem.file}: ${reading.problem.message}.`);
    }
    say(`A sample of ${sample} claims, seed ${seed}:\n`);
    for (const { id, sectionId, text, citations } of draw(written.claims, sample, seed)) {
      const source = written.citations.find(({ n }) => n === citations[0]);
      say(`${id} [${sectionId}] ${source?.title ?? ''}\n  ${text}\n`);
    }
    return counted(written, contents);
  },
};

function readReport(file: string): Written {
  let written: unknown;
  try {
    written = JSON.parse(textOf(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read as a report: ${(error as Error).message}.`);
  }
  const { data, error } = Written.safeParse(written);
  if (data !== undefined) return data;
  const key = error.issues[0]?.path.join('.') ?? '';
  throw new UsageError(`${file} has no "${key}", as a report.json has.`);
}

function counted(
  { markdown, sections, citations, claims, conflicts, gaps, sources }: Written,
  contents: ReadonlyMap<string | undefined, string>,
): object {
  const numbers = new Set(citations.map(({ n }) => n));
  const used = [...markdown.matchAll(/(?<!\\)\[(\d+)\]/g)].map(([, n]) => Number(n));
  const idOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const misquoted = claims
    .flatMap(({ evidence }) => evidence)
    .filter(({ n, quote, start, end }) => contents.get(idOf.get(n))?.slice(start, end) !== quote);
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
function sentencesIn(text: string): string[] {
  return product
    .splitSentences(text)
    .map(({ text: sentence }) => sentence.toLowerCase().replace(/\W+/g, ' ').trim())
    .filter((sentence) => sentence.split(' ').length >= LEAST_WORDS);
}
