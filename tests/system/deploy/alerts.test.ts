import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { createHttpMetrics, createPrometheusMetrics } from '../../../src/app/prometheus';

const ROOT = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Colligate[A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
});

const given: unknown = parse(read('deploy/alerts.yaml'));
const rules = Rules.parse(given).groups.flatMap((group) => group.rules);

/** The metrics of workers and of the HTTP server: each name with its type. */
async function metricTypes(): Promise<Map<string, string>> {
  const worker = createPrometheusMetrics({
    version: '1',
    deployment: null,
    buildId: null,
    roles: [],
    activeRuns: async () => 1,
  });
  const texts = await Promise.all([worker.text(), createHttpMetrics({ version: '1' }).text()]);
  return new Map(
    texts.flatMap(({ body }) =>
      [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type] as const),
    ),
  );
}

describe('deploy/alerts.yaml', () => {
  it('uses existing metrics alone, each by its type', async () => {
    const types = await metricTypes();
    for (const { expr } of rules) {
      const names = [...expr.matchAll(/\b(?:colligate|process|nodejs)_\w+/g)].map(([name]) => name);
      expect(names).not.toEqual([]);
      for (const name of names) {
        const ofHistogram = /^(.*)_(?:bucket|count)$/.exec(name)?.[1];
        expect(ofHistogram === undefined ? [...types.keys()] : 'histogram').toEqual(
          ofHistogram === undefined ? expect.arrayContaining([name]) : types.get(ofHistogram),
        );
      }
    }
  });

  it('names labels alone that the metrics have', () => {
    const source = read('src/app/prometheus.ts') + read('src/app/prometheus.ts');
    const labels = rules.flatMap(({ expr }) => [
      ...[...expr.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label]) => label),
      ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
    ]);
    // `le` is Prometheus's own of histograms, `instance` of whatever it reads.
    for (const label of labels.filter((name) => name !== 'le' && name !== 'instance'))
      expect(source).toContain(`'${label}'`);
  });

  it('has each alert once, and operators are told what to do about it', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    const document = read('docs/operations.md');
    for (const name of names) expect(document).toContain(`| \`${name}\` |`);
  });
});
