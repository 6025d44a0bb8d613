// What a report by the openai engine costs over a collection: tokens in by step, how often each source is sent, how much of
// the prompts is how an earlier one began, and what is asked anew when one number of one source changes. The model server
// on loopback counts; it answers at once.
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { articlesToRead, CHARS_PER_TOKEN, notesToRead, writeSources } from './cost-material.mjs';
import { longestChain } from './longest-chain.mjs';
import { withModel } from './with-model.mjs';

/** The sources are records; `changes` are some of them with a number changed, each of which gets a run of its own after the first. */
export function measureCost({ name, sources, question, changes }, latencyMs = 0) {
  return withModel(latencyMs, async ({ folder, report, bill }) => {
    const reportOn = (id, records) =>
      report(id, question, writeSources(join(folder, `${id}.jsonl`), records));
    const first = await reportOn('first', sources);
    const begins = [];
    for (const [at, changed] of changes.entries()) {
      begins.push(performance.timeOrigin + performance.now());
      const after = sources.map((source) => (source.url === changed.url ? changed : source));
      await reportOn(`changed-${at}`, after);
    }
    const { calls } = await bill();
    const isFirst = ({ startMs }) => begins.length === 0 || startMs < begins[0];
    const again = begins.map((from, at) =>
      calls
        .filter(({ startMs }) => startMs >= from && startMs < (begins[at + 1] ?? Infinity))
        .map(({ step }) => step),
    );
    return { name, ...figuresOf(calls.filter(isFirst), sources, reportFigures(first)), again };
  });
}

function figuresOf(calls, sources, report) {
  const tokens = (chars) => Math.ceil(chars / CHARS_PER_TOKEN);
  const steps = [...new Set(calls.map(({ step }) => step))].map((step) => {
    const own = calls.filter((call) => call.step === step);
    return {
      step,
      calls: own.length,
      tokensIn: tokens(sum(own, ({ chars }) => chars)),
      copies: sum(own, (call) => call.sources) / sources.length,
      sharedShare: sum(own, ({ sharedChars }) => sharedChars) / sum(own, ({ chars }) => chars),
    };
  });
  const chars = sum(calls, (call) => call.chars);
  return {
    sources: sources.length,
    sourceTokens: tokens(sum(sources, ({ content }) => content.length)),
    calls: calls.length,
    tokensIn: tokens(chars),
    sharedShare: sum(calls, ({ sharedChars }) => sharedChars) / chars,
    chainMs: longestChain(calls),
    steps,
    report,
  };
}

function reportFigures(report) {
  const quotes = report.claims.flatMap(({ evidence }) => evidence.map(({ quote }) => quote));
  return {
    wallMs: sum(Object.values(report.timings.byPass)),
    sections: report.sections.length,
    claims: report.claims.length,
    quotes: new Set(quotes).size,
    cited: report.citations.length,
    conflicts: report.conflicts.length,
    status: report.status,
    warnings: [...new Set(report.warnings.map(({ code }) => code))],
  };
}

function sum(items, of = (item) => item) {
  return items.reduce((total, item) => total + of(item), 0);
}

if (process.argv[1] === import.meta.filename) {
  const material = process.argv[2] === 'articles' ? articlesToRead() : notesToRead();
  const figures = await measureCost(material, Number(process.argv[3] ?? 0));
  process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
}
