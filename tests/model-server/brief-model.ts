import { JUDGE_DIMENSIONS, ofEach } from '../../src/contracts/judge/dimensions';
import { answers, answersJson } from './behaviours';
import { createGoodModel, messagesOf } from './good-model';
import type { Behaviour, RecordedRequest, ScriptFunction } from './model-server';
import { lineOf, materialIn } from './prompt-material';

export interface BriefModelOptions {
  brief?: (text: string) => string;
  part?: (text: string, asked: { title: string; isRevision: boolean }) => string;
  /** What a text is worth, and which parts are to be mended, by their ids. */
  judge?: (text: string) => { score: number; parts: string[] };
}

/** The steps of a brief, told by a line of its prompt. */
const OPENINGS = [
  ['You plan a brief', 'plan-brief'],
  ['You write a brief', 'write-brief'],
  ['You write one part of a brief', 'write-brief-part'],
  ['Score the text from 1', 'judge'],
] as const;

export type BriefStep = (typeof OPENINGS)[number][1] | 'audit';

export function briefStepOf(request: RecordedRequest): BriefStep {
  const [, user = ''] = messagesOf(request);
  return (
    OPENINGS.find(([opening]) => user.includes(`\n${opening}`) || user.includes(`}}${opening}`))?.[1] ??
    'audit'
  );
}

/** A model that writes briefs of what its prompts say, statement by statement, and judges them. */
export function briefModel(options: BriefModelOptions = {}): ScriptFunction {
  const critic = createGoodModel();
  const { brief = same, part = same, judge = () => ({ score: 5, parts: [] }) } = options;
  return (request): Behaviour => {
    const [, user = ''] = messagesOf(request);
    switch (briefStepOf(request)) {
      case 'plan-brief':
        return answersJson(planned(user));
      case 'write-brief':
        return answers(brief(wholeBrief(user)));
      case 'write-brief-part': {
        const isRevision = user.includes('This part was written before');
        const title = lineOf(user, 'The part:');
        return answers(part(told(title, statementsIn(user)), { title, isRevision }));
      }
      case 'judge': {
        const { score, parts } = judge(materialIn(user).get('text') ?? '');
        const places = parts.map((id) => ({ part: id, quote: '' }));
        const dimension = {
          score,
          reason: score < 5 ? 'It lacks something.' : 'Nothing is to be mended.',
          places,
        };
        return answersJson(ofEach(JUDGE_DIMENSIONS, () => dimension));
      }
      case 'audit':
        return critic.answer(request);
    }
  };
}

function same(text: string): string {
  return text;
}

interface Statement {
  id: string;
  cites: string;
  claim: string;
  /** The title of the subtopic that it stands under, where there is one. */
  under: string;
}

function statementsIn(prompt: string): Statement[] {
  let under = '';
  return (materialIn(prompt).get('findings') ?? '').split('\n').flatMap((line) => {
    const title = /^\[([^\]]+)\]$/.exec(line)?.[1];
    if (title !== undefined) under = title;
    const [, id = '', cites = '', claim = ''] = /^(F\d+) ((?:\[S\d+\])+): (.*)$/.exec(line) ?? [];
    return id === '' ? [] : [{ id, cites, claim, under }];
  });
}

/** How a part begins the sentences that point at what another tells: no sentence stands twice in the same words. */
const LEADS: Record<string, string> = {
  'Executive Summary': 'The summaries find that ',
  Conclusions: 'Whoever sleeps badly can act on this, as it was shown that ',
};

function told(title: string, statements: readonly Statement[]): string {
  const lead = LEADS[title];
  return statements
    .map(({ claim, cites }) => {
      const plain = claim.replace(/\.$/, '');
      const said = lead === undefined ? plain : `${lead}${plain.charAt(0).toLowerCase()}${plain.slice(1)}`;
      return `${said} ${cites}.`;
    })
    .join(' ');
}

/** A part that is of no subtopic has half of the statements. */
function ofPart(title: string, statements: readonly Statement[]): Statement[] {
  const own = statements.filter(({ under }) => under === title);
  return own.length > 0 ? own : statements.filter((_, at) => at % 2 === (title === 'Conclusions' ? 1 : 0));
}

function planned(prompt: string): unknown {
  const statements = statementsIn(prompt);
  const parts = [...(materialIn(prompt).get('parts') ?? '').matchAll(/^(P\d+): (.+?)\. /gm)];
  return {
    title: 'What helps people who sleep badly',
    parts: parts.map(([, part = '', title = '']) => ({
      part,
      words: 60,
      guidance: '',
      findings: ofPart(title, statements).map(({ id }) => id),
    })),
  };
}

function wholeBrief(prompt: string): string {
  const statements = statementsIn(prompt);
  const asked = prompt.slice(prompt.lastIndexOf('exactly as it stands here:'));
  const titles = [...asked.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
  return [
    '# What helps people who sleep badly',
    ...titles.map((title) => `## ${title}\n\n${told(title, ofPart(title, statements))}`),
  ].join('\n\n');
}
