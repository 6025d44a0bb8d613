import fc from 'fast-check';
import type { Finding } from '../../../src/contracts/finding';
import { OutlinePlan } from '../../../src/contracts/outline';
import { MAX_SUMMARY_CHARS } from '../../../src/contracts/source';
import { summariseExtractively } from '../../../src/engines/extractive/extractive-steps';
import { outlineExtractively } from '../../../src/engines/extractive/quoted-outline';
import { writeSectionExtractively } from '../../../src/engines/extractive/quoted-sections';
import { countWords } from '../../../src/report/attribution';
import { outline as outlineStep, type OutlineInput } from '../../../src/steps/outline-sections';
import { summarise } from '../../../src/steps/summarise';
import { writeSection, type WriteSectionInput, type WriteSectionOutput } from '../../../src/steps/write-rows';
import { splitPassages } from '../../../src/text/sentences';
import { conflictOf, findingOf, GENERAL } from '../../support/findings';
import { conflictsOf, planInput, planned, statement, STATEMENTS, type Told, wordsOf, written } from './trams';

describe('the plan of a report', () => {
  type Source = OutlineInput['sources'][number];

  const quality = { level: 'general' as const, reason: 'a test' };

  const measures = [
    ['gravel beds', 'brown trout'],
    ['fish ladders', 'water temperature'],
    ['dam removal', 'bank erosion'],
    ['floodplain forests', 'nitrate concentration'],
    ['beaver ponds', 'otter populations'],
  ] as const;

  const places = ['alpine streams', 'lowland rivers', 'coastal marshes'];

  function source(id: string, measure: string, outcome: string, place: string): Source {
    return {
      sourceId: id,
      title: `Effects of ${measure} on ${outcome} in ${place}`,
      quality,
      summary: `Restoration of ${place} by ${measure} changed ${outcome} by ${id.length * 7} % within a year. The control sites stayed as they were.`,
    };
  }

  function corpus(size: number): Source[] {
    return Array.from({ length: size }, (_, at) => {
      const [measure = '', outcome = ''] = measures[at % measures.length] ?? [];
      return source(`s${String(at).padStart(3, '0')}`, measure, outcome, places[at % places.length] ?? '');
    });
  }

  async function planOf(question: string, sources: Source[]): Promise<OutlinePlan> {
    const input = { question, sources };
    const plan = OutlinePlan.parse(await outlineExtractively(input));
    expect(outlineStep.check(input, plan)).toEqual([]);
    return plan;
  }

  const idsOf = (plan: OutlinePlan): string[] =>
    plan.sections.flatMap(({ relevantSources }) => relevantSources.map(({ sourceId }) => sourceId));

  const BROAD = 'What did restoration change within a year?';

  it('has a section for each thing that several sources share, under the phrase that they share', async () => {
    const plan = await planOf(BROAD, corpus(60));
    expect(plan.sections.length).toBeGreaterThanOrEqual(5);
    expect(plan.sections.length).toBeLessThanOrEqual(8);
    const phrases = [...measures.flat(), ...places, 'further results'];
    const titles = plan.sections.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const title of titles) expect(phrases).toContain(title.toLowerCase());
    expect(idsOf(plan).sort()).toEqual(corpus(60).map(({ sourceId }) => sourceId));
    for (const { relevantSources, title, description } of plan.sections) {
      expect(relevantSources.length).toBeGreaterThanOrEqual(5);
      const relevances = relevantSources.map(({ relevance }) => relevance);
      expect(relevances).toEqual([...relevances].sort((a, b) => b - a));
      expect(description).toBe(`What the sources say on ${title.charAt(0).toLowerCase()}${title.slice(1)}.`);
    }
  });

  it('has one section for a narrow question, of the sources that answer it alone', async () => {
    const alone = source('only', 'rubber dinghies', 'reed warblers', 'canals');
    const plan = await planOf('Do rubber dinghies disturb reed warblers?', [...corpus(48), alone]);
    expect(plan.sections.map(({ title }) => title)).toEqual([alone.title]);
    expect(idsOf(plan)).toEqual(['only']);
  });

  it.each(['When were the fish ladders built?', 'Who built the fish ladders?'])(
    'has one section: %s',
    async (question) => {
      const told = Array.from({ length: 12 }, (_, at): Source => ({
        sourceId: `t${at}`,
        title: `The fish ladders of ${places[at % 3]}, part ${at}`,
        quality,
        summary: `The fish ladders of this river were built in ${1950 + at} by Ada Bridges. They are of stone.`,
      }));
      expect((await planOf(question, told)).sections).toHaveLength(1);
    },
  );

  it('is one section where there are few sources', async () => {
    for (const size of [1, 2, 3]) {
      const plan = await planOf(BROAD, corpus(size));
      expect(plan.sections).toHaveLength(1);
      expect(idsOf(plan)).toHaveLength(size);
    }
  });

  it('says that nothing answers, and what is nearest', async () => {
    const plan = await planOf('How do black holes evaporate?', corpus(30));
    expect(plan).toMatchObject({
      overallTheme: 'No sentence of the sources is likely to answer the question.',
      sections: [],
    });
    expect(plan.unanswered?.nearest).toHaveLength(5);
    const near = source('near', 'black dye', 'holes in nets', 'ponds');
    const nearer = await planOf('Who proved that black holes evaporate?', [...corpus(30), near]);
    expect(nearer.unanswered?.nearest[0]).toBe('near');
  });

  it('is the same in whatever order the sources come', async () => {
    const sources = corpus(60);
    const shuffled = sources.flatMap((_, at) => sources[(at * 37) % sources.length] ?? []);
    expect(await planOf(BROAD, shuffled)).toEqual(await planOf(BROAD, sources));
  });

  it('puts a near-duplicate where its original is, just behind it, and counts it for nothing', async () => {
    const sources = corpus(60);
    const copies = sources
      .slice(0, 20)
      .map((item): Source => ({ ...item, sourceId: `z-${item.sourceId}`, nearDuplicateOf: item.sourceId }));
    const plan = await planOf(BROAD, [...sources, ...copies]);
    const without = await planOf(BROAD, sources);
    expect(plan.sections.map(({ title }) => title)).toEqual(without.sections.map(({ title }) => title));
    for (const { sourceId, nearDuplicateOf = '' } of copies) {
      const home = plan.sections.find(({ relevantSources }) =>
        relevantSources.some((item) => item.sourceId === nearDuplicateOf),
      );
      const relevanceOf = (id: string): number =>
        home?.relevantSources.find((item) => item.sourceId === id)?.relevance ?? 0;
      expect(relevanceOf(sourceId)).toBeGreaterThan(0);
      expect(relevanceOf(sourceId)).toBeLessThan(relevanceOf(nearDuplicateOf));
    }
  });

  it('keeps to its contract, and to headings that are different and not empty, whatever the texts', async () => {
    const odd = ['restoration', 'within a year', 'LDL', 'and', '<b>', '](x)', '…'];
    const word = fc.constantFrom(...measures.flat(), ...places, ...odd);
    const text = fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 14 }).map((parts) => `${parts.join(' ')}.`),
      fc.string({ unit: 'binary', minLength: 1 }),
    );
    const pairs = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pairs, async (drawn) => {
        const sources = drawn.map(([title, summary], at) => ({
          sourceId: `s${at}`,
          title,
          quality,
          summary,
        }));
        const { sections } = await planOf(BROAD, sources);
        const titles = sections.map(({ title }) => title);
        expect(new Set(titles).size).toBe(titles.length);
        expect(titles.filter((title) => title.trim() === '')).toEqual([]);
      }),
      { numRuns: 20, seed: 11 },
    );
  });
});

