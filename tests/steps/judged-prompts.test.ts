import { writeSectionVariables } from '../../src/steps/write-section/prompt';
import { writeSummaryVariables } from '../../src/steps/write-summary/prompt';
import { findings, QUESTION, SECTION, sectionInput } from '../engines/model/material';

const MARK = 'mark';
const PROBLEMS = [{ reason: 'A side is missing.', quote: null }];

const SUMMARY_INPUT = {
  question: QUESTION,
  overallTheme: 'Vitamin D and bones.',
  sections: [{ section: SECTION, findings: findings() }],
  conflicts: [],
  gaps: [{ question: 'What does vitamin D cost?', reason: 'None says so.' }],
  sources: sectionInput().sources,
};

type Given = { problems?: typeof PROBLEMS };

/** Prompts are the keys under which answers are kept: a judge that finds nothing must not have everything asked anew. */
test.each([
  ['section', (given: Given) => writeSectionVariables({ ...sectionInput(), ...given }, MARK)],
  ['summary', (given: Given) => writeSummaryVariables({ ...SUMMARY_INPUT, ...given }, MARK)],
])(
  'a %s is asked for alike without a judge and by one that finds nothing; what it finds is told',
  (_what, asked) => {
    expect(asked({ problems: [] })).toEqual(asked({}));
    expect(JSON.stringify(asked({ problems: PROBLEMS }))).toContain('A side is missing.');
  },
);
