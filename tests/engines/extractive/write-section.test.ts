import type { Finding } from '../../../src/contracts/report/finding';
import { countWords } from '../../../src/core/writing/shorten';
import { writeSectionExtractively } from '../../../src/engines/extractive/write-section';
import { writeSection } from '../../../src/steps/write-section/write-section';
import type { WriteSectionInput, WriteSectionOutput } from '../../../src/steps/write-section/contract';
import { conflictOf, findingOf, GENERAL } from '../../support/findings';

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

describe('the text of a section', () => {
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

  it('says once whose a row is and in whom, and leaves out what only says that its source says so', () => {
    const findings = [
      finding('Alder', 'Traffic fell significantly by 12 % with the new line (p = 0.01).'),
      finding('Alder', 'The new line did not significantly change noise (p = 0.61).'),
      finding('Birch', 'We found that no adverse effects of the new line were seen.'),
      finding('Birch', 'The new line and the old one did not differ at baseline.'),
    ];
    const titles = ['The new line and traffic in older drivers', 'The new line'];
    const sources = findings.slice(1, 3).map(({ citations: [sourceId = ''] }, at) => ({
      sourceId,
      title: titles[at] ?? '',
      ...(at === 0 ? { author: 'Jane Alder' } : {}),
      quality: GENERAL,
    }));
    const { markdown } = written({ question: 'Does the new line reduce traffic?', findings, sources });
    expect(markdown).toContain('(p = 0.01)” (Alder, in older drivers) [@alder].');
    expect(markdown).toContain('(p = 0.61)” [@alder].');
    // No harm is no lack of an effect, nor is what was alike before.
    const [, others = ''] = markdown.split('### Also reported');
    expect(others).toContain('“… no adverse effects of the new line were seen” (The new line) [@birch].');
    expect(others).toContain('at baseline” [@birch].');
  });

  it('stops at the words that are wanted, not within a claim', () => {
    const { markdown, claims } = written({ targetWords: 40 });
    expect(claims.length).toBeLessThan(FINDINGS.length);
    expect(countWords(markdown)).toBeGreaterThanOrEqual(40);
    expect(countWords(markdown)).toBeLessThan(80);
    expect(written({ findings: [] })).toEqual({ markdown: '', claims: [] });
  });

  it('tells what one source says together, what was found first, and names it once', () => {
    const second = finding('Alder', 'The fares of the new line rose twice within its first year.');
    const { claims } = written({ findings: [...FINDINGS, second] });
    expect(claims.slice(0, 2).map(({ text }) => text)).toEqual([
      '“The fares of the new line rose twice within its first year” (Alder 2010) [@alder].',
      '“The new line carried 2 % more people to work” [@alder].',
    ]);
  });

  it('parts what reports an effect from what reports none, and from what is disputed, where that is asked', () => {
    const better = finding('Alder', 'Traffic fell significantly by 12 % with the new line (p = 0.01).');
    const none = finding('Birch', 'The new line did not significantly change traffic (p = 0.61).');
    const aim = finding('Cedar', 'The city wanted the new line to be quiet.');
    const ofElse = finding('Cedar', 'Sales in the shops rose significantly by 20 % (p = 0.001).');
    const [one, other] = [finding('Dogwood', 'Noise fell by 4 dB.'), finding('Elm', 'Noise did not fall.')];
    const given = {
      findings: [aim, none, ofElse, one, better, other],
      conflicts: [conflictOf([one, other], { topic: 'noise' })],
    };
    const headings = ({ markdown }: WriteSectionOutput): string[] => markdown.match(/^### .*$/gm) ?? [];
    const asked = written({ ...given, question: 'Does the new line reduce traffic and noise?' });
    expect(headings(asked)).toEqual(['### Disputed', '### An effect', '### No effect', '### Also reported']);
    expect(asked.claims.map(({ findingIds }) => findingIds[0])).toEqual(
      [one, other, better, none, aim, ofElse].map(({ id }) => id),
    );
    expect(headings(written({ ...given, question: 'When did the new line open?' }))).toEqual([]);
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
