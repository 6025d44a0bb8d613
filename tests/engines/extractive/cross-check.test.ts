import type { Finding } from '../../../src/contracts/report/finding';
import type { SourceWindow } from '../../../src/contracts/source/passage';
import { splitPassages } from '../../../src/language/passages';
import { crossCheckExtractively } from '../../../src/engines/extractive/cross-check';
import { crossCheck } from '../../../src/steps/cross-check/cross-check';
import { CrossCheckOutput, type CrossCheckInput } from '../../../src/steps/cross-check/contract';
import { AUTHORITATIVE, findingOf, GENERAL, quoted } from '../../support/findings';

const TITLE = 'Effects of rowing on leg strength: a randomised trial';

function window(sourceId: string, results: string, facts: Partial<SourceWindow> = {}): SourceWindow {
  const content = `# Methods\n\nParticipants rowed or rested for a while.\n\n# Results\n\n${results}\n\n# Conclusions\n\nThe participants liked the programme.`;
  return {
    sourceId,
    title: TITLE,
    quality: GENERAL,
    summaryOnly: false,
    passages: splitPassages(content),
    ...facts,
  };
}

function finding(source: SourceWindow, quote: string, confidence = 0.6): Finding {
  const passage = source.passages.find(({ text }) => text.includes(quote));
  const start = (passage?.start ?? 0) + (passage?.text.indexOf(quote) ?? 0);
  const evidence = [quoted(source.sourceId, quote, start)];
  return findingOf(`finding-${source.sourceId}`, quote, source.sourceId, { evidence, confidence });
}

function input(findings: Finding[], sources: SourceWindow[]): CrossCheckInput {
  return {
    factChecking: true,
    detectConflicts: true,
    question: 'What does rowing do?',
    section: { id: 'section-1', title: 'Rowing', description: 'What rowing does', subsections: [] },
    findings,
    sources,
  };
}

const CLAIM = 'Rowing significantly increased leg strength compared with rest (p = 0.01).';
const first = window('a', CLAIM);
const AGREES = 'Leg strength was significantly increased by rowing (p = 0.003).';
const ALSO_AGREES = 'After the programme, rowing significantly increased leg strength by 11% (p = 0.02).';
const NO_EFFECT = 'Rowing had no significant effect on leg strength (p = 0.62).';
const DENIAL = 'Rowing did not significantly increase leg strength compared with rest (p = 0.51).';
const agreeing = window('b', `${AGREES} Body weight did not change.`);
const another = window('c', ALSO_AGREES);
const opposed = window('d', NO_EFFECT);

/** The check of what the first source claims against others. */
const checkAgainst = (...others: SourceWindow[]): CrossCheckOutput =>
  crossCheckExtractively(input([finding(first, CLAIM)], [first, ...others]));
/** The conflicts between results that nobody chose as findings. */
const conflictsIn = (...sources: SourceWindow[]): CrossCheckOutput['conflicts'] =>
  crossCheckExtractively(input([], sources)).conflicts;

