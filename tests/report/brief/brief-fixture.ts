import type { BriefMaterial, BriefSource } from '../../../src/contracts/brief';
import type { SectionDraft } from '../../../src/contracts/draft';
import type { ClaimVerdict, Finding, Verdict } from '../../../src/contracts/finding';
import { BriefSettings } from '../../../src/contracts/run-settings';
import { citationMark } from '../../../src/lib/citation-marks';
import type { BriefParts } from '../../../src/report/brief/brief-parts';
import { quoted } from '../../support/findings';
import { templateOf } from './read-template';

export const STANDARD = `# {{title}}

## Executive Summary

{{summary}}

## Key Findings

{{findings}}

## Conclusions

{{conclusions}}

## Sources

{{sources}}
`;

export interface Said {
  text: string;
  cites: string[];
}

export const SAID: { title: string; statements: Said[] }[] = [
  {
    title: 'Walking',
    statements: [
      { text: 'Walking lowered systolic pressure by 4 mmHg.', cites: ['s-a', 's-b'] },
      { text: 'Nobody withdrew from the study.', cites: ['s-a'] },
    ],
  },
  {
    title: 'Swimming',
    statements: [
      { text: 'Swimming raised capacity by 11 % in 40 adults.', cites: ['s-c'] },
      { text: 'Swimming left systolic pressure as it was.', cites: ['s-d'] },
    ],
  },
];

export function source(id: string, n: number): BriefSource {
  return {
    id,
    n,
    url: `https://example.org/${id}`,
    title: `On ${id}`,
    site: 'Journal of Walks',
    accessedAt: '2026-01-02T00:00:00.000Z',
    quality: { level: 'general', reason: 'no rule names it' },
    contentRef: null,
    contentChars: 0,
  };
}

/** Material of subtopics, as the summaries say them: a summary is its statements, a mark behind each. */
export function materialOf(subtopics: typeof SAID): {
  material: BriefMaterial;
  summaries: Map<string, string>;
} {
  const sources = [
    ...new Set(subtopics.flatMap(({ statements }) => statements.flatMap(({ cites }) => cites))),
  ];
  const held: Record<string, string> = {};
  const places: BriefMaterial['places'] = {};
  const summaries = new Map<string, string>();
  let findingCount = 0;
  const gathered = subtopics.map(({ title, statements }, at) => {
    const subtopicId = `subtopic-${at + 1}`;
    let summary = '';
    const findings = statements.map(({ text, cites }): Finding => {
      const id = `f${(findingCount += 1)}`;
      places[id] = [{ subtopicId, paragraph: 0, start: summary.length, end: summary.length + text.length }];
      summary += `${text} [${cites.length}] `;
      const evidence = cites.map((sourceId) => {
        held[sourceId] = [held[sourceId], text].filter((known) => known !== undefined).join('\n');
        return quoted(sourceId, text, held[sourceId].length - text.length);
      });
      return { id, sectionId: subtopicId, claim: text, citations: cites, evidence, confidence: 0.6 };
    });
    summaries.set(subtopicId, summary);
    return { id: subtopicId, title, summaryRef: 'a'.repeat(64), words: summary.split(' ').length, findings };
  });
  const material: BriefMaterial = {
    subtopics: gathered,
    conflicts: [],
    sources: sources.map((id, at) => source(id, at + 1)),
    held,
    places,
    checks: {},
    setAside: [],
    warnings: [],
  };
  return { material, summaries };
}

export function verdict(name: Verdict, evidence: ClaimVerdict['evidence'] = null): ClaimVerdict {
  const code = name === 'contradicted' ? 'number-exchanged' : 'same-words';
  return { verdict: name, code, reason: `It is ${name}`, evidence, probability: 0.9 };
}

/** A part that says statements as they are, each found to be borne by its summary. */
export function draftOf(findings: readonly Finding[]): SectionDraft {
  const claims = findings.map(({ id, claim, citations }) => ({
    text: claim.replace(/\.$/, ` ${citationMark(citations)}.`),
    findingIds: [id],
    verdict: verdict('supported'),
  }));
  return { markdown: claims.map(({ text }) => text).join(' '), claims };
}

/** A run that went to its end: the second subtopic's findings are told first, in the summary. */
export function completeBrief(subtopics = SAID): BriefParts & { material: BriefMaterial } {
  const { material, summaries } = materialOf(subtopics);
  const findingsOf = material.subtopics.map(({ findings }) => findings).filter((all) => all.length > 0);
  const last = findingsOf.at(-1) ?? [];
  return {
    id: 'run-1',
    question: 'What does exercise do?',
    status: 'completed',
    endedEarly: null,
    shortfalls: [],
    settings: BriefSettings.parse({}),
    template: templateOf(STANDARD),
    material,
    summaries,
    title: 'Exercise and the heart',
    drafts: [
      { partId: 'summary', draft: draftOf(last.slice(0, 1)) },
      ...material.subtopics.map(({ id, findings }) => ({ partId: id, draft: draftOf(findings) })),
      { partId: 'conclusions', draft: draftOf((findingsOf[0] ?? []).slice(0, 1)) },
    ],
    judge: null,
    warnings: [],
    usage: { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, byPass: {} },
    timings: { total: 0, byPass: {} },
    provenance: {
      engine: 'extractive',
      models: {},
      steps: {},
      template: 'brief',
      asOf: '2026-02-03T00:00:00.000Z',
      runtime: { colligate: '0', node: '0' },
    },
  };
}