describe('summarise', () => {
  const question = 'Does walking help, and by how much?';

  function summaryOf(content: string, title = 'Walking'): string {
    const input = { question, sources: [{ sourceId: 'a', title, passages: splitPassages(content) }] };
    const output = summariseExtractively(input);
    expect(summarise.check(input, output)).toEqual([]);
    expect(summarise.output.safeParse(output).success).toBe(true);
    return output.summaries[0]?.summary ?? '';
  }

  it('is made of what the source says to the question, in its own sentences and their order', () => {
    const results = [
      'Walking reduced pain by 31% compared with rest.',
      'Walking for an hour improved mobility by 12%.',
      'Sleep did not differ between walking and rest.',
    ];
    const late = (_: unknown, at: number): string =>
      `In the valley number ${at} the harvest of apples was late, and the baskets stayed in the barn.`;
    const filler = Array.from({ length: 40 }, late);
    const content = [filler.slice(0, 20), results.slice(0, 2), filler.slice(20), results.slice(2)]
      .map((sentences) => sentences.join(' '))
      .join('\n\n');
    const summary = summaryOf(content);
    const places = results.map((result) => summary.indexOf(result));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(summary.length).toBeLessThanOrEqual(MAX_SUMMARY_CHARS);
    for (const sentence of summary.split(/(?<=\.) /)) expect(content).toContain(sentence);
  });

  it('is the whole of a short source', () => {
    const content = 'Walking will be compared with rest. The trial will take two years.';
    expect(summaryOf(content)).toBe(content);
  });

  it('never is empty, nor too long, nor cut inside a character', () => {
    expect(summaryOf('no sentence here')).toBe('no sentence here');
    const long = summaryOf('😀word '.repeat(600));
    expect(long.length).toBeLessThanOrEqual(MAX_SUMMARY_CHARS);
    expect(long.isWellFormed()).toBe(true);
    expect(summaryOf('```\ncode\n```', 'Only code')).toBe('Only code');
    const reduced = (_: unknown, at: number): string =>
      `Walking reduced the pain of group number ${at} by ${at} points.`;
    const many = Array.from({ length: 60 }, reduced).join(' ');
    expect(summaryOf(`ABSTRACT.RESULTS:\n${many}`).length).toBeLessThanOrEqual(MAX_SUMMARY_CHARS);
  });
});

