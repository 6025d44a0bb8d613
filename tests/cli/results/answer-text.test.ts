import { PassThrough } from 'node:stream';
import type { Answer } from '../../../src/contracts/answer/answer';
import { belowAnswer } from '../../../src/cli/results/answer-lines';
import { citationLines } from '../../../src/cli/results/citation-lines';
import { printAnswer } from '../../../src/cli/results/print-answer';
import { ENGLISH } from '../../../src/texts/texts';
import { openTerminal } from '../../../src/cli/terminal/terminal';

const TEXT = 'A trial was held.\n\n## Results\n\nTea **lowered** it.\n\n## Conclusion\n\nTea helps.';
const CITATION: Answer['citations'][number] = {
  n: 1,
  score: 0.5,
  sourceId: 'tea',
  document: 'Tea',
  title: 'Tea',
  url: null,
  pages: null,
  start: 100,
  end: 100 + TEXT.length,
  text: TEXT,
  origin: 'text',
  multiSource: false,
};

function bearing(quote: string): Pick<Answer['claims'][number], 'evidence'> {
  const start = CITATION.start + TEXT.indexOf(quote);
  return { evidence: [{ n: 1, sourceId: 'tea', quote, start, end: start + quote.length }] };
}

test('a passage is shown from where it bears a claim, without its headings and emphasis', () => {
  const [, bears] = citationLines(
    [CITATION],
    [bearing('Tea helps.'), bearing('Tea **lowered** it.')],
    ENGLISH,
  );
  expect(bears).toBe('    [1] “…Tea lowered it. … Tea helps.”');
  const [, whole] = citationLines([CITATION], [], ENGLISH);
  expect(whole).toBe('    [1] “A trial was held. … Tea lowered it. … Tea helps.”');
});

/** What these lines need of an answer. */
function answerOf(answer: string, more: Partial<Answer> = {}): Answer {
  return {
    answer,
    citations: [CITATION],
    claims: [],
    setAside: [],
    outcome: 'answered',
    synthesisMode: true,
    sourceDocumentCount: 10,
    confidence: 0.6,
    confidenceMeaning: 'single source',
    ...more,
  } as Answer;
}

test('of the documents that were brought together it is said how many are cited', () => {
  expect(belowAnswer(answerOf('Tea helps [1].'))).toContain(
    'Synthesised from 10 documents, 1 of which it cites',
  );
  const all = answerOf('Tea helps [1].', { sourceDocumentCount: 1 });
  expect(belowAnswer(all)).toContain('Synthesised from 1 document');
});

test('where no answer could be written, that and the reason are said once', () => {
  const failed = answerOf('The summary.', {
    outcome: 'fallback',
    synthesisMode: false,
    citations: [],
    confidence: 0,
    evidenceConfidence: 0,
    confidenceMeaning: 'no answer could be written',
    diagnostics: { failure: 'The endpoint is away.' } as Answer['diagnostics'],
  });
  expect(belowAnswer(failed)).toEqual([
    '',
    'Confidence: 0.0 (no answer could be written)',
    'Why: The endpoint is away.',
  ]);
});

function printed(answer: string, shown: string): string {
  const out = new PassThrough({ encoding: 'utf8' });
  const terminal = openTerminal({ stdout: out, stderr: new PassThrough(), env: {} });
  printAnswer(terminal, answerOf(answer), { shown, below: ['(below)'] });
  return (out.read() as string).trim();
}

test('of an answer that was shown as it was written only what came to it is printed', () => {
  expect(printed('Tea helps [1].', '')).toBe('Tea helps [1].\n(below)');
  expect(printed('Tea helps [1].', 'Tea helps\n  [1].')).toBe('(below)');
  expect(printed('Tea helps [1].\n\nOne was left out.', 'Tea helps [1].')).toBe('One was left out.\n(below)');
  expect(printed('Tea helps [1].', 'Tea cures all [1].')).toBe(
    'As it stands after it was checked:\n\nTea helps [1].\n(below)',
  );
});
