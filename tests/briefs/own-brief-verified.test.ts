import { assembleBrief } from '../../src/briefs/assemble-brief';
import { verifyReport } from '../../src/verification/report/verify-report';
import { completeBrief } from './brief-fixture';

describe('a brief as any report is read', () => {
  it('has a list in which each citation leads to its source', () => {
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
