import type { ReportParts } from '../../src/report/chapters';

type Reading = 'question' | 'synthesis' | 'sourcesGiven' | 'catalogue' | 'outline';
type Told = Reading | 'findings' | 'conflicts' | 'gaps' | 'drafts' | 'frame';

/** What a run that went well leaves besides what it found, under no engine's bill. */
export function reportParts(parts: Pick<ReportParts, Told> & Partial<ReportParts>): ReportParts {
  return {
    id: 'run',
    status: 'completed',
    endedEarly: null,
    shortfalls: [],
    judge: null,
    readInFull: [],
    retrievals: { requested: 0, found: 0, missing: 0, chars: 0 },
    warnings: [],
    usage: { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, byPass: {} },
    timings: { total: 1, byPass: {} },
    provenance: {
      engine: 'extractive',
      models: {},
      steps: {},
      asOf: '2026-01-02T00:00:00.000Z',
      runtime: { colligate: '0', node: '20' },
    },
    ...parts,
  };
}