describe('cross-check of findings', () => {
  it('quotes further sources that assert the same, and counts them', () => {
    const given = input([finding(first, CLAIM)], [first, agreeing, another]);
    const output = crossCheckExtractively(given);
    expect(crossCheck.check(given, CrossCheckOutput.parse(output))).toEqual([]);
    expect(output.checks[0]?.supporting.map(({ quote }) => quote)).toEqual([AGREES, ALSO_AGREES]);
    expect(output.checks[0]).toMatchObject({ confidence: 0.95, contradicting: [] });
    expect(output.conflicts).toEqual([]);
  });

  it('finds the sentence of a further source that contradicts a finding', () => {
    const given = input([finding(first, CLAIM)], [first, opposed]);
    const output = crossCheckExtractively(given);
    expect(crossCheck.check(given, output)).toEqual([]);
    expect(output.checks[0]?.contradicting.map(({ sourceId }) => sourceId)).toEqual(['d']);
    expect(output.checks[0]?.confidence).toBe(0.6);
    expect(output.conflicts).toMatchObject([{ topic: 'leg strength', findingIds: ['finding-a'] }]);
    expect(output.conflicts[0]?.viewpoints.map(({ citations }) => citations)).toEqual([['a'], ['d']]);
  });

  it('holds findings against each other, however sure they are', () => {
    const findings = [finding(first, CLAIM, 0.9), finding(opposed, NO_EFFECT, 0.9)];
    const { checks, conflicts } = crossCheckExtractively(input(findings, [first, opposed]));
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]?.findingIds).toEqual(['finding-a', 'finding-d']);
    expect(checks.map(({ confidence }) => confidence)).toEqual([0.6, 0.6]);
  });

  it('finds contradictions between results that nobody chose as findings', () => {
    const given = input([], [first, window('e', DENIAL)]);
    const output = crossCheckExtractively(given);
    expect(crossCheck.check(given, CrossCheckOutput.parse(output))).toEqual([]);
    expect(output.conflicts).toHaveLength(1);
    expect(output.conflicts[0]).toMatchObject({ kind: 'direction', findingIds: [] });
    expect(output.conflicts[0]?.viewpoints.map(({ citations }) => citations)).toEqual([['a'], ['e']]);
  });

  it('leaves a source out that also says what the other does', () => {
    const both = window('e', `${DENIAL} ${CLAIM.replace('0.01', '0.02')}`);
    expect(conflictsIn(first, both)).toEqual([]);
  });

  it('takes what every study has of its own, in other numbers, for no contradiction', () => {
    const ages = (years: number): string =>
      `The mean age of all participants in the rowing study was ${years} years.`;
    const attendance = (share: number): string =>
      `Attendance at the weekly rowing sessions was ${share}% in the programme.`;
    const one = window('a', `${ages(41)} ${attendance(62)}`);
    const other = window('b', `${ages(67)} ${attendance(91)}`);
    expect(conflictsIn(one, other)).toEqual([]);
  });

  it('counts a near-duplicate of the cited source for nothing', () => {
    const copy = window('b', CLAIM, { nearDuplicateOf: 'a' });
    expect(checkAgainst(copy).checks).toMatchObject([{ supporting: [], confidence: 0.6 }]);
  });

  it('takes no aim and no method for evidence', () => {
    const aim = 'The aim was to determine whether rowing increases leg strength.';
    const unproven = window('b', `We hypothesized that rowing would increase leg strength. ${aim}`);
    expect(checkAgainst(unproven).checks[0]?.supporting).toEqual([]);
  });

  it('leaves a single source as the rules have it', () => {
    const journal = window('a', CLAIM, { quality: AUTHORITATIVE });
    const { checks } = crossCheckExtractively(input([finding(journal, CLAIM)], [journal]));
    expect([checks[0]?.confidence, checkAgainst().checks[0]?.confidence]).toEqual([0.75, 0.6]);
  });

  it('is done with twenty findings and thirty long sources within seconds of computing', () => {
    const measured = (_: unknown, at: number): string =>
      `In ${at + 20} patients the outcome number ${at} was measured with device ${at % 7} and it did not differ between the groups (p = 0.4).`;
    const filler = Array.from({ length: 90 }, measured).join(' ');
    const result = (at: number): string =>
      `Treatment${at % 15} increased variable${at % 15} power (p = 0.01).`;
    const sources = Array.from({ length: 30 }, (_, at) =>
      window(`s${at}`, `${result(at)} ${filler}`, { title: `Effects of treatment${at % 15}` }),
    );
    const findings = sources.slice(0, 20).map((source, at) => finding(source, result(at)));
    const started = process.cpuUsage();
    const { checks } = crossCheckExtractively(input(findings, sources));
    expect(checks).toHaveLength(20);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(8_000);
  });
});
