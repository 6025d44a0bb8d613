import type { SourceFacts } from '../../../src/core/agreement/distinct-evidence';
import { findConflicts } from '../../../src/core/conflicts/find-conflicts';
import type { Finding } from '../../../src/core/contracts/finding';

const general = { level: 'general', reason: 'a web page' } as const;
const authoritative = { level: 'authoritative', reason: 'a journal' } as const;

function source(title: string, facts: Partial<SourceFacts> = {}): SourceFacts {
  return { title, quality: general, ...facts };
}

function finding(id: string, sourceId: string, quote: string): Finding {
  return {
    id,
    sectionId: 'section-1',
    claim: quote,
    citations: [sourceId],
    evidence: [{ sourceId, quote, start: 10, end: 10 + quote.length }],
    confidence: 0.7,
  };
}

const TITLE = 'Effects of rowing on balance: a randomised trial';
const better = 'Rowing significantly improved balance compared with no exercise.';
const alsoBetter = 'Compared with controls, balance improved with rowing.';
const none = 'Rowing had no significant effect on balance.';

describe('conflicts among findings', () => {
  it('puts every source of one topic on its side of one conflict', () => {
    const [conflict, ...others] = findConflicts({
      findings: [finding('f1', 'a', better), finding('f2', 'b', alsoBetter), finding('f3', 'c', none)],
      sources: new Map(['a', 'b', 'c'].map((id) => [id, source(TITLE)])),
    });
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({
      kind: 'direction',
      topic: 'rowing and balance',
      resolution: 'present_both',
      findingIds: ['f1', 'f2', 'f3'],
    });
    expect(conflict?.viewpoints.map(({ citations }) => citations)).toEqual([['b', 'a'], ['c']]);
    expect(conflict?.viewpoints.map(({ statement }) => statement)).toEqual([alsoBetter, none]);
    expect(conflict?.reason).toContain(
      '2 sources report an improvement; one source reports no significant effect',
    );
  });

  it('tells what the studies do not have in common', () => {
    const [conflict] = findConflicts({
      findings: [finding('f1', 'a', better), finding('f2', 'b', none)],
      sources: new Map([
        ['a', source(TITLE, { publishedAt: '2004' })],
        ['b', source(TITLE, { publishedAt: '2016-05-01' })],
      ]),
    });
    expect(conflict?.reason).toContain('They differ in year (2004 against 2016)');
  });

  it('gives numbers that differ for the same thing as a conflict of numbers', () => {
    const [conflict] = findConflicts({
      findings: [
        finding('f1', 'a', 'The town of Harwell has 2,349 inhabitants.'),
        finding('f2', 'b', 'The town of Harwell has 3,912 inhabitants.'),
      ],
      sources: new Map([
        ['a', source('Harwell')],
        ['b', source('Harwell, a town')],
      ]),
    });
    expect(conflict).toMatchObject({ kind: 'number' });
    expect(conflict?.reason).toMatch(/2349.*3912/);
  });

  it('gives one result under conditions that exclude each other as a conflict of conditions', () => {
    const [conflict, ...others] = findConflicts({
      findings: [
        finding('f1', 'a', 'Rowing significantly improved balance, regardless of age.'),
        finding('f2', 'b', 'Depending on age, rowing significantly improved balance.'),
        finding('f3', 'c', 'Rowing significantly improved balance, irrespective of age.'),
      ],
      sources: new Map(['a', 'b', 'c'].map((id) => [id, source(TITLE)])),
    });
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({
      kind: 'condition',
      topic: 'rowing and balance',
      resolution: 'present_both',
    });
    expect(conflict?.viewpoints.map(({ citations }) => citations)).toEqual([['a', 'c'], ['b']]);
    expect(conflict?.reason).toBe(
      'On rowing and balance, 2 sources report the result regardless of age; one source reports the result depending on age.',
    );
  });

  it('tells which way each side goes where one only denies what the other says', () => {
    const [conflict] = findConflicts({
      findings: [
        finding('f1', 'a', 'All three kinds of rowing were better for balance at school.'),
        finding('f2', 'b', 'All three kinds of rowing were not better for balance at school.'),
      ],
      sources: new Map(['a', 'b'].map((id) => [id, source(TITLE)])),
    });
    expect(conflict?.reason).toMatch(
      /one source reports an improvement; one source reports no significant effect/,
    );
  });

  it('favours the only side that rests on an authoritative source, and says so', () => {
    const [conflict] = findConflicts({
      findings: [finding('f1', 'a', better), finding('f2', 'b', none)],
      sources: new Map([
        ['a', source(TITLE)],
        ['b', source(TITLE, { quality: authoritative })],
      ]),
    });
    expect(conflict?.resolution).toBe('favor_viewpoint_2');
    expect(conflict?.reason).toContain('Only the second of the views rests on a source rated authoritative');
  });

  it('sees none within one source, nor between a source and its near-duplicate', () => {
    const sources = new Map([
      ['a', source(TITLE)],
      ['b', source(TITLE, { nearDuplicateOf: 'a' })],
    ]);
    expect(
      findConflicts({ findings: [finding('f1', 'a', better), finding('f2', 'a', none)], sources }),
    ).toEqual([]);
    expect(
      findConflicts({ findings: [finding('f1', 'a', better), finding('f2', 'b', none)], sources }),
    ).toEqual([]);
  });

  it('leaves a source out that takes both sides', () => {
    const conflicts = findConflicts({
      findings: [finding('f1', 'a', better), finding('f2', 'b', none), finding('f3', 'b', alsoBetter)],
      sources: new Map(['a', 'b'].map((id) => [id, source(TITLE)])),
    });
    expect(conflicts).toEqual([]);
  });

  it('names a conflict the same whatever the order of the findings', () => {
    const findings = [finding('f1', 'a', better), finding('f2', 'c', none), finding('f3', 'b', alsoBetter)];
    const sources = new Map(['a', 'b', 'c'].map((id) => [id, source(TITLE)]));
    const ids = [findings, [...findings].reverse()].map((order) =>
      findConflicts({ findings: order, sources }).map(({ id }) => id),
    );
    expect(ids[0]).toHaveLength(1);
    expect(ids[1]).toEqual(ids[0]);
  });

  it('compares a thousand findings in a moment', () => {
    const subjects = Array.from(
      { length: 1_000 },
      (_, index) => `Programme${index} improved outcome${index} in trial number${index}.`,
    );
    const findings = subjects.map((quote, index) => finding(`f${index}`, `s${index}`, quote));
    const started = Date.now();
    expect(
      findConflicts({
        findings,
        sources: new Map(findings.map(({ id }, index) => [`s${index}`, source(id)])),
      }),
    ).toEqual([]);
    expect(Date.now() - started).toBeLessThan(5_000);
  });
});
