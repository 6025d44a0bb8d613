import {
  type DimensionScore,
  JUDGE_DIMENSIONS,
  type JudgedClaim,
  type JudgedDocument,
  type JudgedPart,
  type JudgeOpinion,
  mapDimensions,
} from '../../src/contracts/judgement';
import { JudgeSettings } from '../../src/contracts/run-settings';

export const SETTINGS = JudgeSettings.parse({});

const BONES = [
  'Bone mineral density rose by 2.1% in women who took vitamin D.',
  'Hip fractures became fewer among women in nursing homes.',
  'Calcium in the blood rose to 2.4 mmol/l within eight weeks.',
  'The density of the spine did not change in men below fifty.',
];
const SLEEP = [
  'Sleep lasted 22 minutes longer with magnesium than with placebo.',
  'Older sleepers woke 3 times a night before magnesium and twice after it.',
  'Magnesium reduced the time to fall asleep by 17 minutes.',
  'Melatonin in the evening increased with magnesium tablets.',
];

const marked = (sentences: readonly string[], from: number): string =>
  sentences.map((text, at) => text.replace(/\.$/, ` [${from + at}].`)).join('\n\n');

export function part(id: string, markdown: string, role: JudgedPart['role'] = 'body'): JudgedPart {
  return { id, title: id === 'subtopic-1' ? 'Vitamin D and bones' : 'Magnesium and sleep', role, markdown };
}

export const BONES_PART = part('subtopic-1', marked(BONES, 1));
export const SLEEP_PART = part('subtopic-2', marked(SLEEP, 5));

function claimsOf(partId: string, sentences: readonly string[], from: number): JudgedClaim[] {
  return sentences.map((text, at) => ({
    partId,
    text,
    sourceIds: [`source-${from + at}`],
    verdict: 'supported',
    stands: true,
  }));
}

/** Two topics of four statements each, told in full; the last two on bones disagree. */
export function judgedDocument(changes: Partial<JudgedDocument> = {}): JudgedDocument {
  const statements = (
    texts: readonly string[],
    from: number,
  ): JudgedDocument['topics'][number]['statements'] =>
    texts.map((text, at) => ({ text, sourceIds: [`source-${from + at}`] }));
  return {
    question: 'What do supplements do?',
    title: 'Supplements',
    parts: [BONES_PART, SLEEP_PART],
    claims: [...claimsOf('subtopic-1', BONES, 1), ...claimsOf('subtopic-2', SLEEP, 5)],
    topics: [
      { id: 'subtopic-1', title: 'Vitamin D and bones', statements: statements(BONES, 1) },
      { id: 'subtopic-2', title: 'Magnesium and sleep', statements: statements(SLEEP, 5) },
    ],
    conflicts: [
      {
        topic: 'bone density',
        viewpoints: [
          { text: BONES[0] ?? '', sourceIds: ['source-1'] },
          { text: BONES[3] ?? '', sourceIds: ['source-4'] },
        ],
      },
    ],
    sources: Array.from({ length: 8 }, (_, at) => ({
      sourceId: `source-${at + 1}`,
      n: at + 1,
      title: `Study ${String.fromCharCode(65 + at)}`,
      site: null,
    })),
    targetWords: null,
    ...changes,
  };
}

export function dimension(score: number, changes: Partial<DimensionScore> = {}): DimensionScore {
  return { score, reason: 'So it is.', places: [], ...changes };
}

export function opinion(score: number, changes: Partial<JudgeOpinion> = {}): JudgeOpinion {
  return {
    by: 'model',
    ...mapDimensions(JUDGE_DIMENSIONS, () => dimension(score)),
    ...changes,
  };
}
