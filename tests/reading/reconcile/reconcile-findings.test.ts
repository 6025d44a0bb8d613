import type { Conflict, Evidence, Finding } from '../../../src/contracts/report/finding';
import {
  reconcileFindings,
  type SectionToReconcile,
} from '../../../src/reading/reconcile/reconcile-findings';

const SOURCES = new Map(
  ['a', 'b', 'c', 'd'].map((id) => [
    id,
    { title: id, quality: { level: 'general' as const, reason: 'test' } },
  ]),
);

function quote(sourceId: string, text: string): Evidence {
  return { sourceId, quote: text, start: 0, end: text.length };
}

function finding(id: string, sectionId: string, claim: string, sourceId: string): Finding {
  return {
    id,
    sectionId,
    claim,
    citations: [sourceId],
    evidence: [quote(sourceId, claim)],
    confidence: 0.7,
  };
}

function section(
  sectionId: string,
  findings: Finding[],
  checks: SectionToReconcile['checks'] = null,
): SectionToReconcile {
  return {
    section: { id: sectionId, title: sectionId, description: '', subsections: [], relevance: new Map() },
    found: {
      sectionId,
      findings,
      readInFull: [],
      readBySummary: [],
      retrievals: { requested: 0, found: 0, missing: 0, chars: 0 },
    },
    checks,
    unvalidated: false,
  };
}

function reconcile(sections: SectionToReconcile[]): ReturnType<typeof reconcileFindings> {
  return reconcileFindings({
    support: null,
    question: 'What was common?',
    detectConflicts: true,
    sections,
    sources: SOURCES,
  });
}

