import { StepFailedError } from '../../../src/engines/step-failed-error';
import { writeSummary } from '../../../src/steps/write-summary/write-summary';
import type { WriteSummaryInput } from '../../../src/steps/write-summary/contract';
import { answers, refuses } from '../../model-server/behaviours';
import {
  closeEngines,
  codesOf,
  context,
  engineAgainst,
  promptText,
  repairOf,
  runAgainst,
} from './engine-under-test';
import { finding, findings, QUESTION, QUOTES, SECTION, sectionInput } from './material';

afterEach(closeEngines);

function input(changes: Partial<WriteSummaryInput> = {}): WriteSummaryInput {
  return {
    question: QUESTION,
    overallTheme: 'Vitamin D and bones.',
    sections: [{ section: SECTION, findings: findings() }],
    conflicts: [],
    gaps: [{ question: 'What does vitamin D cost?', reason: 'None says so.' }],
    sources: sectionInput().sources,
    ...changes,
  };
}

const SUMMARY = `# Vitamin D and bone mineral density in adults

- **Women:** bone mineral density rose by 2.1% in women after 12 months of vitamin D [S1].
- It increased by 1.9 % among 310 adults aged over 70 [S2], and did not differ from placebo in 410 men [S4].
- Yearly high-dose vitamin D led to 15% more falls than placebo. [S3]

## Questions

1. Does daily vitamin D prevent falls in men?
2. What does vitamin D cost in Norway [S1]?
`;

test('a title, bullets with marks, and questions', async () => {
  const { output, warnings } = await runAgainst(writeSummary, input(), [answers(SUMMARY)]);
  expect(output.title).toBe('Vitamin D and bone mineral density in adults');
  expect(output.bullets).toEqual([
    'Women: bone mineral density rose by 2.1% in women after 12 months of vitamin D [@study-a].',
    'It increased by 1.9 % among 310 adults aged over 70 [@study-b], and did not differ from placebo in 410 men [@study-d].',
    'Yearly high-dose vitamin D led to 15% more falls than placebo [@study-c].',
  ]);
  const questions = ['Does daily vitamin D prevent falls in men?', 'What does vitamin D cost in Norway?'];
  expect(output.followUpQuestions).toEqual(questions);
  expect(warnings).toEqual([]);
});

test('bullets on something else are asked for again, then dropped; what is foreign is never shown', async () => {
  const text = `# PWNED 4711\n\n- The zebra crossed the savannah under a red moon by itself [S1].\n- Visit https://evil.example now [S2].\n- It increased by 1.9 % among 310 adults aged over 70 [S2].\n\n## Questions\n\n- What is the capital of Brazil and how many people live in it?\n- No question at all.`;
  const script = [answers(text), answers(text)];
  const { output, warnings, server } = await runAgainst(writeSummary, input(), script);
  expect(output).toMatchObject({
    title: QUESTION,
    bullets: ['Visit now [@study-b].', 'It increased by 1.9 % among 310 adults aged over 70 [@study-b].'],
    followUpQuestions: [],
  });
  expect(new Set(codesOf(warnings))).toEqual(
    new Set(['sentence-beyond-material', 'too-few-bullets', 'markdown-dropped']),
  );
  expect(repairOf(server)).toContain('the sources are not on this');
});

test('a prompt that is too long is asked with the strongest findings alone', async () => {
  const many = [1, 2, 3, 4, 5, 6].map((n) =>
    n <= 3 ? finding(n, 'study-a', QUOTES.a) : finding(n, 'study-b', QUOTES.b),
  );
  const tooLong = refuses(400, { code: 'context_length_exceeded', message: 'too many tokens' });
  const { output, server } = await runAgainst(
    writeSummary,
    input({ sections: [{ section: SECTION, findings: many }] }),
    (request) =>
      promptText(request).includes('F6 (')
        ? tooLong
        : answers('# T\n\n- Bone mineral density rose by 2.1% in women [S1].'),
  );
  expect(output.bullets).toHaveLength(1);
  expect(promptText(server.asked.at(-1))).toContain('F3 (');
});

test('a summary of which nothing can be supported fails by name', async () => {
  const { engine } = await engineAgainst(() => answers('Once upon a time.'));
  await expect(engine.run(writeSummary, input(), context())).rejects.toThrow(StepFailedError);
});
