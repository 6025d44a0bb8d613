// Judges a finished report by what can be counted, and draws the sample of claims that a reader judges.
//   npm run eval -- REPORT.json --sources PATH… [--sample 50] [--seed 1]
// The sources are read again from their files, so that a quote is held against what its author wrote.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './checkout.mjs';
import { setUp } from './setup.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sources: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});
const [reportFile, ...more] = positionals;
if (reportFile === undefined || values.sources.length === 0) {
  console.error('Usage: npm run eval -- REPORT.json --sources PATH [PATH …] [--sample 50] [--seed 1]');
  process.exit(2);
}

await setUp();
const { readSources } = await import(join(root, 'dist/sources/read-sources.js'));
const { splitSentences } = await import(join(root, 'dist/core/text/sentences.js'));

const report = JSON.parse(readFileSync(reportFile, 'utf8'));
const contents = new Map();
for await (const reading of readSources([...values.sources, ...more])) {
  if (reading.ok) contents.set(reading.record.id, reading.record.content);
}

const counted = count(report);
for (const [name, value] of Object.entries(counted)) console.log(`${name.padEnd(34)} ${value}`);
console.log(`\nA sample of ${values.sample} claims, seed ${values.seed}:\n`);
for (const claim of sample(report.claims, Number(values.sample), Number(values.seed))) {
  const source = report.citations.find((citation) => citation.n === claim.citations[0]);
  console.log(`${claim.id} [${claim.sectionId}] ${source?.title ?? ''}\n  ${claim.text}\n`);
}

function count({ markdown, sections, citations, claims, conflicts, gaps, sources }) {
  const numbers = new Set(citations.map((citation) => citation.n));
  const used = [...markdown.matchAll(/(?<!\\)\[(\d+)\]/g)].map((match) => Number(match[1]));
  const evidence = claims.flatMap((claim) => claim.evidence);
  const idOf = new Map(citations.map((citation) => [citation.n, citation.sourceId]));
  const misquoted = evidence.filter(
    ({ n, quote, start, end }) => contents.get(idOf.get(n))?.slice(start, end) !== quote,
  );
  const body = sections.map((section) => section.markdown).join('\n\n');
  // What follows a quote's end, such as "[1] (Medium confidence).", is not a sentence of its own.
  const sentences = splitSentences(body)
    .map(({ text }) => text.toLowerCase().replace(/\W+/g, ' ').trim())
    .filter((sentence) => sentence.split(' ').length > 4);
  const words = markdown.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const figures = (body.match(/\d+(?:[.,]\d+)*/g) ?? []).length;
  return {
    sections: sections.length,
    words,
    claims: claims.length,
    'sources cited': citations.length,
    'of sources': `${sources.total} (${((100 * citations.length) / sources.total).toFixed(1)} %)`,
    'fewest sources in a section': Math.min(...sections.map((section) => section.citations.length)),
    'citations without a source': used.filter((n) => !numbers.has(n)).length,
    'quotes not at their offsets': misquoted.length,
    'sentences that stand twice': sentences.length - new Set(sentences).size,
    'figures per 1,000 words': Math.round((1000 * figures) / words),
    conflicts: conflicts.length,
    gaps: gaps.length,
  };
}

/** A seeded draw without replacement, in the order of the report. */
function sample(items, size, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, size)
    .map(({ item }) => item)
    .sort((a, b) => items.indexOf(a) - items.indexOf(b));
}
