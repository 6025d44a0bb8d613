import type { BriefMaterial } from '../../../src/contracts/brief';
import { tokensOf } from '../../../src/text/sentences';

/** What holds of any material: `summaryOf` gives a subtopic's summary as it was given. */
export function expectSound(material: BriefMaterial, summaryOf: (subtopicId: string) => string): void {
  const { subtopics, sources, held, places, conflicts } = material;
  const ids = new Set(sources.map(({ id }) => id));
  const findings = subtopics.flatMap((subtopic) => subtopic.findings);
  const findingIds = new Set(findings.map(({ id }) => id));
  expect(sources.map(({ n }) => n)).toEqual(sources.map((_, at) => at + 1));
  expect(ids.size).toBe(sources.length);
  for (const { claim, citations, evidence, id } of findings) {
    expect(citations.filter((cited) => !ids.has(cited))).toEqual([]);
    expect(evidence.map(({ sourceId }) => sourceId)).toEqual(citations);
    for (const { sourceId, quote, start, end } of evidence) {
      expect(quote).toBe(claim);
      expect(held[sourceId]?.slice(start, end)).toBe(quote);
    }
    const [own] = places[id] ?? [];
    const written = own === undefined ? '' : summaryOf(own.subtopicId).slice(own.start, own.end);
    expect(isWithin(tokensOf(claim), tokensOf(written))).toBe(true);
  }
  for (const { viewpoints, findingIds: disputed } of conflicts) {
    expect(disputed.filter((id) => !findingIds.has(id))).toEqual([]);
    for (const { citations, evidence } of viewpoints) {
      expect(new Set(evidence.map(({ sourceId }) => sourceId))).toEqual(new Set(citations));
      for (const { sourceId, quote, start, end } of evidence)
        expect(held[sourceId]?.slice(start, end)).toBe(quote);
    }
  }
  const lines = Object.values(held).flatMap((text) => text.split('\n'));
  expect(lines.length).toBe(findings.reduce((sum, { citations }) => sum + citations.length, 0));
  expect(Object.keys(places).sort()).toEqual([...findingIds].sort());
}

/** Whether the words stand among the others in that order: marks may stand between them. */
function isWithin(words: readonly string[], others: readonly string[]): boolean {
  let next = 0;
  for (const other of others) if (other === words[next]) next += 1;
  return next === words.length;
}
