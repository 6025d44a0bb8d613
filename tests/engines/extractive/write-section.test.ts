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
  it('is what its sources say, word for word, each with who says it and where', () => {
    const { markdown, claims } = written();
    expect(claims.map(({ findingIds }) => findingIds)).toEqual(FINDINGS.map(({ id }) => [id]));
    for (const [at, { text }] of claims.entries()) {
      expect(text).toContain(`The new line carried ${at + 2} % more people to work`);
      expect(text).toContain(`${NAMES[at]} (Tram Review, 201${at})`);
      expect(text).toContain(`[@${NAMES[at]?.toLowerCase()}]`);
      expect(markdown).toContain(text);
    }
    expect(markdown.split('\n\n')).toHaveLength(2);
  });

  it('stops at the words that are wanted, not within a claim', () => {
    const { markdown, claims } = written({ targetWords: 40 });
    expect(claims.length).toBeLessThan(FINDINGS.length);
    expect(countWords(markdown)).toBeGreaterThanOrEqual(40);
    expect(countWords(markdown)).toBeLessThan(80);
    expect(written({ findings: [] })).toEqual({ markdown: '', claims: [] });
  });

  it('tells what one source says together, and names it once in full', () => {
    const second = finding('Alder', 'The fares of the new line rose twice within its first year.');
    const { claims } = written({ findings: [...FINDINGS, second] });
    expect(claims[1]?.text).toMatch(/^Alder \(2010\) also reports: “The fares/);
  });

  it('sets against each other what contradicts', () => {
    const denial = finding('Elm', 'The new line carried nobody to work who had not taken the bus before.');
    const findings = [...FINDINGS.slice(0, 4), denial];
    const against = conflictOf([...FINDINGS.slice(0, 1), denial], { topic: 'the new line' });
    const { claims } = written({ findings, conflicts: [against] });
    expect(claims[1]?.text).toMatch(/^By contrast, .*Elm .*“The new line carried nobody/);
  });

  it('tells what the missing sources say where an earlier text lacked them', () => {
    const lacking = { cited: 1, findingIds: [FINDINGS[4]?.id ?? ''] };
    const plain = written({ targetWords: 30 });
    expect(plain.claims.flatMap(({ findingIds }) => findingIds)).not.toContain(FINDINGS[4]?.id);
    const mended = written({ targetWords: 30, lacking });
    expect(mended.claims.flatMap(({ findingIds }) => findingIds)).toContain(FINDINGS[4]?.id);
  });
});
