import type { Evidence, Finding } from '../../src/contracts/finding';
import type { SourceMetadata } from '../../src/evidence/corroboration';
import {
  findGaps,
  groupAgreeing,
  reconcileFindings,
  type SectionToReconcile,
} from '../../src/evidence/reconcile-findings';
import { findViewpoints, type Viewpoint } from '../../src/evidence/viewpoints';
import { readQuestion } from '../../src/text/question';
import { conflictOf, findingOf, GENERAL, quoted } from '../support/findings';

describe('reconcileFindings', () => {
  const SOURCES = new Map(['a', 'b', 'c', 'd'].map((id) => [id, { title: id, quality: GENERAL }]));
  const NOTHING = { checks: [], conflicts: [], gaps: [] };

  function section(
    sectionId: string,
    findings: Finding[],
    checks: SectionToReconcile['checks'] = null,
    title = sectionId,
  ): SectionToReconcile {
    const read = { readInFull: [], readBySummary: [] };
    const retrievals = { requested: 0, found: 0, missing: 0, chars: 0 };
    return {
      section: { id: sectionId, title, description: '', subsections: [], relevance: new Map() },
      found: { sectionId, findings: findings.map((one) => ({ ...one, sectionId })), ...read, retrievals },
      checks,
      unvalidated: false,
    };
  }

  function reconcile(
    sections: SectionToReconcile[],
    changes: { detectConflicts?: boolean; byModel?: boolean } = {},
  ): ReturnType<typeof reconcileFindings> {
    const given = { support: null, question: 'What was common?', detectConflicts: true, sections };
    return reconcileFindings({ ...given, sources: SOURCES, ...changes });
  }

  const idsIn = ({ sections }: ReturnType<typeof reconcileFindings>): string[][] =>
    sections.map(({ findings }) => findings.map(({ id }) => id));

  it('merges supporting evidence into a finding, with the confidence of its check', () => {
    const claim = 'Reading before noon was common.';
    const supporting = [quoted('b', 'Many read in the morning.'), quoted('a', 'x')];
    const checks = [{ findingId: 'f1', supporting, confidence: 0.85 }];
    const { sections } = reconcile([
      section('section-1', [findingOf('f1', claim, 'a')], { ...NOTHING, checks }),
    ]);
    const [merged] = sections[0]?.findings ?? [];
    expect(merged?.citations).toEqual(['a', 'b']);
    expect(merged?.evidence.map(({ quote }) => quote)).toEqual([claim, 'Many read in the morning.']);
    expect(merged?.confidence).toBe(0.85);
  });

  it('keeps a claim of several sections once, in the first, with all sources', () => {
    const doors = findingOf('f2', 'doors were “blue”.', 'b');
    const reconciled = reconcile([
      section('section-1', [findingOf('f1', 'Doors were blue.', 'a')]),
      section('section-2', [doors, findingOf('f3', 'Windows were open.', 'c')]),
    ]);
    const { sections } = reconciled;
    expect(idsIn(reconciled)).toEqual([['f1'], ['f3']]);
    expect(sections[0]?.findings[0]?.citations).toEqual(['a', 'b']);
    // One sentence is one piece of evidence, however many documents it stands in.
    expect(sections[0]?.findings[0]?.confidence).toBe(0.7);
  });

  it('quotes a sentence under one finding only', () => {
    const [morning, many] = ['Reading before noon was common.', 'Many people read before noon.'];
    const checkedBy = (findingId: string, evidence: Evidence): SectionToReconcile['checks'] => ({
      ...NOTHING,
      checks: [{ findingId, supporting: [evidence], confidence: 0.85 }],
    });
    const reconciled = reconcile([
      section('section-1', [findingOf('f1', morning, 'a')], checkedBy('f1', quoted('b', many))),
      section('section-2', [findingOf('f2', many, 'b')], checkedBy('f2', quoted('a', morning))),
    ]);
    expect(idsIn(reconciled)).toEqual([['f1'], []]);
    expect(reconciled.sections[0]?.findings[0]?.citations).toEqual(['a', 'b']);
  });

  const worded = (id: string, claim: string, evidence: Evidence[], confidence = 0.7): Finding =>
    findingOf(
      id,
      claim,
      evidence.map(({ sourceId }) => sourceId),
      { evidence, confidence },
    );

  it('keeps several findings in their own words on one sentence, each with its sources', () => {
    const light = (id: string): Evidence => quoted(id, `The light of ${id} was lost, and it grew warm.`);
    const sides = worded('f1', 'The sources disagree on the light.', ['a', 'b', 'c'].map(light), 0.5);
    const reconciled = reconcile([
      section('section-1', [sides]),
      section('section-2', [
        worded('f2', 'Light was lost in one.', [light('a')], 0.9),
        worded('f3', 'It grew warm in another.', [light('b')]),
      ]),
    ]);
    expect(idsIn(reconciled)).toEqual([['f1'], ['f2', 'f3']]);
    const cited = reconciled.sections.flatMap(({ findings }) => findings.map(({ citations }) => citations));
    expect(cited).toEqual([['a', 'b', 'c'], ['a'], ['b']]);
    expect(reconciled.joined).toBeUndefined();
  });

  it('lists the findings that were joined into others', () => {
    const claim = 'Reading before noon was common.';
    const bare = findingOf('f3', 'Most read early, as they had been taught.', 'b');
    const reconciled = reconcile([
      section('section-1', [worded('f1', claim, [quoted('a', 'Before noon they read.')])]),
      section('section-2', [
        worded('f2', claim, [quoted('c', 'Reading was for the morning.')]),
        // Quoted alone it says no more than the finding that rests on it.
        bare,
        worded('f4', 'Early reading was taught.', bare.evidence),
      ]),
    ]);
    expect(idsIn(reconciled)).toEqual([['f1'], ['f4']]);
    const into = reconciled.joined?.map((joined) => `${joined.finding.id} into ${joined.into}`);
    expect(into).toEqual(['f2 into f1', 'f3 into f4']);
  });

  it('moves only quoted findings out of sections that a model chose', () => {
    const falls = [
      'Falls rose with yearly doses.',
      'Falls fell with daily doses.',
      'Falls were counted monthly.',
    ];
    const claims = [...falls, 'Bone grew.'];
    const placed = (isQuoted: boolean, byModel: boolean): number[] => {
      const quotedBeside = isQuoted ? { quoted: true as const } : {};
      const findings = claims.map((claim, at) => findingOf(`f${at}`, claim, 'abcd'[at] ?? '', quotedBeside));
      const sections = [
        section('section-1', findings, null, 'Bone mineral density'),
        section('section-2', [], null, 'Falls and fractures'),
      ];
      return idsIn(reconcile(sections, { detectConflicts: false, byModel })).map(({ length }) => length);
    };
    expect(placed(false, true)).toEqual([4, 0]);
    expect(placed(true, true)).toEqual(placed(false, false));
    expect(placed(false, false)[1]).toBeGreaterThan(0);
  });

  it('keeps each conflict and gap once and lowers the confidence of disputed findings', () => {
    const [calm, wild] = [findingOf('f1', 'Cats are calm.', 'a'), findingOf('f2', 'Cats are wild.', 'b')];
    const gaps = [{ question: 'And dogs?', reason: 'No source says.' }];
    const again = [{ question: 'and dogs', reason: 'No source says.' }];
    const validated = reconcile([
      section('section-1', [calm], { ...NOTHING, conflicts: [conflictOf([calm, wild], { id: 'x' })], gaps }),
      section('section-2', [wild], {
        ...NOTHING,
        conflicts: [conflictOf([wild, calm], { id: 'y' })],
        gaps: again,
      }),
    ]);
    expect(validated.conflicts.map(({ id }) => id)).toEqual(['conflict-1']);
    expect(validated.gaps.filter(({ question }) => /and dogs/i.test(question))).toHaveLength(1);
    const confidences = validated.sections.flatMap(({ findings }) =>
      findings.map(({ confidence }) => confidence),
    );
    expect(confidences).toEqual([0.6, 0.6]);
  });
});

