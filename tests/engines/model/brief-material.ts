import { countWords } from '../../../src/core/writing/shorten';
import type { BriefPlan } from '../../../src/contracts/brief/brief-plan';
import type { Conflict, Finding } from '../../../src/contracts/report/finding';
import type { PlanBriefInput, WantedPart } from '../../../src/steps/plan-brief/contract';
import type { WriteBriefInput } from '../../../src/steps/write-brief/contract';
import type { WriteBriefPartInput } from '../../../src/steps/write-brief-part/contract';
import { CONTENT, QUESTION, sourceWindow } from './material';

/** Statements of two summaries, each with the sources that it cites. Invented for the tests. */
export const SAID = {
  women: 'Bone mineral density rose by 2.1% in women who took 800 IU of vitamin D daily for 12 months.',
  older: 'Among 310 adults aged over 70, bone mineral density increased by 1.9 % with daily vitamin D.',
  men: 'Bone mineral density did not differ between vitamin D and placebo in 410 men after 24 months.',
  falls: 'Yearly high-dose vitamin D led to 15% more falls than placebo.',
  fractures: 'Fractures fell from 8 to 5 in a year with a daily dose.',
} as const;

/** What the model writes of them, each with the short names of its sources. */
export const WRITTEN = {
  women: `${SAID.women.slice(0, -1)} [S1].`,
  older: `${SAID.older.slice(0, -1)} [S2].`,
  men: `${SAID.men.slice(0, -1)} [S4].`,
  falls: `${SAID.falls.slice(0, -1)} [S3].`,
  fractures: `${SAID.fractures.slice(0, -1)} [S2][S3].`,
} as const;

const statement = (id: string, sectionId: string, claim: string, ...citations: string[]): Finding => ({
  id,
  sectionId,
  claim,
  citations,
  evidence: citations.map((sourceId) => ({ sourceId, quote: claim, start: 0, end: claim.length })),
  confidence: 0.75,
});

export const BONE: Finding[] = [
  statement('b1', 'subtopic-1', SAID.women, 'study-a'),
  statement('b2', 'subtopic-1', SAID.older, 'study-b'),
  statement('b3', 'subtopic-1', SAID.men, 'study-d'),
];
export const FALLS: Finding[] = [
  statement('f1', 'subtopic-2', SAID.falls, 'study-c'),
  statement('f2', 'subtopic-2', SAID.fractures, 'study-b', 'study-c'),
];

export const CONFLICT: Conflict = {
  id: 'conflict-1',
  topic: 'vitamin D and bone mineral density',
  kind: 'direction',
  viewpoints: BONE.filter(({ id }) => id !== 'b2').map(({ claim, citations, evidence }) => ({
    statement: claim,
    citations,
    evidence,
  })),
  resolution: 'present_both',
  reason: 'One reports a rise, the other no difference.',
  findingIds: ['b1', 'b3'],
};

const TITLES = {
  summary: 'Executive Summary',
  'subtopic-1': 'Bone mineral density',
  'subtopic-2': 'Falls and fractures',
  conclusions: 'Conclusions',
};
export const PARTS: WantedPart[] = Object.entries(TITLES).map(([id, title]) => ({
  id,
  title,
  instruction: '',
}));

export const SUBTOPICS = [
  { id: 'subtopic-1', title: TITLES['subtopic-1'], findings: BONE },
  { id: 'subtopic-2', title: TITLES['subtopic-2'], findings: FALLS },
];

const planned = (
  id: keyof typeof TITLES,
  words: number,
  ...findingIds: string[]
): BriefPlan['parts'][number] => ({
  id,
  title: TITLES[id],
  guidance: '',
  words,
  findingIds,
});
export const PLAN: BriefPlan = {
  title: 'Vitamin D and bone',
  parts: [
    planned('summary', 30, 'b1', 'f1'),
    planned('subtopic-1', 55, 'b1', 'b2', 'b3'),
    planned('subtopic-2', 25, 'f1', 'f2'),
    planned('conclusions', 20, 'b1', 'f1'),
  ],
};

const sources = Object.keys(CONTENT).map((id) => {
  const { title, author, publishedAt, quality } = sourceWindow(id);
  return { sourceId: id, title, author, publishedAt, quality };
});

const whole = { question: QUESTION, parts: PARTS, subtopics: SUBTOPICS, conflicts: [CONFLICT] };
const lengths = { words: null, maxWords: 10_000 };

export function planInput(changes: Partial<PlanBriefInput> = {}): PlanBriefInput {
  return { ...whole, ...lengths, ...changes };
}

export function briefInput(changes: Partial<WriteBriefInput> = {}): WriteBriefInput {
  return { ...whole, ...lengths, plan: PLAN, sources, ...changes };
}

/** The part on bone mineral density, unless another is named. */
export function partInput(
  changes: Partial<WriteBriefPartInput> = {},
  partId = 'subtopic-1',
): WriteBriefPartInput {
  const part = PLAN.parts.find(({ id }) => id === partId);
  if (part === undefined) throw new Error(`${partId} is not planned`);
  return {
    question: QUESTION,
    plan: PLAN,
    part,
    instruction: '',
    findings: BONE,
    conflicts: [CONFLICT],
    sources,
    before: null,
    told: [],
    revision: null,
    ...changes,
  };
}

/** How many words the statements of each subtopic have. */
export const STATED_WORDS = {
  bone: wordsOf(BONE),
  falls: wordsOf(FALLS),
};

function wordsOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, { claim }) => sum + countWords(claim), 0);
}
