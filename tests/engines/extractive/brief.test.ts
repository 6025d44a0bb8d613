import { titleOfQuestion } from '../../../src/engines/extractive/brief/brief-title';
import { conflictsOf, planInput, planned, statement, STATEMENTS, type Told, wordsOf, written } from './trams';

describe('parts of a brief', () => {
  const [JOURNEYS = [], TRADE = [], AIR = []] = STATEMENTS;

  describe('the parts of a brief that no model writes', () => {
    it('tell every statement once, word for word, with its citations before the full stop', async () => {
      const drafts = await written(planInput());
      expect(drafts.get('subtopic-1')?.markdown).toBe(
        'The new tram line carried 14,200 people to work on a weekday in 2019 [@alder; @birch]. ' +
          'However, the number fell by 8% where a bus line ran beside the tram [@alder].\n\n' +
          'Travel to work by car fell by 11% in the streets along the tram line [@birch]. ' +
          'The survey was carried out by post in the month of May [@birch].',
      );
      const told = ['subtopic-1', 'subtopic-2', 'subtopic-3'].flatMap((id) => drafts.get(id)?.claims ?? []);
      const ids = STATEMENTS.flat().map(({ id }) => id);
      expect(told.flatMap(({ findingIds }) => findingIds).sort()).toEqual(ids.sort());
    });

    it('keep the paragraphs of the summary where its places are known', async () => {
      const places = Object.fromEntries(
        JOURNEYS.map(({ id }, at) => [
          id,
          [{ subtopicId: 'subtopic-1', paragraph: at < 2 ? 0 : 1, start: 100 * at, end: 100 * at + 90 }],
        ]),
      );
      const [first, second] =
        (await written(planInput({ places }))).get('subtopic-1')?.markdown.split('\n\n') ?? [];
      expect(first).toMatch(/^The new tram line .* beside the tram \[@alder\]\.$/);
      expect(second).toMatch(/^Travel to work by car .* in the month of May \[@birch\]\.$/);
    });

    it('leave what another subtopic disputes in its place, and name the subtopic', async () => {
      const [more] = TRADE;
      const less = statement(
        3,
        3,
        'Shops along the tram line sold 4% less than before in a second count.',
        'fir',
      );
      const told: Told = [JOURNEYS, TRADE.slice(0, 2), [less]];
      const conflicts = conflictsOf(more, less);
      const drafts = await written(planInput({ conflicts }, told));
      expect(drafts.get('subtopic-2')?.markdown).toContain(
        'Disputed under “Noise and air”: Shops along the tram line sold 6% more in the first year [@cedar].',
      );
      expect(drafts.get('subtopic-3')?.markdown).toBe(
        'Disputed under “Trade in the streets”: Shops along the tram line sold 4% less than before in a second count [@fir].',
      );
      expect(drafts.get('summary')?.markdown).toContain(
        'The sources disagree on sales of shops along the line.',
      );
    });

    it('conclude with what is agreed, what is disputed and has to be decided, and repeat no finding', async () => {
      const [more, , less] = TRADE;
      const conflicts = conflictsOf(more, less);
      const conclusions = (await written(planInput({ conflicts }))).get('conclusions');
      expect(conclusions?.markdown).toContain('undisputed here, in “Journeys to work” [@alder; @birch]');
      expect(conclusions?.markdown).toContain(
        'The sides report opposite effects ([@cedar] against [@elm]): before anything is built on it, ' +
          'compare how each was found, under “Trade in the streets”, and decide which holds.',
      );
      expect(conclusions?.claims).toEqual([]);
    });

    it('call no subtopic undisputed that has a disputed statement, whatever its sources agree on besides', async () => {
      const [, , , second] = JOURNEYS;
      const [more] = TRADE;
      const conflicts = conflictsOf(second, more);
      const { markdown } = (await written(planInput({ conflicts }))).get('conclusions') ?? {};
      expect(markdown).toContain(
        'under “Journeys to work” and “Trade in the streets”, and decide which holds.',
      );
      expect(markdown).not.toContain('undisputed');
    });

    it('open the conclusions with what the sources recommend, word for word', async () => {
      const advice = statement(3, 3, 'Towns should count the shoppers before the tram line is built.', 'fir');
      const denial = statement(3, 4, 'No second tram line is needed in the town.', 'fir');
      const drafts = await written(planInput({}, [JOURNEYS, TRADE, [...AIR, advice, denial]]));
      expect(drafts.get('conclusions')?.markdown).toMatch(
        /^The sources themselves say what should be done\. Towns should count the shoppers before the tram line is built \[@fir\]\.\n\n/,
      );
      expect(drafts.get('conclusions')?.claims).toEqual([
        {
          text: 'Towns should count the shoppers before the tram line is built [@fir].',
          findingIds: ['s3-3'],
        },
      ]);
    });

    it('never tell one side alone, however few words there are', async () => {
      const [more, , less] = TRADE;
      const conflicts = conflictsOf(more, less);
      for (const words of [60, 90, 120, 150]) {
        const { parts } = await planned(planInput({ conflicts, words }));
        const ids = parts
          .filter(({ id }) => id.startsWith('subtopic'))
          .flatMap(({ findingIds }) => findingIds);
        expect(ids.includes('s2-1')).toBe(ids.includes('s2-3'));
      }
    });

    it('never tell what leans on a statement without it', async () => {
      for (let words = 40; words < 200; words += 10) {
        const { parts } = await planned(planInput({ words }));
        const ids = parts.find(({ id }) => id === 'subtopic-1')?.findingIds ?? [];
        if (ids.includes('s1-2')) expect(ids[ids.indexOf('s1-2') - 1]).toBe('s1-1');
      }
    });

    it('leave out what leans on a sentence that is told under another subtopic', async () => {
      const places = {
        's2-1': [
          { subtopicId: 'subtopic-2', paragraph: 0, start: 0, end: 60 },
          { subtopicId: 'subtopic-3', paragraph: 0, start: 0, end: 60 },
        ],
        's3-9': [{ subtopicId: 'subtopic-3', paragraph: 0, start: 61, end: 120 }],
      };
      const leaning = statement(3, 9, 'However, those near a car park sold less than before.', 'fir');
      const drafts = await written(planInput({ places }, [JOURNEYS, TRADE, [leaning, ...AIR]]));
      expect(drafts.get('subtopic-3')?.markdown).not.toContain('car park');
    });

    it('open the summary with what is asked', async () => {
      const [first] = (await written(planInput())).get('summary')?.markdown.split('\n\n') ?? [];
      expect(first).toContain('tram line');
    });

    it('open and close with nothing that points at a sentence that is not there, and say so where nothing answers', async () => {
      const pointing = statement(3, 3, 'A night line on the new tram would cut this travel by half.', 'fir');
      const question = 'Who should pay for quantum computers?';
      const drafts = await written(planInput({ question }, [JOURNEYS, TRADE, [...AIR, pointing]]));
      for (const part of ['summary', 'conclusions'])
        expect(drafts.get(part)?.markdown).not.toContain('night line');
      expect(drafts.get('summary')?.markdown).toMatch(/^No single statement answers the question as a whole/);
      expect(drafts.get('conclusions')?.markdown).toMatch(/^No single statement decides the question/);
    });

    it('say so where a subtopic has nothing of its own', async () => {
      const drafts = await written(planInput({}, [JOURNEYS, TRADE, []]));
      expect(drafts.get('subtopic-3')).toEqual({
        markdown: 'Whatever is found here stands under another heading, or was set aside.',
        claims: [],
      });
    });

    it('show what a source wrote as text, whatever it would be in Markdown', async () => {
      const active = 'The <script>alert(1)</script> of [trams](https://a.example) is **loud**!';
      const hostile = statement(3, 3, active, 'fir');
      const drafts = await written(planInput({}, [JOURNEYS, TRADE, [...AIR, hostile]]));
      const { markdown = '' } = drafts.get('subtopic-3') ?? {};
      expect(markdown).not.toMatch(/(?<!\\)<script|(?<!\\)\[trams|(?<!\\)\*\*/);
      expect(markdown).toContain('[@fir]!');
    });
  });

  describe('the length of a brief that no model writes', () => {
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

    it.each([600, 1_000, 2_000])('is %d words with the list of the sources that are cited', async (words) => {
      const ids = new Set(long.flat().flatMap(({ citations }) => citations));
      const lines = Object.fromEntries([...ids].map((id) => [id, 12]));
      const drafts = await written(planInput({ words: 100, list: { lines, words, maxWords: words } }, long));
      const told = [...drafts.values()].map(({ markdown }) => markdown).join(' ');
      const listed = [...ids].filter((id) => told.includes(`@${id}`)).length * 12;
      expect(Math.abs(wordsOf(drafts) + listed - words) / words).toBeLessThanOrEqual(0.05);
    });

    it('is what the material has where more is wanted, without padding', async () => {
      const asMuch = wordsOf(await written(planInput({}, STATEMENTS)));
      expect(wordsOf(await written(planInput({ words: 5_000 }, STATEMENTS)))).toBe(asMuch);
    });

    it('is the most at most where no words are wanted', async () => {
      const all = wordsOf(await written(planInput({}, long)));
      expect(all).toBeGreaterThan(2_000);
      expect(wordsOf(await written(planInput({ maxWords: 1_000 }, long)))).toBeLessThanOrEqual(1_150);
    });

    it('leaves no subtopic out', async () => {
      const { parts } = await planned(planInput({ words: 60 }, long));
      for (const { id, findingIds } of parts)
        if (id.startsWith('subtopic')) expect(findingIds).not.toEqual([]);
    });
  });
});

describe('title of a brief', () => {
  it.each([
    ['How does caffeine affect sleep?', 'How caffeine affects sleep'],
    ['Does vitamin D reduce the risk of falls?', 'Whether vitamin D reduces the risk of falls'],
    ['Did the reform raise wages?', 'Whether the reform raised wages'],
    ['what are the effects of trams on trade?', 'The effects of trams on trade'],
    ['What do trams do for a town?', 'What trams do for a town'],
    ['What does exercise do to blood pressure?', 'What exercise does to blood pressure'],
    ['Which towns have trams?', 'Which towns have trams?'],
    ['How does climate change affect trade?', 'How does climate change affect trade?'],
    ['Does an increase in rent matter?', 'Does an increase in rent matter?'],
    ['Compare trams and buses. Name three towns.', 'Compare trams and buses'],
  ])('is what a person makes of “%s”', (question, title) => {
    expect(titleOfQuestion(question)).toBe(title);
  });

  it('ends a long question with one of its clauses', () => {
    const question = `Discuss how the first trams of the town were received by its people, ${'and what came of it '.repeat(8)}?`;
    expect(titleOfQuestion(question)).toBe(
      'Discuss how the first trams of the town were received by its people',
    );
  });

  it('is never empty', () => {
    expect(titleOfQuestion('?')).toBe('?');
  });
});