describe('groupAgreeing', () => {
  const SOURCE: SourceMetadata = { title: 'Effects of rowing on balance', quality: GENERAL };
  const sources = new Map(['a', 'b', 'c'].map((id) => [id, SOURCE]));

  /** What the sources a, b and c say, which become f1, f2 and f3. */
  const said = (...texts: string[]): Finding[] =>
    texts.map((text, at) => findingOf(`f${at + 1}`, text, 'abc'[at] ?? ''));

  const grouped = (findings: Finding[]): (readonly string[])[] =>
    groupAgreeing(findings, sources).map(({ findingIds }) => findingIds);

  it('groups agreeing findings under the most confident one', () => {
    const [one, other] = ['Rowing improved balance.', 'Balance was significantly improved by rowing.'];
    const findings = said(one, other, 'Rowing increased leg strength.');
    const groups = groupAgreeing(
      findings.map((finding) => (finding.id === 'f2' ? { ...finding, confidence: 0.8 } : finding)),
      sources,
    );
    expect(groups.map(({ findingIds }) => findingIds)).toEqual([['f2', 'f1'], ['f3']]);
    expect(groups[0]?.finding).toMatchObject({ id: 'f2', claim: other, citations: ['b', 'a'] });
    expect(groups[0]?.finding.evidence.map(({ quote }) => quote)).toEqual([other, one]);
  });

  it('does not group contradicting findings or findings of one source', () => {
    const findings = said('Rowing improved balance.', 'Rowing did not improve balance.');
    const again = findingOf('f3', 'Balance improved with rowing.', 'a');
    expect(grouped([...findings, again])).toEqual([['f1'], ['f2'], ['f3']]);
  });

  it('does not group findings with different figures', () => {
    const [a, b, c] = ['by 12%', 'by 19%', 'by 12.3%'].map((by) => `Rowing improved balance ${by}.`);
    expect(grouped(said(a ?? '', b ?? '', c ?? ''))).toEqual([['f1', 'f3'], ['f2']]);
  });
});

