import type { SectionDraft } from '../../src/contracts/draft';
import type { ClaimVerdict, SetAsideClaim } from '../../src/contracts/finding';
import { SynthesisSettings } from '../../src/contracts/run-settings';
import type { ReportParts } from '../../src/report/chapters';
import { completeRun, evidence, TEXTS } from './report-fixture';

export const CONTRADICTED: SetAsideClaim = {
  text: 'Swimming raised aerobic capacity by 31% in 40 adults.',
  sourceIds: ['delta'],
  verdict: 'contradicted',
  code: 'number-exchanged',
  reason: 'it says 31%; what it cites says 11%.',
  evidence: evidence('delta', TEXTS.delta ?? ''),
  probability: 0.2,
  action: 'left-out',
};

/** It alone cites a source that no claim that stands does. */
export const UNSUPPORTED: SetAsideClaim = {
  text: 'Swimmers live [twice](https://evil.com) as long.',
  sourceIds: ['unused'],
  verdict: 'unsupported',
  code: 'misattributed',
  reason: 'Another source bears it far better than those that it cites',
  evidence: null,
  probability: null,
  betterSourceId: 'alpha',
  action: 'left-out',
};

const BOLD: SetAsideClaim = {
  ...UNSUPPORTED,
  text: 'Walking cures all.',
  sourceIds: ['beta'],
  code: 'unlikely',
};

export const SUPPORTED: ClaimVerdict = {
  verdict: 'supported',
  code: 'critic',
  reason: 'A critic confirmed it.',
  evidence: evidence('delta', 'raised aerobic capacity by 11%'),
  probability: 0.9,
};

const OPEN: ClaimVerdict = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'Words alone cannot tell.',
  evidence: null,
  probability: 0.5,
};

/** The run of the fixture where a model wrote the second section and the summary, and three claims of it do not stand. */
export function auditedRun(mode: 'mark' | 'remove' = 'mark', open = false): ReportParts {
  const run = completeRun();
  const own = 'It raised aerobic capacity by 11% [@delta].';
  const last = 'Forty adults swam [@delta].';
  const draft: SectionDraft = {
    markdown: `${own} ${last}`,
    claims: [
      { text: own, findingIds: ['f3'], standing: 'confirmed', verdict: SUPPORTED },
      { text: last, findingIds: ['f3'], standing: 'confirmed', verdict: open ? OPEN : SUPPORTED },
    ],
    // A copy: test files share their modules, and some change the claims.
    checked: { setAside: structuredClone([CONTRADICTED, UNSUPPORTED]) },
  };
  return {
    ...run,
    synthesis: SynthesisSettings.parse({ unsupportedClaims: mode }),
    drafts: [...run.drafts.slice(0, 1), { sectionId: 'section-2', draft }],
    frame: {
      title: 'Does walking help?',
      bullets: ['- **Swimming.** It raises aerobic capacity [@delta].'],
      followUpQuestions: [],
      checked: { setAside: [BOLD] },
    },
  };
}
