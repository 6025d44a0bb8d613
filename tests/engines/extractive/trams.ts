import type { SectionDraft } from '../../../src/contracts/draft';
import type { Conflict, Finding } from '../../../src/contracts/finding';
import type { BriefPlan } from '../../../src/contracts/outline';
import { runExtractiveStep } from '../../../src/engines/extractive/extractive-steps';
import { planBrief, PlanBriefInput, writeBriefPart } from '../../../src/steps/write-rows';
import { conflictOf, findingOf, GENERAL, quoted } from '../../support/findings';

export const QUESTION = 'How does a new tram line affect travel and trade in a town?';
const TITLES = ['Journeys to work', 'Trade in the streets', 'Noise and air'];

/** A statement of a summary; its id is made of its place. */
export function statement(subtopic: number, at: number, claim: string, ...citations: string[]): Finding {
  const cited = citations.length === 0 ? [`source-${subtopic}`] : citations;
  const evidence = cited.map((sourceId) => quoted(sourceId, claim, 100 * at));
  const sectionId = `subtopic-${subtopic}`;
  return findingOf(`s${subtopic}-${at}`, claim, cited, { sectionId, evidence, confidence: 0.6 });
}

export type Told = Finding[][];

const SAID: [claim: string, ...sources: string[]][][] = [
  [
    ['The new tram line carried 14,200 people to work on a weekday in 2019.', 'alder', 'birch'],
    ['However, the number fell by 8% where a bus line ran beside the tram.', 'alder'],
    ['Travel to work by car fell by 11% in the streets along the tram line.', 'birch'],
    ['The survey was carried out by post in the month of May.', 'birch'],
  ],
  [
    ['Shops along the tram line sold 6% more in the first year.', 'cedar'],
    ['Rents of shops in the town rose by 9% within two years of the opening.', 'cedar'],
    ['Shops along the tram line sold 5% less in the first year.', 'elm'],
  ],
  [
    ['Shops near the stops reported less noise from cars in the evening.', 'dogwood'],
    ['Nitrogen dioxide beside the line fell from 41 to 33 micrograms per cubic metre.', 'dogwood'],
  ],
];
export const STATEMENTS: Told = SAID.map((statements, subtopic) =>
  statements.map(([claim, ...sources], at) => statement(subtopic + 1, at + 1, claim, ...sources)),
);

/** The two as sides of a disagreement; none of what is not there. */
export function conflictsOf(...sides: (Finding | undefined)[]): Conflict[] {
  const reason = 'The sides report opposite effects.';
  const known = sides.flatMap((side) => side ?? []);
  return [conflictOf(known, { topic: 'sales of shops along the line', reason })];
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
      { id: 'summary', title: 'Executive Summary' },
      ...subtopics.map(({ id, title }) => ({ id, title })),
      { id: 'conclusions', title: 'Conclusions' },
    ],
    subtopics,
    words: null,
    maxWords: 10_000,
    ...changes,
  });
}

export async function planned(input: PlanBriefInput): Promise<BriefPlan> {
  const plan = planBrief.output.parse(await runExtractiveStep('plan-brief', input));
  expect(planBrief.check(input, plan)).toEqual([]);
  return plan;
}

/** Every part of the brief, by its id. */
export async function written(
  input: PlanBriefInput,
  conflicts: Conflict[] = [],
): Promise<Map<string, SectionDraft>> {
  const plan = await planned(input);
  const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
  const cited = [...new Set(findings.flatMap(({ citations }) => citations))];
  const sources = cited.map((sourceId) => ({
    sourceId,
    title: `The tram of ${sourceId}`,
    quality: GENERAL,
  }));
  const drafts = new Map<string, SectionDraft>();
  for (const part of plan.parts) {
    const partInput = writeBriefPart.input.parse({ part, findings, conflicts, sources });
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
