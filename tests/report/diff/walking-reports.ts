import { type FindingChange, ReportDiff } from '../../../src/contracts/report';
import { diffTold, type Told } from './told-report';

export const PRESSURE = 'Walking lowered systolic pressure by 4 mmHg in the walking group.';
export const SLEEP = 'Walkers fell asleep 12 minutes earlier than the control group.';
export const MOOD = 'Mood scores did not differ between the groups.';

export function diff(before: Told, after: Told): ReportDiff {
  return ReportDiff.parse(diffTold(before, after));
}

/** The changes of the one finding that changed; nothing else may differ. */
export function onlyChange(found: ReportDiff): FindingChange[] {
  expect(found.findings).toMatchObject({ new: [], newlyQuoted: [], notQuoted: [], withdrawn: [] });
  expect(found.findings.changed).toHaveLength(1);
  return found.findings.changed[0]?.changes ?? [];
}

export const alpha: Told = {
  sources: { alpha: { content: `${PRESSURE} ${SLEEP} ${MOOD}` } },
  findings: [{ quotes: [['alpha', PRESSURE]] }, { quotes: [['alpha', SLEEP]] }],
};

export function withAlpha(content: string, ...quotes: string[]): Told {
  return {
    sources: { alpha: { content } },
    findings: quotes.map((quote) => ({ quotes: [['alpha', quote]] })),
  };
}