describe('write-section', () => {
  const NAMES = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm'];

  /** A finding of the source that is named. */
  const finding = (name: string, quote: string): Finding =>
    findingOf(`finding-${name.toLowerCase()}-${quote.length}`, quote, name.toLowerCase());

  const FINDINGS = NAMES.map((name, at) =>
    finding(name, `The new line carried ${at + 2} % more people to work.`),
  );

  function written(changes: Partial<WriteSectionInput> = {}): WriteSectionOutput {
    const input: WriteSectionInput = {
      question: 'What did the new line change?',
      section: { id: 'section-1', title: 'Trams', description: 'What trams change.', subsections: [] },
      findings: FINDINGS,
      conflicts: [],
      sources: NAMES.map((name, at) => ({
        sourceId: name.toLowerCase(),
        title: `The new tram line of ${name}`,
        author: `Jane ${name}`,
        site: 'Tram Review',
        publishedAt: `201${at}`,
        quality: GENERAL,
      })),
      targetWords: 1_000,
      ...changes,
    };
    const output = writeSectionExtractively(input);
    expect(writeSection.check(input, output)).toEqual([]);
    return output;
  }

  it('is what its sources say, word for word, a row each with who says it and where', () => {
    const { markdown, claims } = written();
    expect(claims.map(({ findingIds }) => findingIds)).toEqual(FINDINGS.map(({ id }) => [id]));
    for (const [at, { text }] of claims.entries()) {
      expect(text).toBe(
        `“The new line carried ${at + 2} % more people to work” (${NAMES[at]} 201${at}) [@${NAMES[at]?.toLowerCase()}].`,
      );
      expect(markdown).toContain(`- ${text}`);
    }
    expect(markdown.split('\n')).toHaveLength(FINDINGS.length);
  });

  it('names a source once, and leaves out what only says that its source says so', () => {
    const findings = [
      finding('Alder', 'Traffic fell by 12 % with the new line.'),
      finding('Alder', 'The new line did not change noise.'),
      finding('Birch', 'We found that no adverse effects of the new line were seen.'),
    ];
    const { markdown } = written({ findings });
    expect(markdown).toContain('with the new line” (Alder 2010) [@alder].');
    expect(markdown).toContain('change noise” [@alder].');
    expect(markdown).toContain('“… no adverse effects of the new line were seen” (Birch 2011) [@birch].');
  });

  it('stops at the words that are wanted, not within a claim', () => {
    const { markdown, claims } = written({ targetWords: 40 });
    expect(claims.length).toBeLessThan(FINDINGS.length);
    expect(countWords(markdown)).toBeGreaterThanOrEqual(40);
    expect(countWords(markdown)).toBeLessThan(80);
    expect(written({ findings: [] })).toEqual({ markdown: '', claims: [] });
  });

  it('tells what one source says together, and names it once', () => {
    const second = finding('Alder', 'The fares of the new line rose twice within its first year.');
    const { claims } = written({ findings: [...FINDINGS, second] });
    expect(claims.slice(0, 2).map(({ text }) => text)).toEqual([
      '“The new line carried 2 % more people to work” (Alder 2010) [@alder].',
      '“The fares of the new line rose twice within its first year” [@alder].',
    ]);
  });

  it('puts what contradicts a row right behind it', () => {
    const [one, other] = [finding('Alder', 'Noise fell by 4 dB.'), finding('Elm', 'Noise did not fall.')];
    const { claims } = written({
      findings: [one, ...FINDINGS.slice(1, 4), other],
      conflicts: [conflictOf([one, other], { topic: 'noise' })],
    });
    expect(claims.slice(0, 2).map(({ findingIds }) => findingIds[0])).toEqual([one.id, other.id]);
  });

  it('shows beside a disputed row what stands against it and is no row, and names what is a row of another section', () => {
    const none = finding('Birch', 'The new line did not significantly change traffic (p = 0.61).');
    const better = finding('Alder', 'Traffic fell significantly by 12 % with the new line (p = 0.01).');
    const given = { question: 'Does the new line reduce traffic?', findings: [better] };
    const row = '“Traffic fell significantly by 12 % with the new line (p = 0.01)” (Alder 2010) [@alder]';
    const conflict = conflictOf([better, none]);
    const shown = written({ ...given, conflicts: [{ ...conflict, findingIds: [better.id] }] });
    expect(shown.markdown).toBe(
      `- ${row}; against it, “The new line did not significantly change traffic (p = 0.61)” (Birch 2011) [@birch].`,
    );
    expect(written({ ...given, conflicts: [conflict] }).markdown).toBe(`- ${row}; against it, [@birch].`);
  });

  it('tells what the missing sources say where an earlier text lacked them', () => {
    const lacking = { cited: 1, findingIds: [FINDINGS[4]?.id ?? ''] };
    const plain = written({ targetWords: 30 });
    expect(plain.claims.flatMap(({ findingIds }) => findingIds)).not.toContain(FINDINGS[4]?.id);
    const mended = written({ targetWords: 30, lacking });
    expect(mended.claims.flatMap(({ findingIds }) => findingIds)).toContain(FINDINGS[4]?.id);
  });
});

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
