import type { Conflict, Evidence, Finding } from '../../src/contracts/finding';
import { type DimensionScore, JUDGE_DIMENSIONS, mapDimensions } from '../../src/contracts/judgement';
import type { OutlinePlan } from '../../src/contracts/outline';
import type { SourceRecord } from '../../src/contracts/source';
import { citationMark } from '../../src/lib/citation-marks';
import type { JudgeOutput } from '../../src/steps/judge';
import type { OutlineInput } from '../../src/steps/outline-sections';
import type { InputOf, OutputOf, StepName } from '../../src/steps/registry';
import { splitSentences } from '../../src/text/sentences';
import type { StepScript } from './scripted-engine';

/** Two subjects, each told by several sources. */
export const SOURCES: SourceRecord[] = [
  record(
    'walk-1',
    'Walking and sleep',
    'Walking for 30 minutes improved sleep in 40 adults. Nobody dropped out.',
  ),
  record(
    'walk-2',
    'Evening walks',
    'Evening walks made 25 students fall asleep 12 minutes earlier. It was spring.',
  ),
  record(
    'tea-1',
    'Tea and focus',
    'Green tea raised attention scores by 9 percent in 60 workers. It was blinded.',
  ),
  record('tea-2', 'Black tea', 'Black tea had no effect on attention in 30 drivers. The trial was short.'),
];

function record(id: string, title: string, content: string): SourceRecord {
  return { id, url: `https://example.org/${id}`, title, accessedAt: '2026-01-02T03:04:05.000Z', content };
}

/** Answers every step of a report from its input alone: a section for walks and one for tea, a finding a source. */
export const REPORT_SCRIPT: Record<string, StepScript> = {
  summarise: ({ sources }) => ({
    summaries: sources.map(({ sourceId, passages }) => ({
      sourceId,
      summary: splitSentences(passages[0]?.text ?? '')[0]?.text ?? sourceId,
    })),
  }),
  outline: ({ sources }) => ({
    overallTheme: 'Small habits have measurable effects.',
    sections: ['walk', 'tea'].map((subject, index) => ({
      id: `section-${index + 1}`,
      title: subject === 'walk' ? 'Walking' : 'Tea',
      description: `What ${subject} does.`,
      subsections: [],
      relevantSources: sources
        .filter((source) => source.sourceId.startsWith(subject))
        .map(({ sourceId }, rank) => ({ sourceId, relevance: 0.9 - rank / 10 })),
    })),
  }),
  'score-relevance': ({ sections, sources }) => ({
    scores: sources.map(({ sourceId }) => ({
      sourceId,
      sections: sections.map(({ id, relevantSources }) => ({
        sectionId: id,
        relevance: relevantSources.find((source) => source.sourceId === sourceId)?.relevance ?? 0.1,
      })),
    })),
  }),
  'extract-findings': ({ section, alsoFor = [], sources }) => ({
    sectionId: section.id,
    findings: sources.map((source, index): Finding => {
      const passage = source.passages[0];
      const sentence = splitSentences(passage?.text ?? '')[0];
      if (passage === undefined || sentence === undefined)
        throw new Error(`nothing to read in ${source.sourceId}`);
      // Of several sections that it is asked for at once, the one that its subject belongs to.
      const title = source.sourceId.startsWith('tea') ? 'Tea' : 'Walking';
      const own = [section, ...alsoFor].find((one) => one.title === title) ?? section;
      const start = passage.start + sentence.start;
      const evidence: Evidence = {
        sourceId: source.sourceId,
        quote: sentence.text,
        start,
        end: start + sentence.text.length,
      };
      return {
        id: `${own.id}-finding-${index + 1}`,
        sectionId: own.id,
        claim: sentence.text,
        citations: [source.sourceId],
        evidence: [evidence],
        confidence: 0.7,
      };
    }),
  }),
  'cross-check': ({ section, findings }) => ({
    checks: findings.map(({ id }) => ({
      findingId: id,
      supporting: [],
      contradicting: [],
      confidence: 0.75,
    })),
    conflicts: section.id === 'section-2' && findings.length > 1 ? [conflictOf(findings)] : [],
    gaps: [{ question: `What else does ${section.title.toLowerCase()} do?`, reason: 'No source says.' }],
  }),
  'write-section': ({ findings }) => {
    const claims = findings.map((finding) => ({
      text: `${finding.claim} ${citationMark(finding.citations)}`,
      findingIds: [finding.id],
    }));
    return { markdown: claims.map((claim) => claim.text).join('\n\n'), claims };
  },
  'write-summary': ({ sections }) => ({
    title: 'Habits',
    bullets: sections.flatMap(({ findings }) =>
      findings.slice(0, 1).map((finding) => `${finding.claim} ${citationMark(finding.citations)}`),
    ),
    followUpQuestions: ['And coffee?'],
  }),
  'write-text': ({ sources }) => {
    const sentences = sources.map(({ sourceId, passages }) => {
      const sentence = splitSentences(passages[0]?.text ?? '')[0]?.text ?? '';
      return `${sentence.replace(/\.$/, '')} ${citationMark([sourceId])}.`;
    });
    return {
      markdown: `# Habits\n\n## Executive Summary\n\n- ${sentences[0] ?? ''}\n\n## All of them\n\n${sentences.join(' ')}`,
    };
  },
  'audit-text': ({ statements, sources }) => ({
    verdicts: statements
      .filter(({ isAsked }) => isAsked)
      .map(({ id, sourceIds }) => ({
        id,
        verdict: 'supported',
        severity: 'wording',
        quotes: sources
          .filter(({ sourceId }) => sourceIds.includes(sourceId))
          .flatMap(({ sourceId, passages: [passage] }) => {
            const sentence = splitSentences(passage?.text ?? '')[0];
            if (passage === undefined || sentence === undefined) return [];
            const start = passage.start + sentence.start;
            return [{ sourceId, quote: sentence.text, start, end: start + sentence.text.length }];
          }),
        calculation: '',
        reason: '',
      })),
    notes: [],
  }),
  'mend-text': () => ({ edits: [] }),
  judge: () => judgedAlike(5, []),
} satisfies { [Name in StepName]?: (input: InputOf<Name>) => OutputOf<Name> };

/** Of a part of the sources there is a section for the subject of its first one only. */
export function planOfOne({ sources }: OutlineInput): OutlinePlan {
  const subject = sources[0]?.sourceId.startsWith('walk') === true ? 'Walking' : 'Tea';
  return {
    overallTheme: 'A part of the sources.',
    sections: [
      {
        id: 'section-1',
        title: subject,
        description: `What ${subject} does.`,
        subsections: [],
        relevantSources: sources.map(({ sourceId }) => ({ sourceId, relevance: 0.8 })),
      },
    ],
  };
}

/** The same score in all dimensions, with these parts to mend. */
export function judgedAlike(score: number, parts: readonly string[]): JudgeOutput {
  const places = parts.map((partId) => ({ partId, quote: null }));
  const dimension: DimensionScore = { score, reason: 'A script judges it.', places };
  return { by: 'model', ...mapDimensions(JUDGE_DIMENSIONS, () => dimension) };
}

function conflictOf(findings: Finding[]): Conflict {
  return {
    id: 'conflict',
    topic: 'tea and attention',
    kind: 'direction',
    viewpoints: findings.map(({ claim, citations, evidence }) => ({ statement: claim, citations, evidence })),
    resolution: 'present_both',
    reason: 'Both are single trials.',
    findingIds: findings.map((finding) => finding.id),
  };
}
