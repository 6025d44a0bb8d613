import type { Conflict, Evidence, Finding } from '../../src/contracts/finding';
import { SynthesisSettings } from '../../src/contracts/run-settings';
import type { CataloguedSource, SourceCatalogue } from '../../src/contracts/source';
import { writeSectionExtractively } from '../../src/engines/extractive/quoted-sections';
import type { ReportParts } from '../../src/report/chapters';

/** What the fixture's sources say, sentence by sentence; a finding quotes one of them. */
export const TEXTS: Record<string, string> = {
  alpha: 'Walking lowered systolic pressure by 4 mmHg. Nobody withdrew from the study.',
  beta: 'Daily walks lowered systolic pressure by 5 mmHg.',
  gamma: 'Walking did not change systolic pressure.',
  delta: 'Swimming raised aerobic capacity by 11% in 40 adults.',
};

export function source(id: string): CataloguedSource {
  return {
    id,
    url: `https://example.org/${id}`,
    title: `On ${id}`,
    author: `${id.charAt(0).toUpperCase()}${id.slice(1)} Jo; Roe Max; Poe Eva`,
    site: 'Journal of Walks',
    publishedAt: '2011',
    accessedAt: '2026-01-02T00:00:00.000Z',
    contentRef: 'a'.repeat(64),
    contentChars: (TEXTS[id] ?? '').length,
    summaryRef: 'b'.repeat(64),
    held: [],
    quality: { level: 'authoritative', reason: 'a journal' },
  };
}

/** A catalogue of these sources, none of which is another's copy. */
export function catalogueOf(sources: CataloguedSource[]): SourceCatalogue {
  return { sources, counts: { sentences: 0, holders: {} }, merged: [] };
}

export function withSources(
  run: ReportParts,
  change: (source: CataloguedSource, at: number) => CataloguedSource,
): ReportParts {
  return { ...run, catalogue: catalogueOf((run.catalogue?.sources ?? []).map(change)) };
}

export function quoteOf(sourceId: string, quote: string): Evidence {
  return { sourceId, quote, start: 0, end: quote.length };
}

export function evidence(sourceId: string, quote: string): Evidence {
  const start = (TEXTS[sourceId] ?? '').indexOf(quote);
  return { sourceId, quote, start, end: start + quote.length };
}

export function finding(id: string, sectionId: string, quotes: Evidence[], confidence = 0.7): Finding {
  return {
    id,
    sectionId,
    claim: quotes[0]?.quote ?? '',
    citations: quotes.map((quote) => quote.sourceId),
    evidence: quotes,
    confidence,
  };
}

const lowered = [
  evidence('alpha', 'Walking lowered systolic pressure by 4 mmHg.'),
  evidence('beta', 'Daily walks lowered systolic pressure by 5 mmHg.'),
];
const unchanged = [evidence('gamma', 'Walking did not change systolic pressure.')];

const conflict: Conflict = {
  id: 'conflict-1',
  topic: 'walking and systolic pressure',
  kind: 'direction',
  viewpoints: [
    { statement: lowered[0]?.quote ?? '', citations: ['alpha', 'beta'], evidence: lowered },
    { statement: unchanged[0]?.quote ?? '', citations: ['gamma'], evidence: unchanged },
  ],
  resolution: 'present_both',
  reason: 'One side reports a decrease, the other no change.',
  findingIds: ['f1', 'f2'],
};

/** A small run that went to its end: two sections, three findings, a conflict and a gap. */
export function completeRun(): ReportParts {
  const sections = [
    {
      id: 'section-1',
      title: 'Walking and blood pressure',
      findings: [finding('f1', 'section-1', lowered, 0.85), finding('f2', 'section-1', unchanged, 0.6)],
    },
    {
      id: 'section-2',
      title: 'Swimming',
      findings: [finding('f3', 'section-2', [evidence('delta', TEXTS.delta ?? '')], 0.75)],
    },
  ];
  const sources = ['alpha', 'beta', 'gamma', 'delta', 'unused'].map(source);
  return {
    id: 'run-1',
    question: 'Does walking help?',
    status: 'completed',
    endedEarly: null,
    shortfalls: [],
    judge: null,
    synthesis: SynthesisSettings.parse({}),
    sourcesGiven: 6,
    catalogue: { ...catalogueOf(sources), merged: [{ id: 'copy', into: 'alpha' }] },
    outline: {
      overallTheme: 'Five sources report on walking and swimming.',
      sections: sections.map(({ id, title, findings }) => ({
        id,
        title,
        description: `About ${title}.`,
        subsections: [],
        relevantSources: findings
          .flatMap(({ citations }) => citations)
          .map((sourceId) => ({ sourceId, relevance: 0.9 })),
        sourceScores: [],
      })),
    },
    findings: sections.map(({ id, findings }) => ({ sectionId: id, findings })),
    conflicts: [conflict],
    gaps: [
      {
        question: 'How long does the effect of walking last?',
        reason: 'No source followed its participants up.',
      },
    ],
    drafts: sections.map(({ id, title, findings }) => ({
      sectionId: id,
      draft: writeSectionExtractively({
        question: 'Does walking help?',
        section: { id, title, description: title, subsections: [] },
        findings,
        conflicts: [conflict],
        sources: sources.map(({ id: sourceId, ...rest }) => ({ sourceId, ...rest })),
        targetWords: 500,
      }),
    })),
    frame: {
      title: 'Does walking help?',
      bullets: [
        '**Swimming.** It raises aerobic capacity [@delta].',
        'Walking may lower pressure [@beta; @gamma].',
      ],
      followUpQuestions: ['Does pace matter?'],
    },
    readInFull: ['alpha', 'beta', 'delta'],
    retrievals: { requested: 3, found: 3, missing: 0, chars: 150 },
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
  };
}
