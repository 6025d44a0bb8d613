import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Passes, passesOver } from '../../support/passes-without-server';

const Notes = z.object({
  questions: z.array(z.object({ id: z.string(), subject: z.string(), question: z.string() })),
  notes: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      title: z.string(),
      content: z.string(),
      hasResult: z.boolean(),
    }),
  ),
});
const { questions, notes } = Notes.parse(
  JSON.parse(readFileSync(join(__dirname, 'notes.json'), 'utf8')) as unknown,
);

/**
 * Of the eight notes of a subject that have a result so many get a finding. Those that do not have no word of the question
 * (“Running late kept a third of us awake” has neither exercise, mood nor sleep), or one that stands for little of it.
 */
const FLOORS: Record<string, number> = {
  'price-rise': 6,
  'dismissal-for-posts': 7,
  caching: 8,
  'exercise-mood': 6,
};

describe.each(questions)('ten plain notes of $subject: $question', ({ id: about, question }) => {
  const own = notes.filter((note) => note.question === about);
  let passes: Passes;
  beforeAll(async () => {
    passes = await passesOver(
      question,
      own.map(({ id, title, content }) => ({
        sourceId: id,
        title,
        content,
        quality: { level: 'general', reason: 'a note' },
      })),
    );
  });

  it('have a finding where they have a result', () => {
    const { outline, checked } = passes;
    expect(own).toHaveLength(10);
    expect(outline.unanswered).toBeUndefined();
    const cited = new Set(
      checked.flatMap(({ found }) => found.findings.flatMap(({ citations }) => citations)),
    );
    const withResult = own.filter(({ hasResult }) => hasResult);
    expect(withResult).toHaveLength(8);
    const found = withResult.filter(({ id }) => cited.has(id));
    expect(found.length).toBeGreaterThanOrEqual(FLOORS[about] ?? 8);
  });

  it('are quoted at their places, and none is lost on the way', () => {
    const { checked, validated } = passes;
    const contents = new Map(own.map(({ id, content }) => [id, content]));
    const findings = checked.flatMap(({ found }) => found.findings);
    for (const { sourceId, quote, start, end } of findings.flatMap(({ evidence }) => evidence))
      expect(contents.get(sourceId)?.slice(start, end)).toBe(quote);
    const kept = validated.sections.flatMap((section) => section.findings);
    expect(new Set(kept.flatMap(({ citations }) => citations))).toEqual(
      new Set(findings.flatMap(({ citations }) => citations)),
    );
  });
});
