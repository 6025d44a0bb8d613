import { writeFileSync } from 'node:fs';
import { studiesOf } from './studies';
import { splitPassages } from '../../src/core/text/passages';
import { crossCheckExtractively } from '../../src/engines/extractive/cross-check';
import { indexResults } from '../../src/core/agreement/result-sentences';
jest.setTimeout(600_000);
it('all', () => {
  const sources = [...studiesOf('even'), ...studiesOf('odd')].map((s) => ({
    sourceId: s.id,
    title: s.title,
    quality: { level: 'general' as const, reason: 'x' },
    summaryOnly: false,
    passages: splitPassages(s.content),
    publishedAt: s.publishedAt,
  }));
  const t0 = Math.round(process.cpuUsage().user / 1000);
  const r = indexResults(sources);
  const t1 = Math.round(process.cpuUsage().user / 1000);
  const pairs = r.closePairs();
  const t2 = Math.round(process.cpuUsage().user / 1000);
  const out = crossCheckExtractively({
    question: 'x',
    section: { id: 's', title: 't', description: 'd', subsections: [] },
    findings: [],
    sources,
  });
  const t3 = Math.round(process.cpuUsage().user / 1000);
  writeFileSync(
    '/tmp/conf/all.txt',
    [
      `index ${t1 - t0} pairs ${t2 - t1} (${pairs.length}) check ${t3 - t2}`,
      ...pairs.map(
        ({ one: a, other: b }) =>
          `PAIR ${a.sentence.text.replace(/\s+/g, ' ')}\n     ${b.sentence.text.replace(/\s+/g, ' ')}`,
      ),
      ...out.conflicts.map(
        (c) =>
          `${c.kind} ${c.topic}: ${c.reason}\n` +
          c.viewpoints.map((v) => `   - [${v.citations.join()}] ` + v.statement).join('\n'),
      ),
    ].join('\n'),
  );
});

it('readmes', () => {
  const fs = require('fs');
  const path = require('path');
  const files: string[] = [];
  for (const d of fs.readdirSync('node_modules')) {
    const dirs = d.startsWith('@')
      ? fs.readdirSync('node_modules/' + d).map((x: string) => d + '/' + x)
      : [d];
    for (const x of dirs) {
      const f = path.join('node_modules', x, 'README.md');
      if (fs.existsSync(f)) files.push(f);
    }
  }
  const sources = files.map((f) => ({
    sourceId: f,
    title: path.basename(path.dirname(f)),
    quality: { level: 'general' as const, reason: 'x' },
    summaryOnly: false,
    passages: splitPassages(fs.readFileSync(f, 'utf8')),
  }));
  const t0 = Math.round(process.cpuUsage().user / 1000);
  const out = crossCheckExtractively({
    question: 'x',
    section: { id: 's', title: 't', description: 'd', subsections: [] },
    findings: [],
    sources,
  });
  writeFileSync(
    '/tmp/conf/readmes.txt',
    [
      `${files.length} ${Math.round(process.cpuUsage().user / 1000) - t0}`,
      ...out.conflicts.map(
        (c) =>
          `${c.kind} ${c.topic}: ${c.reason}\n` +
          c.viewpoints.map((v) => `   - [${v.citations.join()}] ` + v.statement).join('\n'),
      ),
    ].join('\n'),
  );
});
it('eighty', () => {
  const sources = studiesOf('even')
    .slice(0, 80)
    .map((s) => ({
      sourceId: s.id,
      title: s.title,
      quality: { level: 'general' as const, reason: 'x' },
      summaryOnly: false,
      passages: splitPassages(s.content),
      publishedAt: s.publishedAt,
    }));
  const cpu = () => Math.round(process.cpuUsage().user / 1000);
  const t0 = cpu();
  const r = indexResults(sources);
  const t1 = cpu();
  const pairs = r.closePairs();
  const t2 = cpu();
  writeFileSync('/tmp/conf/eighty.txt', `index ${t1 - t0} pairs ${t2 - t1} (${pairs.length})`);
});
