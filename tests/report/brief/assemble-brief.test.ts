import { Brief } from '../../../src/contracts/brief';
import type { SectionDraft } from '../../../src/contracts/draft';
import { JudgedDocument } from '../../../src/contracts/judgement';
import { doubtedPlaces } from '../../../src/evidence/judge-scores';
import { assembleBrief } from '../../../src/report/brief/assemble-brief';
import { rejectedClaimsOfBrief } from '../../../src/report/citations';
import { verifyReport } from '../../../src/report/verify-report';
import { reportJudge } from '../../evidence/report-judge';
import { conflictOf } from '../../support/findings';
import { pageOf, RENDERERS } from '../../support/renderers';
import { completeBrief, draftOf, SAID, source, STANDARD, verdict } from './brief-fixture';
import { templateOf } from './read-template';

describe('assembleBrief', () => {
  type Parts = ReturnType<typeof completeBrief>;

  /** The complete brief with another draft in the place of a part's. */
  function withDraft(partId: string, draft: SectionDraft, parts = completeBrief()): Parts {
    const drafts = parts.drafts.map((one) => (one.partId === partId ? { ...one, draft } : one));
    return { ...parts, drafts };
  }

  function withParts(isWritten: (partId: string) => boolean, parts = completeBrief()): Parts {
    return { ...parts, drafts: parts.drafts.filter(({ partId }) => isWritten(partId)) };
  }

  /** How often each source is cited, in the order of their numbers. */
  const timesCited = ({ citations }: Brief): Record<string, number> =>
    Object.fromEntries(citations.map(({ sourceId, timesCited: times }) => [sourceId, times]));

  function under(markdown: string, heading: string): string {
    const [, after = ''] = markdown.split(`\n${heading}\n`);
    return after.split('\n## ')[0]?.trim() ?? '';
  }

  describe('a brief', () => {
    const parts = completeBrief();
    const { brief, markdown, judged } = assembleBrief(parts);

    it("has document 000's shape", () => {
      const headings = markdown.split('\n').filter((line) => line.startsWith('#'));
      expect(headings).toEqual([
        '# Exercise and the heart',
        '## Executive Summary',
        '## Key Findings',
        '### Walking',
        '### Swimming',
        '## Conclusions',
        '## Sources',
      ]);
      expect(brief.metadata.qualityCheck.passes).toBe(true);
    });

    it('matches the schemas', () => {
      expect(Brief.parse(brief)).toEqual(brief);
      expect(JudgedDocument.parse(judged)).toEqual(judged);
      expect(brief.markdown).toBe(markdown);
    });

    it('numbers its sources in the order in which they appear, without holes', () => {
      expect(brief.citations.map(({ n, sourceId }) => `${n} ${sourceId}`)).toEqual([
        '1 s-c',
        '2 s-a',
        '3 s-b',
        '4 s-d',
      ]);
      expect(timesCited(brief)).toEqual({ 's-c': 2, 's-a': 3, 's-b': 2, 's-d': 1 });
      expect(under(markdown, '## Conclusions')).toBe('Walking lowered systolic pressure by 4 mmHg [2][3].');
      expect(brief.metadata.citationCount).toBe(4);
    });

    it("lists its sources to document 000's letter", () => {
      const lines = ['s-c', 's-a', 's-b', 's-d'].map(
        (id, at) =>
          `[${at + 1}] Journal of Walks. "On ${id}." https://example.org/${id}. Accessed 2026-01-02.`,
      );
      expect(under(markdown, '## Sources').split('\n\n')).toEqual(lines);
    });

    it('has correct offsets of claims and evidence', () => {
      const markdownOf = new Map(brief.parts.map((part) => [part.id, part.markdown]));
      expect(brief.claims).toHaveLength(6);
      for (const { partId, text, start, end, citations, evidence } of brief.claims) {
        expect(markdownOf.get(partId)?.slice(start, end)).toBe(text);
        expect(new Set(evidence.map(({ n }) => n))).toEqual(new Set(citations));
        for (const place of evidence)
          expect(parts.summaries.get(place.subtopicId ?? '')?.slice(place.start, place.end)).toBe(
            place.quote,
          );
      }
    });

    it('says that only summaries were checked where no texts were given', () => {
      expect(markdown).toContain(
        '> All 6 claims are supported by the statements of the summaries that they rest on: 6 of 6.',
      );
      expect(markdown).toContain(
        '> No text of the 4 sources was given: every claim is checked against the summaries alone.',
      );
      expect(new Set(brief.claims.map(({ checkedAgainst }) => checkedAgainst))).toEqual(
        new Set(['summaries']),
      );
    });

    it('gives the judge all parts, claims, statements and sources', () => {
      expect(judged.parts.map(({ id, role }) => `${id}: ${role}`)).toEqual([
        'summary: summary',
        'subtopic-1: body',
        'subtopic-2: body',
        'conclusions: conclusions',
      ]);
      expect(judged.claims[1]).toEqual({
        partId: 'subtopic-1',
        text: 'Walking lowered systolic pressure by 4 mmHg.',
        written: 'Walking lowered systolic pressure by 4 mmHg [2][3].',
        sourceIds: ['s-a', 's-b'],
        verdict: 'supported',
        stands: true,
      });
      expect(judged.topics.map(({ title, statements }) => [title, statements.length])).toEqual([
        ['Walking', 2],
        ['Swimming', 2],
      ]);
      expect(judged.sources.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
    });
  });

  describe('checks against source texts', () => {
    const text = 'Intro. Walking lowered systolic pressure by 4 mmHg.';
    const place = { sourceId: 's-a', quote: text.slice(7), start: 7, end: text.length, page: 3 };

    it('add evidence, and the worse verdict counts', () => {
      const parts = completeBrief();
      parts.material.sources = parts.material.sources.map((given) =>
        given.id === 's-a' ? { ...given, contentRef: 'b'.repeat(64), contentChars: text.length } : given,
      );
      parts.material.checks = { f1: verdict('supported', place), f2: verdict('partial') };
      const { brief, markdown } = assembleBrief(parts);
      const [first, second] = brief.claims.filter(({ partId }) => partId === 'subtopic-1');
      expect(first).toMatchObject({ verdict: 'supported', checkedAgainst: 'sources' });
      const { quote } = place;
      expect(first?.evidence.at(-1)).toEqual({
        n: 2,
        subtopicId: null,
        quote,
        start: 7,
        end: text.length,
        page: 3,
      });
      expect(second).toMatchObject({
        verdict: 'partial',
        checkedAgainst: 'sources',
        reason: 'It is partial',
      });
      expect(brief.audit).toMatchObject({ claims: 6, supported: 5, partial: 1 });
      expect(brief.citations.filter(({ inFull }) => inFull).map(({ sourceId }) => sourceId)).toEqual(['s-a']);
      expect(markdown).toContain(
        '> The texts of 1 of 4 sources were given; what rests on the others is checked against the summaries alone.',
      );
    });

    it('do not refute a statement by a low score', () => {
      const parts = completeBrief();
      parts.material.checks = { f1: { ...verdict('unsupported'), code: 'unlikely' } };
      const [first] = assembleBrief(parts).brief.claims.filter(({ partId }) => partId === 'subtopic-1');
      expect(first).toMatchObject({ verdict: 'unchecked', code: 'open', checkedAgainst: 'sources' });
    });

    it('set refuted statements aside', () => {
      const parts = completeBrief();
      const claim = { text: 'Walking cures everything.', sourceIds: ['s-e'], subtopicId: 'subtopic-1' };
      const { material } = parts;
      material.sources = [...material.sources, source('s-e', 5)];
      material.setAside = [{ ...claim, ...verdict('contradicted'), action: 'left-out' }];
      const { brief, markdown, judged } = assembleBrief(parts);
      expect(brief.setAside).toMatchObject([
        { id: 'A1', partId: 'subtopic-1', from: 'summary', verdict: 'contradicted', citations: [5] },
      ]);
      expect(markdown).not.toContain('cures everything');
      expect(rejectedClaimsOfBrief(brief)).toMatch(
        /^## The given summary of Walking\n\n- \*\*A1\*\*, contradicted: “Walking cures everything” \[5\]\. It is contradicted\. It is left out\.$/m,
      );
      expect(markdown).toContain(
        '1 sentence of the summaries is set aside, because the sources do not bear it.',
      );
      expect(under(markdown, '## Sources')).not.toContain('[5]');
      expect(rejectedClaimsOfBrief(brief)).toContain('- [5] “On s-e”');
      expect(brief.audit.claims).toBe(6);
      expect(judged.claims).toHaveLength(6);
    });
  });

  it('doubtedPlaces names the sentence of a doubted claim', () => {
    const parts = completeBrief();
    for (const { draft } of parts.drafts.filter(({ partId }) => partId === 'subtopic-2'))
      draft.claims = draft.claims.map((claim, at) =>
        at === 0 ? { ...claim, verdict: verdict('partial') } : claim,
      );
    expect(doubtedPlaces(assembleBrief(parts).judged)).toEqual([
      { partId: 'subtopic-2', quote: 'Swimming raised capacity by 11 % in 40 adults [1].' },
    ]);
  });

  describe('unsupported claims', () => {
    function withAside(unsupportedClaims: 'mark' | 'remove'): ReturnType<typeof assembleBrief> {
      const parts = completeBrief();
      const draft = draftOf(parts.material.subtopics[0]?.findings ?? []);
      const aside = { text: 'Walking lowers it by 40 mmHg.', sourceIds: ['s-a'], ...verdict('contradicted') };
      const checked = { setAside: [{ ...aside, action: 'left-out' as const }] };
      const told = { ...draft, checked };
      const settings = { ...parts.settings, unsupportedClaims };
      return assembleBrief({ ...withDraft('subtopic-1', told, parts), settings });
    }

    it('are left out of the text and listed', () => {
      const { brief, markdown, judged } = withAside('mark');
      expect(markdown).not.toContain('40 mmHg');
      expect(rejectedClaimsOfBrief(brief)).toContain(
        '- **A1**, contradicted: “Walking lowers it by 40 mmHg” [2].',
      );
      expect(brief.setAside).toMatchObject([
        { id: 'A1', partId: 'subtopic-1', from: 'text', citations: [2] },
      ]);
      expect(brief.audit).toMatchObject({ claims: 7, supported: 6, contradicted: 1 });
      const aside = { text: 'Walking lowers it by 40 mmHg.', sourceIds: ['s-a'], verdict: 'contradicted' };
      const [claim, ...others] = judged.claims.filter(({ stands }) => !stands);
      expect([claim, others]).toEqual([{ partId: 'subtopic-1', ...aside, stands: false }, []]);
    });

    it('are only in report.json where they are removed', () => {
      const { brief, markdown } = withAside('remove');
      expect(markdown).not.toContain('40 mmHg');
      expect(markdown).toContain(
        '1 in “Walking”, listed with the reason in report.json and in the file “set-aside” beside it',
      );
      expect(rejectedClaimsOfBrief(brief)).toContain('40 mmHg');
      expect(brief.setAside).toHaveLength(1);
    });
  });

  describe('citation warnings', () => {
    it('name sources that the text does not cite, in the words of document 000', () => {
      const parts = withParts((id) => id !== 'summary' && id !== 'subtopic-2');
      const { brief, markdown, judged } = assembleBrief(parts);
      expect(brief.citations.map(({ n, sourceId }) => `${n} ${sourceId}`)).toEqual([
        '1 s-a',
        '2 s-b',
        '3 s-c',
        '4 s-d',
      ]);
      expect(timesCited(brief)).toEqual({ 's-a': 3, 's-b': 2, 's-c': 0, 's-d': 0 });
      expect(brief.metadata.warnings).toEqual(['Citations {3, 4} defined but not referenced in report']);
      expect(under(markdown, '## Sources')).not.toContain('s-c');
      expect(judged.sources.map(({ n }) => n)).toEqual([1, 2, null, null]);
    });

    it('include unknown citations of summaries and of the model, once', () => {
      const parts = completeBrief();
      const unknown = { code: 'citation-unknown', message: 'subtopic-1 (Walking): its summary cites 9.' };
      const written = { code: 'unknown-source', message: 'Citation [7] was written, but does not exist.' };
      parts.material.warnings.push(unknown);
      parts.warnings.push(written, { code: 'budget', message: 'The budget is spent.' }, written);
      const { brief } = assembleBrief(parts);
      expect(brief.metadata.warnings).toEqual([unknown.message, written.message]);
    });

    it('include a number that the list does not have', () => {
      const parts = withDraft('summary', {
        markdown: 'Somebody wrote a number of their own [99].',
        claims: [],
      });
      const { warnings } = assembleBrief(parts).brief.metadata;
      expect(warnings).toEqual(['Citation [99] referenced but does not exist']);
    });
  });

  describe('a template of the user', () => {
    const own = STANDARD.replace('## Executive Summary', '# In Short')
      .replace('## Key Findings', '### What We Found')
      .replace('## Conclusions', '## What Next\n\nBy {{name}}')
      .replace('By {{name}}', 'Read to the end.')
      .replace('## Sources', '## Where They Differ\n\n{{disagreements}}\n\n## References');

    it('is checked by its own headings and sets the level of subtopics', () => {
      const { brief, markdown } = assembleBrief({ ...completeBrief(), template: templateOf(own) });
      const { qualityCheck } = brief.metadata;
      expect(qualityCheck).toMatchObject({ hasExecutiveSummary: true, hasFindings: true, passes: true });
      expect(markdown).toContain('\n#### Walking\n');
      expect(markdown).toContain('## What Next\n\nRead to the end.\n\nWalking lowered');
      expect(brief.parts.map(({ title }) => title)).toEqual(['In Short', 'Walking', 'Swimming', 'What Next']);
      expect(markdown).not.toContain('Where They Differ');
    });

    it('lists disagreements in its slot', () => {
      const parts = completeBrief();
      const [walking, swimming] = parts.material.subtopics.map(({ findings }) => findings);
      const sides = [walking?.[0], swimming?.[1]].flatMap((finding) => finding ?? []);
      const reason = 'One side reports a decrease, the other no change.';
      parts.material.conflicts = [conflictOf(sides, { topic: 'systolic pressure', reason })];
      const { brief, markdown } = assembleBrief({ ...parts, template: templateOf(own) });
      const list = under(markdown, '## Where They Differ');
      expect(list).toMatch(
        /^- \*\*Systolic pressure\.\*\* .*\[2\]\[3\], while .*\[4\]\. One side reports a decrease, the other no change\.$/,
      );
      expect(brief.conflicts[0]?.viewpoints.map(({ citations }) => citations)).toEqual([[2, 3], [4]]);
      expect(assembleBrief(parts).markdown).not.toContain('One side reports a decrease');
    });
  });

  describe('a run that ended early', () => {
    it('has no parts where nothing was gathered', () => {
      const nothing = { material: null, title: 'What does exercise do?', drafts: [] };
      const ended = { status: 'cancelled' as const, endedEarly: 'The run was cancelled.' };
      const { brief, markdown, judged } = assembleBrief({ ...completeBrief(), ...nothing, ...ended });
      expect(markdown).toBe(
        '# What does exercise do?\n\n> The run was cancelled.\n>\n> Nothing of the text was written.\n>\n> The report makes no claim: 0 of 0.\n\n## Sources\n\nNo source is cited.\n',
      );
      expect(Brief.parse(brief).metadata.qualityCheck).toMatchObject({ subtopicsCovered: 0, passes: false });
      expect(JudgedDocument.parse(judged).parts).toEqual([]);
    });

    it('names the missing parts without their headings', () => {
      const { brief, markdown } = assembleBrief(withParts((id) => id === 'subtopic-1'));
      expect(markdown).toContain(
        '> The run could not write the summary, the conclusions and subtopic 2 of 2.',
      );
      const { qualityCheck } = brief.metadata;
      expect(qualityCheck).toMatchObject({
        hasExecutiveSummary: false,
        subtopicsCovered: 0.5,
        passes: false,
      });
    });
  });

  describe('a subtopic without statements', () => {
    const rowing = (): Parts =>
      withParts((id) => id !== 'subtopic-3', completeBrief([...SAID, { title: 'Rowing', statements: [] }]));

    it('has a heading and a notice', () => {
      const { markdown } = assembleBrief(rowing());
      expect(under(markdown, '### Rowing')).toBe(
        'The summary of this subtopic states nothing that could be cited.',
      );
      expect(markdown).not.toContain('could not write');
    });

    it('says that another subtopic has its statements', () => {
      const parts = rowing();
      const [places] = Object.values(parts.material.places);
      places?.push({ subtopicId: 'subtopic-3', paragraph: 0, start: 0, end: 1 });
      const { markdown } = assembleBrief(parts);
      expect(under(markdown, '### Rowing')).toMatch(/^What the summary of this subtopic says is told/);
    });
  });

  describe('a brief that was judged', () => {
    it('has the judgement, and a notice where the text did not pass', () => {
      const judge = { ...reportJudge(3), version: 2, overall: 3.2 };
      const { brief, markdown } = assembleBrief({ ...completeBrief(), judge });
      expect(brief.judge).toEqual(judge);
      expect(markdown).toContain(
        '> The judge did not pass this text: 3.2 of 5, where 3.5 would pass. It is version 2 of 3, the best after 2 revisions.',
      );
      const passed = { ...judge, passed: true };
      expect(assembleBrief({ ...completeBrief(), judge: passed }).markdown).not.toContain('judge');
    });
  });

  describe('the length of a brief', () => {
    it.each([
      [null, 10_000, true, null],
      [200, 10_000, false, 'nothing is padded'],
    ])('wanted %p, at most %p: reached is %p', (words, maxWords, isReached, told) => {
      const parts = completeBrief();
      parts.settings = { ...parts.settings, words, maxWords };
      const { brief, markdown } = assembleBrief(parts);
      expect(brief.length).toMatchObject({ wanted: words, most: maxWords, isReached });
      expect(brief.length.words).toBe(markdown.split(/\s+/).filter(Boolean).length);
      expect(brief.metadata.wordCount).toBe(brief.length.words);
      if (told !== null)
        expect(markdown).toContain(`${words} words were wanted, and the text has ${brief.length.words}`);
      expect(brief.metadata.warnings).toHaveLength(told === null ? 0 : 1);
    });

    it('above the maximum gives a warning and cuts nothing off', () => {
      const long = { markdown: 'word '.repeat(300).trim(), claims: [] };
      const parts = withDraft('summary', long);
      const settings = { ...parts.settings, maxWords: 200 };
      const { brief, markdown } = assembleBrief({ ...parts, settings });
      expect(markdown).toContain(long.markdown);
      expect(brief.length.isReached).toBe(false);
      expect(brief.metadata.warnings).toContain(
        `The text has ${brief.length.words} words, where 200 were to be the most; it is never cut off.`,
      );
    });
  });
});

describe('hostile titles, authors and addresses', () => {
  const HOSTILE =
    '<img src=x onerror=alert(1)> [click](javascript:alert(1)) \u001b]0;x\u0007# ## **b** http://evil.example/x\n\n# Own Heading';

  /** A brief in which everything that others name is hostile. */
  function hostileBrief(): ReturnType<typeof assembleBrief> {
    const [walking, swimming] = SAID;
    const parts = completeBrief([
      { ...walking, title: HOSTILE, statements: walking?.statements ?? [] },
      { ...swimming, title: `${HOSTILE} 2`, statements: swimming?.statements ?? [] },
    ]);
    parts.material.sources = parts.material.sources.map((source, at) => ({
      ...source,
      title: HOSTILE,
      author: HOSTILE,
      accessedAt: HOSTILE,
      url: at === 0 ? 'javascript:alert(1)' : `https://example.org/${at})](javascript:alert(2)) <b>`,
    }));
    return assembleBrief({ ...parts, title: HOSTILE, shortfalls: [HOSTILE], question: HOSTILE });
  }

  it.each(Object.keys(RENDERERS))('are inert in %s', (name) => {
    const page = pageOf(RENDERERS[name]?.(hostileBrief().markdown) ?? '');
    expect(page.tags.filter((tag) => ['img', 'script', 'b', 'strong', 'em'].includes(tag))).toEqual([]);
    expect(page.links.filter((link) => !link.startsWith('https://example.org/'))).toEqual([]);
    expect(page.headings).toHaveLength(7);
    expect(page.headings).not.toContain('Own Heading');
  });

  it('keep offsets and lose control characters in report.json', () => {
    const { brief } = hostileBrief();
    expect(JSON.stringify(brief)).not.toMatch(/\\u001b/);
    const markdownOf = new Map(brief.parts.map((part) => [part.id, part.markdown]));
    for (const { partId, text, start, end } of brief.claims)
      expect(markdownOf.get(partId)?.slice(start, end)).toBe(text);
  });

  it('do not hide a subtopic from the quality check', () => {
    expect(hostileBrief().brief.metadata.qualityCheck.subtopicsCovered).toBe(1);
  });
});

describe('verifyReport of a brief', () => {
  it('resolves every citation to its source', () => {
    const parts = completeBrief();
    const { brief, markdown } = assembleBrief(parts);
    const sources = parts.material.sources.map(({ id, url, title }) => ({
      id,
      title,
      ...(url === null ? {} : { url }),
      content: parts.material.held[id] ?? '',
    }));
    const verified = verifyReport(markdown, sources);
    expect(verified.entries.map(({ label, sourceId }) => [label, sourceId])).toEqual(
      brief.citations.map(({ n, sourceId }) => [`${n}`, sourceId]),
    );
    expect(verified.citations).toMatchObject({ found: 8, resolved: 8 });
    expect(verified.audit).toMatchObject({ claims: 6, supported: 6 });
    expect(verified.problems).toEqual([]);
  });
});
