import { conflictsOf, planInput, planned, statement, STATEMENTS, type Told, wordsOf, written } from './trams';

describe('a brief that no model writes', () => {
  const [, TRADE = []] = STATEMENTS;

  it('lists every statement of a subtopic once, word for word, with its citations before the full stop', async () => {
    const drafts = await written(planInput());
    expect(drafts.get('subtopic-1')?.markdown).toBe(
      [
        '- The new tram line carried 14,200 people to work on a weekday in 2019 [@alder; @birch].',
        '- However, the number fell by 8% where a bus line ran beside the tram [@alder].',
        '- Travel to work by car fell by 11% in the streets along the tram line [@birch].',
        '- The survey was carried out by post in the month of May [@birch].',
      ].join('\n'),
    );
    const told = ['subtopic-1', 'subtopic-2', 'subtopic-3'].flatMap((id) => drafts.get(id)?.claims ?? []);
    const ids = STATEMENTS.flat().map(({ id }) => id);
    expect(told.flatMap(({ findingIds }) => findingIds).sort()).toEqual(ids.sort());
  });

  it('marks both sides of what is disputed', async () => {
    const [more] = TRADE;
    const less = statement(
      3,
      3,
      'Shops along the tram line sold 4% less than before in a second count.',
      'fir',
    );
    const told: Told = [STATEMENTS[0] ?? [], TRADE.slice(0, 2), [less]];
    const drafts = await written(planInput({}, told), conflictsOf(more, less));
    expect(drafts.get('subtopic-2')?.markdown).toMatch(/- Disputed: Shops along the tram line sold 6% more/);
    expect(drafts.get('subtopic-3')?.markdown).toMatch(/- Disputed: Shops along the tram line sold 4% less/);
  });

  it('draws no conclusions, and opens with statements of the subtopics', async () => {
    const drafts = await written(planInput());
    expect(drafts.get('conclusions')).toEqual({
      markdown: expect.stringMatching(/^Without a model no conclusions are drawn/) as string,
      claims: [],
    });
    const summary = drafts.get('summary')?.claims ?? [];
    expect(summary.length).toBeGreaterThan(0);
    expect(summary.length).toBeLessThanOrEqual(5);
    const all = STATEMENTS.flat().map(({ id }) => id);
    expect(summary.every(({ findingIds: [id = ''] }) => all.includes(id))).toBe(true);
  });

  it('says so where a subtopic has nothing of its own', async () => {
    const drafts = await written(planInput({}, [STATEMENTS[0] ?? [], TRADE, []]));
    expect(drafts.get('subtopic-3')?.claims).toEqual([]);
    expect(drafts.get('subtopic-3')?.markdown).not.toBe('');
  });

  describe('its length', () => {
    const moved = (subtopic: number, at: number): string =>
      `In district ${'abcdefghijklmnopqrstuvwxyz'.charAt(at % 26)}${at} of town ${subtopic} the tram line moved ${at * 7 + subtopic} people to shop ${at * 3 + 1}.`;
    const long: Told = [1, 2, 3].map((subtopic) =>
      Array.from({ length: 60 }, (_, at) =>
        statement(subtopic, at, moved(subtopic, at), `source-${subtopic}-${at % 9}`),
      ),
    );

    it.each([300, 800, 1_500])('is %d words within 15% where that is wanted', async (words) => {
      const drafts = await written(planInput({ words }, long));
      expect(Math.abs(wordsOf(drafts) - words) / words).toBeLessThanOrEqual(0.15);
    });

    it('leaves no subtopic out, and takes no more words than there may be', async () => {
      const { parts } = await planned(planInput({ words: 150 }, long));
      for (const { id, findingIds } of parts)
        if (id.startsWith('subtopic')) expect(findingIds).not.toEqual([]);
      expect(wordsOf(await written(planInput({ maxWords: 1_000 }, long)))).toBeLessThanOrEqual(1_150);
    });
  });
});
