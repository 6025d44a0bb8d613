import type { Brief } from '../../contracts/brief/brief';
import { BriefMaterial } from '../../contracts/brief/brief-material';
import { BriefPlan } from '../../contracts/brief/brief-plan';
import type { JudgedDocument } from '../../contracts/judge/judged-document';
import type { JudgedVersion } from '../../contracts/judge/judgement';
import { SectionDraft } from '../../contracts/report/draft';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunStatus } from '../../contracts/run/run';
import { eventKey } from '../../core/run/event-key';
import { citedIds } from '../../core/text/citation-marks';
import { readIfAny, readShared, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import type { BriefFacts } from './brief-facts';

export interface AssembleBriefInput {
  run: BriefFacts;
  status: RunStatus;
  version: number;
  materialRef: ArtifactRef | null;
  planRef: ArtifactRef | null;
  drafts: { partId: string; draftRef: ArtifactRef }[];
  judge: { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] } | null;
  endedEarly: string | null;
  shortfalls: string[];
  warnings: Brief['warnings'];
  usage: Brief['usage'];
  timings: Brief['timings'];
  asOf: string;
  isFinal: boolean;
}

export interface AssembledBrief {
  judgedRef: ArtifactRef;
  reportRef: ArtifactRef;
  markdownRef: ArtifactRef;
  citations: number;
}

export async function assembleBrief(
  { content, events }: ActivityPorts,
  input: AssembleBriefInput,
): Promise<AssembledBrief> {
  const { run, status } = input;
  const material = await readIfAny(content, input.materialRef, BriefMaterial);
  const plan = await readIfAny(content, input.planRef, BriefPlan);
  const drafts = await Promise.all(
    input.drafts.map(async ({ partId, draftRef }) => ({
      partId,
      draft: await readShared(content, draftRef, SectionDraft),
    })),
  );
  const document: JudgedDocument = {
    question: run.question,
    title: plan?.title ?? run.question,
    parts: (plan?.parts ?? []).flatMap(({ id, title }) => {
      const draft = drafts.find(({ partId }) => partId === id)?.draft;
      const role = id === 'summary' || id === 'conclusions' ? id : ('body' as const);
      return draft === undefined ? [] : [{ id, title, role, markdown: draft.markdown }];
    }),
    claims: drafts.flatMap(({ partId, draft }) =>
      draft.claims.map(({ text, verdict }) => ({
        ...{ partId, text, sourceIds: citedIds(text), stands: true },
        verdict: verdict?.verdict ?? ('unchecked' as const),
      })),
    ),
    topics: (material?.subtopics ?? []).map(({ id, title, findings }) => ({
      ...{ id, title },
      statements: findings.map(({ claim, citations }) => ({ text: claim, sourceIds: citations })),
    })),
    conflicts: [],
    sources: [],
    targetWords: run.brief.words,
  };
  const markdown = document.parts.map(({ title, markdown: text }) => `## ${title}\n\n${text}`).join('\n\n');
  const reportRef = await storeArtifact(content, run.runId, { ...document, judge: input.judge, status });
  const markdownRef = await content.store(run.runId, markdown);
  if (input.isFinal)
    await events.appendOnce(run.runId, eventKey({ pass: 3, step: 'assemble', type: 'run-completed' }), {
      type: 'run-completed',
      payload: { status, reportRef, markdownRef },
    });
  const judgedRef = await storeArtifact(content, run.runId, document);
  return { judgedRef, reportRef, markdownRef, citations: material?.sources.length ?? 0 };
}
