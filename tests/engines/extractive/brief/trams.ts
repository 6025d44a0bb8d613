import type { Conflict, Finding } from '../../../../src/contracts/report/finding';
import { runExtractiveStep } from '../../../../src/engines/extractive/steps';
import { planBrief } from '../../../../src/steps/plan-brief/plan-brief';
import { PlanBriefInput, type PlanBriefOutput } from '../../../../src/steps/plan-brief/contract';
import { writeBriefPart } from '../../../../src/steps/write-brief-part/write-brief-part';
import type { SectionDraft } from '../../../../src/contracts/report/draft';

export const QUESTION = 'How does a new tram line affect travel and trade in a town?';
const TITLES = ['Journeys to work', 'Trade in the streets', 'Noise and air'];

/** A statement of a summary; its id is made of its place. */
export function statement(subtopic: number, at: number, claim: string, ...citations: string[]): Finding {
  const cited = citations.length === 0 ? [`source-${subtopic}`] : citations;
  return {
    id: `s${subtopic}-${at}`,
    sectionId: `subtopic-${subtopic}`,
    claim,
    citations: cited,
    evidence: cited.map((sourceId) => ({
      sourceId,
      quote: claim,
      start: 100 * at,
      end: 100 * at + claim.length,
    })),
    confidence: 0.6,
  };
}

export type Told = Finding[][];

export const STATEMENTS: Told = [
  [
    statement(
      1,
      1,
      'The new tram line carried 14,200 people to work on a weekday in 2019.',
      'alder',
      'birch',
    ),
    statement(1, 2, 'However, the number fell by 8% where a bus line ran beside the tram.', 'alder'),
    statement(1, 3, 'Travel to work by car fell by 11% in the streets along the tram line.', 'birch'),
    statement(1, 4, 'The survey was carried out by post in the month of May.', 'birch'),
  ],
  [
    statement(2, 1, 'Shops along the tram line sold 6% more in the first year.', 'cedar'),
    statement(2, 2, 'Rents of shops in the town rose by 9% within two years of the opening.', 'cedar'),
    statement(2, 3, 'Shops along the tram line sold 5% less in the first year.', 'elm'),
  ],
  [
    statement(3, 1, 'Shops near the stops reported less noise from cars in the evening.', 'dogwood'),
    statement(
      3,
      2,
      'Nitrogen dioxide beside the line fell from 41 to 33 micrograms per cubic metre.',
      'dogwood',
    ),
  ],
];

export function conflictOf(id: string, one: Finding, other: Finding): Conflict {
  const viewpoint = ({ claim, citations, evidence }: Finding): Conflict['viewpoints'][number] => ({
    statement: claim,
    citations,
    evidence,
  });
  return {
    id,
    topic: 'sales of shops along the line',
    kind: 'direction',
    viewpoints: [viewpoint(one), viewpoint(other)],
    resolution: 'present_both',
    reason: 'The sides report opposite effects.',
    findingIds: [one.id, other.id],
  };
}

export function planInput(changes: Partial<PlanBriefInput> = {}, told: Told = STATEMENTS): PlanBriefInput {
  const subtopics = told.map((findings, at) => ({
    id: `subtopic-${at + 1}`,
    title: TITLES[at] ?? `Subtopic ${at + 1}`,
    findings,
  }));
  return PlanBriefInput.parse({
    question: QUESTION,
    parts: [
      { id: 'summary', title: 'Executive Summary', instruction: '' },
      ...subtopics.map(({ id, title }) => ({ id, title, instruction: '' })),
      { id: 'conclusions', title: 'Conclusions', instruction: '' },
    ],
    subtopics,
    conflicts: [],
    words: null,
    maxWords: 10_000,
    ...changes,
  });
}

export async function planned(input: PlanBriefInput): Promise<PlanBriefOutput> {
  const plan = planBrief.output.parse(await runExtractiveStep('plan-brief', input));
  expect(planBrief.check(input, plan)).toEqual([]);
  return plan;
}

/** Every part of the brief, by its id. */
export async function written(input: PlanBriefInput): Promise<Map<string, SectionDraft>> {
  const plan = await planned(input);
  const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
  const cited = [...new Set(findings.flatMap(({ citations }) => citations))];
  const sources = cited.map((sourceId) => ({
    sourceId,
    title: `The tram of ${sourceId}`,
    quality: { level: 'general' as const, reason: 'a web page' },
  }));
  const { question, conflicts, places } = input;
  const drafts = new Map<string, SectionDraft>();
  for (const part of plan.parts) {
    const partInput = writeBriefPart.input.parse({
      question,
      plan,
      part,
      findings,
      conflicts,
      sources,
      places,
      instruction: '',
      before: null,
      told: [],
      revision: null,
    });
    const draft = writeBriefPart.output.parse(await runExtractiveStep('write-brief-part', partInput));
    expect(writeBriefPart.check(partInput, draft)).toEqual([]);
    for (const { text } of draft.claims) expect(draft.markdown).toContain(text);
    drafts.set(part.id, draft);
  }
  return drafts;
}

export function wordsOf(drafts: ReadonlyMap<string, SectionDraft>): number {
  return [...drafts.values()].reduce((sum, { markdown }) => sum + markdown.split(/\s+/).length, 0);
}
