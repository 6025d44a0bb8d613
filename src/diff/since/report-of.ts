import type { Report } from '../../contracts/report/report';
import { countVerdicts } from '../../core/settled-text/count-verdicts';

export interface Compared extends Pick<
  Report,
  'id' | 'question' | 'title' | 'status' | 'markdown' | 'sections' | 'citations' | 'setAside' | 'conflicts'
> {
  claims: Omit<Report['claims'][number], 'confidence' | 'validated'>[];
  engine: Report['provenance']['engine'];
  asOf: string;
}

/** Of a text that says nothing of how sure it is of each claim, none is surer than another. */
const CONFIDENCE = 0.5;

/** A text in the shape in which reports are compared; what it has nothing of is empty. */
export function reportOf({ claims, engine, asOf, ...text }: Compared): Report {
  return {
    ...text,
    kind: 'report',
    overallTheme: '',
    citationStyle: 'numbered',
    claims: claims.map((claim) => ({ ...claim, confidence: CONFIDENCE, validated: true })),
    gaps: [],
    followUpQuestions: [],
    citationReport: {
      uniqueCitations: 0,
      usages: 0,
      coverage: 0,
      bySection: [],
      lowCitationSections: [],
      mostCited: [],
      meetsMinimum: true,
      weakMajorClaims: [],
      recommendations: [],
    },
    audit: countVerdicts([]),
    judge: null,
    sources: {
      total: 0,
      inFull: 0,
      bySummary: 0,
      unused: 0,
      duplicates: 0,
      retrievals: { requested: 0, found: 0, missing: 0, chars: 0 },
    },
    warnings: [],
    usage: { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, byPass: {} },
    timings: { total: 0, byPass: {} },
    provenance: { engine, models: {}, steps: {}, asOf, runtime: { colligate: '', node: '' } },
  };
}