describe('viewpoints of sources', () => {
  function viewpoints(question: string, ...texts: string[][]): Viewpoint[] {
    const sources = texts.map((sentences, at) => ({ id: `source-${at + 1}`, title: '', sentences }));
    return findViewpoints(readQuestion(question), sources);
  }

  describe('findViewpoints', () => {
    const OPENED = 'When was the Alder bridge opened?';
    const [IN_1931, IN_1928] = [
      'The Alder bridge was opened in 1931.',
      'The Alder bridge was opened in 1928.',
    ];

    it('separates answers, each with its sources', () => {
      const later = 'The Alder bridge was opened in 1931 after long delays.';
      const found = viewpoints(OPENED, [IN_1931, 'It is made of steel.'], [IN_1928], [later]);
      expect(found.map(({ answer, sources }) => ({ answer, sources }))).toEqual([
        { answer: '1931', sources: ['source-1', 'source-3'] },
        { answer: '1928', sources: ['source-2'] },
      ]);
    });

    it('joins a full and a short form of a date', () => {
      expect(viewpoints(OPENED, ['The Alder bridge was opened on 2 July 1931.'], [IN_1931])).toHaveLength(1);
    });

    it('omits sentences on another subject', () => {
      const [people, books] = [
        'In Marden live 4,120 people.',
        'The library of Oxley lends 90,000 books a year.',
      ];
      const found = viewpoints('How many people live in Marden?', [people], [books]);
      expect(found.map(({ answer }) => answer)).toEqual(['4,120']);
    });

    it('returns none where no sentence could answer', () => {
      expect(viewpoints(OPENED, ['The bridge is long.'])).toEqual([]);
      expect(viewpoints(OPENED)).toEqual([]);
    });
  });
});

describe('findGaps', () => {
  const section = { id: 'section-1', title: 'Trams' };
  const [one, other] = [findingOf('one', 'Noise fell by 4 dB.', 'a'), findingOf('other', 'Noise rose.', 'b')];

  test('a section without a finding, and a conflict of which no side is favoured, are gaps', () => {
    const conflict = conflictOf([one, other], { topic: 'noise' });
    const gaps = findGaps({ sections: [{ section, findings: [] }], conflicts: [conflict] });
    expect(gaps.map(({ sectionId }) => sectionId)).toEqual(['section-1', undefined]);
    const favoured = { ...conflict, resolution: 'favor_viewpoint_1' };
    expect(findGaps({ sections: [{ section, findings: [one] }], conflicts: [favoured] })).toEqual([]);
  });

  test('sources with none of the question’s words are told by number and name', () => {
    const titles = Array.from({ length: 12 }, (_, at) => `Notes ${at + 1}`);
    const [gap] = findGaps({ sections: [], conflicts: [], silent: { titles, of: 20 } });
    expect(gap?.reason).toContain('12 of the 20 sources: “Notes 1”, “Notes 2”');
    expect(gap?.reason).toMatch(/“Notes 10”, and 2 more\.$/);
    expect(findGaps({ sections: [], conflicts: [], silent: { titles: [], of: 20 } })).toEqual([]);
  });
});