describe('reconciling findings', () => {
  it('merges what supports a finding under it, with the confidence of its check', () => {
    const found = finding('f1', 'section-1', 'Reading before noon was common.', 'a');
    const { sections } = reconcile([
      section('section-1', [found], {
        checks: [
          {
            findingId: 'f1',
            supporting: [quote('b', 'Many read in the morning.'), quote('a', 'x')],
            confidence: 0.85,
          },
        ],
        conflicts: [],
        gaps: [],
      }),
    ]);
    const [merged] = sections[0]?.findings ?? [];
    expect(merged?.citations).toEqual(['a', 'b']);
    expect(merged?.evidence.map((item) => item.quote)).toEqual([
      'Reading before noon was common.',
      'Many read in the morning.',
    ]);
    expect(merged?.confidence).toBe(0.85);
  });

  it('says a claim of several sections once, in the first, with all its sources', () => {
    const { sections } = reconcile([
      section('section-1', [finding('f1', 'section-1', 'Doors were blue.', 'a')]),
      section('section-2', [
        finding('f2', 'section-2', 'doors were “blue”.', 'b'),
        finding('f3', 'section-2', 'Windows were open.', 'c'),
      ]),
    ]);
    expect(sections.map(({ findings }) => findings.map(({ id }) => id))).toEqual([['f1'], ['f3']]);
    expect(sections[0]?.findings[0]?.citations).toEqual(['a', 'b']);
    // One sentence is one piece of evidence, however many documents it stands in.
    expect(sections[0]?.findings[0]?.confidence).toBe(0.7);
  });

  it('quotes no sentence under two findings', () => {
    const morning = finding('f1', 'section-1', 'Reading before noon was common.', 'a');
    const many = finding('f2', 'section-2', 'Many people read before noon.', 'b');
    const check = (findingId: string, evidence: Evidence): SectionToReconcile['checks'] => ({
      checks: [{ findingId, supporting: [evidence], confidence: 0.85 }],
      conflicts: [],
      gaps: [],
    });
    const { sections } = reconcile([
      section('section-1', [morning], check('f1', quote('b', 'Many people read before noon.'))),
      section('section-2', [many], check('f2', quote('a', 'Reading before noon was common.'))),
    ]);
    expect(sections.map(({ findings }) => findings.map(({ id }) => id))).toEqual([['f1'], []]);
    expect(sections[0]?.findings[0]?.citations).toEqual(['a', 'b']);
  });

  const worded = (id: string, sectionId: string, claim: string, quotes: Evidence[]): Finding => ({
    id,
    sectionId,
    claim,
    citations: quotes.map(({ sourceId }) => sourceId),
    evidence: quotes,
    confidence: 0.7,
  });

  it('keeps what several findings in words of their own take from one sentence, each with all of its sources', () => {
    const [ofA, ofB, ofC] = ['a', 'b', 'c'].map((id) =>
      quote(id, `The light of ${id} was lost, and it grew warm.`),
    );
    if (ofA === undefined || ofB === undefined || ofC === undefined) throw new Error('There are three.');
    const sides = worded('f1', 'section-1', 'The sources disagree on the light.', [ofA, ofB, ofC]);
    const { sections, joined } = reconcile([
      section('section-1', [{ ...sides, confidence: 0.5 }]),
      section('section-2', [
        { ...worded('f2', 'section-2', 'Light was lost in one.', [ofA]), confidence: 0.9 },
        worded('f3', 'section-2', 'It grew warm in another.', [ofB]),
      ]),
    ]);
    expect(sections.map(({ findings }) => findings.map(({ id, citations }) => [id, citations]))).toEqual([
      [['f1', ['a', 'b', 'c']]],
      [
        ['f2', ['a']],
        ['f3', ['b']],
      ],
    ]);
    expect(joined).toBeUndefined();
  });

  it('tells of each finding that another one says as well under which it stands', () => {
    const claim = 'Reading before noon was common.';
    const bare = finding('f3', 'section-2', 'Most read early, as they had been taught.', 'b');
    const { sections, joined } = reconcile([
      section('section-1', [worded('f1', 'section-1', claim, [quote('a', 'Before noon they read.')])]),
      section('section-2', [
        worded('f2', 'section-2', claim, [quote('c', 'Reading was for the morning.')]),
        // Quoted alone it says no more than the finding that rests on it.
        bare,
        worded('f4', 'section-2', 'Early reading was taught.', [quote('b', bare.claim)]),
      ]),
    ]);
    expect(sections.map(({ findings }) => findings.map(({ id }) => id))).toEqual([['f1'], ['f4']]);
    expect(joined?.map(({ finding: { id }, into }) => [id, into])).toEqual([
      ['f2', 'f1'],
      ['f3', 'f4'],
    ]);
  });

  it('moves nothing by words out of a section that a model chose, but what was quoted beside its findings', () => {
    const about = (id: string, title: string): SectionToReconcile['section'] => ({
      id,
      title,
      description: '',
      subsections: [],
      relevance: new Map(),
    });
    const claims = [
      'Falls rose with yearly doses.',
      'Falls fell with daily doses.',
      'Falls were counted monthly.',
    ];
    const given = (quoted: boolean): SectionToReconcile[] => [
      {
        ...section(
          'section-1',
          ['a', 'b', 'c', 'd'].map((id, at) => ({
            ...finding(`f${at}`, 'section-1', claims[at] ?? 'Bone grew.', id),
            ...(quoted ? { quoted: true as const } : {}),
          })),
        ),
        section: about('section-1', 'Bone mineral density'),
      },
      { ...section('section-2', []), section: about('section-2', 'Falls and fractures') },
    ];
    const placed = (quoted: boolean, sectionsStand: boolean): number[] =>
      reconcileFindings({
        support: null,
        question: 'What was common?',
        detectConflicts: false,
        sections: given(quoted),
        sources: SOURCES,
        sectionsStand,
      }).sections.map(({ findings }) => findings.length);
    expect(placed(false, true)).toEqual([4, 0]);
    expect(placed(true, true)).toEqual(placed(false, false));
    expect(placed(false, false)[1]).toBeGreaterThan(0);
  });

  it('keeps each conflict and each gap once, and lowers what is disputed', () => {
    const one = finding('f1', 'section-1', 'Cats are calm.', 'a');
    const two = finding('f2', 'section-2', 'Cats are wild.', 'b');
    const conflict: Conflict = {
      id: 'x',
      topic: 'cats',
      kind: 'direction',
      viewpoints: [one, two].map(({ claim, citations, evidence }) => ({
        statement: claim,
        citations,
        evidence,
      })),
      resolution: 'present_both',
      reason: 'single studies',
      findingIds: ['f1', 'f2'],
    };
    const gap = { question: 'And dogs?', reason: 'No source says.' };
    const mirrored = {
      ...conflict,
      id: 'y',
      viewpoints: [...conflict.viewpoints].reverse(),
      findingIds: ['f2', 'f1'],
    };
    const validated = reconcile([
      section('section-1', [one], { checks: [], conflicts: [conflict], gaps: [gap] }),
      section('section-2', [two], {
        checks: [],
        conflicts: [mirrored],
        gaps: [{ ...gap, question: 'and dogs' }],
      }),
    ]);
    expect(validated.conflicts.map(({ id }) => id)).toEqual(['conflict-1']);
    expect(validated.gaps.filter((kept) => /and dogs/i.test(kept.question))).toHaveLength(1);
    expect(validated.sections.flatMap(({ findings }) => findings.map((item) => item.confidence))).toEqual([
      0.6, 0.6,
    ]);
  });
});
