import { assembleBrief } from '../../src/briefs/assemble-brief';
import { pageOf, RENDERERS } from '../support/renderers';
import { completeBrief, SAID } from './brief-fixture';

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
  const plan = parts.plan === null ? null : { ...parts.plan, title: HOSTILE };
  return assembleBrief({ ...parts, plan, shortfalls: [HOSTILE], question: HOSTILE });
}

describe('a brief of hostile titles, authors and addresses', () => {
  it.each(Object.keys(RENDERERS))('is harmless in %s', (name) => {
    const page = pageOf(RENDERERS[name]?.(hostileBrief().markdown) ?? '');
    expect(page.tags.filter((tag) => ['img', 'script', 'b', 'strong', 'em'].includes(tag))).toEqual([]);
    expect(page.links.filter((link) => !link.startsWith('https://example.org/'))).toEqual([]);
    expect(page.headings).toHaveLength(7);
    expect(page.headings).not.toContain('Own Heading');
  });

  it('is visible in report.json, and claims keep their places', () => {
    const { brief } = hostileBrief();
    expect(JSON.stringify(brief)).not.toMatch(/\\u001b/);
    const markdownOf = new Map(brief.parts.map((part) => [part.id, part.markdown]));
    for (const { partId, text, start, end } of brief.claims)
      expect(markdownOf.get(partId)?.slice(start, end)).toBe(text);
  });

  it('names its subtopics all the same', () => {
    expect(hostileBrief().brief.metadata.qualityCheck.subtopicsCovered).toBe(1);
  });
});
