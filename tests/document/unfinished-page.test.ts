import type { Progress } from '../../src/contracts/run/run';
import { runSnapshot } from '../../src/core/run/run-snapshot';
import { unfinishedPage } from '../../src/document/page/unfinished-page';

const SINCE = '2026-01-02T03:04:05.000Z';

const PROGRESS: Progress = {
  runId: 'half',
  kind: 'report',
  status: 'running',
  pass: { number: 4, of: 4, name: 'report', message: 'Generating comprehensive report…' },
  section: { index: 1, of: 2, id: '2', title: 'Further results' },
  percent: 90,
  waiting: null,
  parked: null,
  usage: { calls: 12, cachedCalls: 3, inputTokens: 40_000, outputTokens: 210, costUsd: 0.12 },
  warnings: [],
  startedAt: SINCE,
  updatedAt: SINCE,
};

function pageOf(told: Partial<Progress>): string {
  return unfinishedPage({
    snapshot: runSnapshot({ ...PROGRESS, ...told }, null),
    question: 'Does it work?',
    madeAt: SINCE,
    sections: [{ id: '2', title: 'Weitere Ergebnisse', state: 'being written', markdown: null }],
    sources: [],
  });
}

it('is loaded anew while its run goes on, and not when that has ended', () => {
  expect(pageOf({})).toContain('location.reload()');
  for (const status of ['failed', 'cancelled'] as const)
    expect(pageOf({ status })).not.toMatch(/<script|http-equiv="refresh"/);
});
