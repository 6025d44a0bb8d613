import type { BriefMaterial } from '../contracts/brief';
import type { RunEventBody } from '../contracts/event';
import { JUDGE_DIMENSIONS } from '../contracts/judgement';
import type { BriefPlan } from '../contracts/outline';
import { count } from '../contracts/wording';
import { bullets, joinBlocks } from '../lib/strings';
import { toSafeLine } from '../lib/untrusted-text';
import { inlineCode } from './pass-markdown';

/** Markdown for people of the result of a brief's pass. Text from sources is escaped. */
export function briefPassMarkdown(left: BriefPassResult): string {
  switch (left.pass) {
    case 'gather':
      return materialMarkdown(left.result);
    case 'plan':
      return planMarkdown(left.result);
    case 'judge':
      return judgementsMarkdown(left.result);
  }
}

function materialMarkdown({ subtopics, sources, conflicts, setAside }: BriefMaterial): string {
  const numberOf = new Map(sources.map(({ id, n }) => [id, `[${n}]`]));
  const cites = (ids: readonly string[]): string => ids.map((id) => numberOf.get(id) ?? '').join('');
  const statements = subtopics.reduce((sum, { findings }) => sum + findings.length, 0);
  const inFull = sources.filter(({ contentRef }) => contentRef !== null).length;
  return joinBlocks([
    '# Gathered',
    `${count(subtopics.length, 'subtopic')} with ${count(statements, 'statement')}, ${count(sources.length, 'source')}, ${inFull} of them with their texts.`,
    ...subtopics.flatMap(({ title, findings }) => [
      `## ${toSafeLine(title)}`,
      findings.length === 0
        ? 'It states nothing that stands.'
        : bullets(findings.map(({ claim, citations }) => `${toSafeLine(claim)} ${cites(citations)}`.trim())),
    ]),
    ...(conflicts.length === 0
      ? []
      : [
          '## Disagreements',
          bullets(
            conflicts.map(({ topic, viewpoints }) => {
              const sides = viewpoints.map(
                ({ statement, citations }) => `${toSafeLine(statement)} ${cites(citations)}`,
              );
              return `${toSafeLine(topic)}: ${sides.join(' / ')}`;
            }),
          ),
        ]),
    ...(setAside.length === 0
      ? []
      : [
          '## Set aside: their own sources do not bear them',
          bullets(
            setAside.map(
              ({ text, verdict, reason }) => `${toSafeLine(text)} (${verdict}: ${toSafeLine(reason)})`,
            ),
          ),
        ]),
    '## Sources',
    sources
      .map(({ n, title, url }) => `[${n}] ${toSafeLine(title)}${url === null ? '' : ` ${inlineCode(url)}`}`)
      .join('\n'),
  ]);
}

function planMarkdown({ title, parts }: BriefPlan): string {
  const words = parts.reduce((sum, part) => sum + part.words, 0);
  return joinBlocks([
    '# Plan',
    `${toSafeLine(title)}: ${count(parts.length, 'part')}, ${count(words, 'word')}.`,
    bullets(
      parts.map((part) => {
        const guidance = part.guidance === '' ? '' : `. ${toSafeLine(part.guidance)}`;
        return `${toSafeLine(part.title)} (${part.id}): ${count(part.words, 'word')}, ${count(part.findingIds.length, 'statement')}${guidance}`;
      }),
    ),
  ]);
}

function judgementsMarkdown(versions: readonly VersionJudgement[]): string {
  return joinBlocks([
    '# Judged',
    bullets(
      versions.map(({ version, by, scores, overall, passed, revised }) => {
        const each = JUDGE_DIMENSIONS.flatMap((dimension) => {
          const score = scores[dimension];
          return score === undefined ? [] : [`${dimension} ${score.toFixed(1)}`];
        });
        const anew = revised.length === 0 ? '' : `; written anew for it: ${revised.join(', ')}`;
        return `Version ${version}: ${overall.toFixed(2)} of 5, ${passed ? 'passed' : 'not passed'}, by ${by} (${each.join(', ')})${anew}`;
      }),
    ),
  ]);
}

export type VersionJudgement = Extract<RunEventBody, { type: 'judge' }>['payload'];

export interface BriefPassResults {
  gather: BriefMaterial;
  plan: BriefPlan;
  /** In version order; the versions judged so far. */
  judge: VersionJudgement[];
}

export type BriefPassWithResult = keyof BriefPassResults;

export type BriefPassResult = {
  [Pass in BriefPassWithResult]: { pass: Pass; result: BriefPassResults[Pass] };
}[BriefPassWithResult];
