import { ENGLISH } from '../../../src/texts/texts';
import type { ReportJudge } from '../../../src/contracts/judge/judgement';
import { judgeNotice } from '../../../src/core/judge/judge-notice';
import { reportJudge } from './report-judge';

function notice(given: Partial<ReportJudge>, versions: number): string | null {
  return judgeNotice({ ...reportJudge(versions), ...given }, ENGLISH);
}

describe('a text that its judge did not pass', () => {
  it('says what it came to, what would pass, and which version it is', () => {
    expect(notice({ by: 'model', overall: 3.2, version: 2 }, 3)).toBe(
      'The judge did not pass this text: 3.2 of 5, where 3.5 would pass. It is version 2 of 3, the best after 2 revisions.',
    );
  });

  it('says that nobody read it where measures alone judged', () => {
    expect(notice({ by: 'measures', overall: 3.46, version: 1 }, 1)).toBe(
      'The judge, which measures the text and does not read it, did not pass this text: 3.46 of 5, where 3.5 would pass. It is the only version, which was not revised.',
    );
  });

  it('says nothing where it passed', () => {
    expect(notice({ passed: true, overall: 4 }, 1)).toBeNull();
  });
});
