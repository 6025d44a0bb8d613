import { createHash } from 'node:crypto';
import { writeSectionTemplate, writeSectionVariables } from '../../src/steps/write-section/prompt';
import { writeSummaryTemplate, writeSummaryVariables } from '../../src/steps/write-summary/prompt';
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

const hash = (prompt: unknown): string => createHash('sha256').update(JSON.stringify(prompt)).digest('hex');

/** Prompts are the keys under which answers are kept: these are of the release before there was a judge. */
test('without a judge’s problems a section and a summary are asked for in the very words of before', () => {
  const section = (given: object) => [
    writeSectionTemplate,
    writeSectionVariables({ ...sectionInput(), ...given }, MARK),
  ];
  const summary = (given: object) => [
    writeSummaryTemplate,
    writeSummaryVariables({ ...SUMMARY_INPUT, ...given }, MARK),
  ];
  expect(hash(section({}))).toBe('98644ec097c21eba8cd0245f6ad7398f92f66e6543919862f9821ba5c60c175d');
  expect(hash(summary({}))).toBe('5d8de07ed90b3d2be2a4973232d17b0de599ba205589d6bccce7ad95fdbc2d8a');
  for (const asked of [section, summary]) {
    expect(asked({ problems: [] })).toEqual(asked({}));
    expect(JSON.stringify(asked({ problems: PROBLEMS }))).toContain('A side is missing.');
  }
});
