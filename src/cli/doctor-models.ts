import type { Config } from '../app/config';
import { LONGEST_LIST, type ModelProbe, probeModels } from '../app/model-endpoint';
import { groupedDigits } from '../lib/strings';
import { type Finding, ok } from './doctor';

type AnsweredModel = ModelProbe & { answered: true };

const OUTPUT_MODES: Record<AnsweredModel['rung'], string> = {
  'json-schema': 'keeps to a JSON schema',
  'json-object': 'answers in JSON without a schema: Colligate writes the schema into the prompt',
  'prompt-only': 'takes neither a schema nor JSON mode: Colligate asks for JSON in words',
};

export async function examineModels(config: Config): Promise<Finding[]> {
  const tried = await probeModels(config);
  if (tried !== null) return tried.flatMap(findingsOf);
  return [
    {
      name: 'models',
      state: 'problem',
      detail: 'no endpoint with models is configured',
      advice:
        'Set OPENAI_BASE_URL, COLLIGATE_MODEL_FAST and COLLIGATE_MODEL_STRONG, or COLLIGATE_ENGINE=local; see docs/models.md.',
      unreachable: true,
    },
  ];
}

function findingsOf(tried: ModelProbe): Finding[] {
  const { model, roles } = tried;
  const name = `model ${roles.join(', ')}`;
  if (!tried.answered)
    return tried.failure === null
      ? [{ name, state: 'problem', detail: `${model} refuses every way of asking`, advice: null }]
      : [
          {
            name,
            state: 'problem',
            detail: `${model}: ${tried.failure}`,
            advice: 'See docs/models.md for what to set.',
            unreachable: true,
          },
        ];
  const facts = factsOf(tried);
  const answer: Finding = tried.isRight
    ? ok(name, facts)
    : {
        name,
        state: 'note',
        detail: `${facts}; but it did not answer two plus two`,
        advice: 'Reports will have many warnings. A larger model may do better.',
      };
  return [
    answer,
    systemMessageFinding(tried),
    longAnswerFinding(tried),
    streamFinding(tried),
    contextFinding(tried),
  ];
}

function factsOf({ model, rung, ms, usage }: AnsweredModel): string {
  const took = `${(ms / 1_000).toFixed(1)} s`;
  const tokens = usage === null ? 'tells no usage' : `${usage.inputTokens} + ${usage.outputTokens} tokens`;
  return `${model}: ${OUTPUT_MODES[rung]}; ${took}; ${tokens}`;
}

function systemMessageFinding({ model, abilities: { system } }: AnsweredModel): Finding {
  const name = 'system message';
  if (typeof system !== 'boolean') return failed(name, model, system.failure);
  return system
    ? ok(name, `${model} follows it`)
    : note(
        name,
        `${model} does not follow it`,
        'Sections may be longer or cited otherwise than asked. A larger instruct model may do better.',
      );
}

function longAnswerFinding({ model, abilities: { long } }: AnsweredModel): Finding {
  const name = 'long answer';
  if ('failure' in long) return failed(name, model, long.failure);
  const { reached, isCutOff } = long;
  if (reached === LONGEST_LIST && !isCutOff) return ok(name, `${model} writes one to its end`);
  return isCutOff
    ? note(
        name,
        `${model} was cut off at ${reached} of ${LONGEST_LIST} numbers: Colligate asks in parts and has texts continued`,
        'If the model thinks before it answers, let it think less; a local server may allow longer answers.',
      )
    : note(
        name,
        `${model} stopped at ${reached} of ${LONGEST_LIST} numbers`,
        'It may leave findings out. A larger model may do better.',
      );
}

function streamFinding({ model, abilities: { streams, long } }: AnsweredModel): Finding {
  const name = 'stream';
  if ('failure' in long) return failed(name, model, long.failure);
  return streams
    ? ok(name, `${model} answers in parts`)
    : ok(name, `${model} answers at once: Colligate waits for whole answers, and shows no text before that`);
}

function contextFinding({ model, contextTokens }: AnsweredModel): Finding {
  const name = 'context';
  return contextTokens === null
    ? ok(
        name,
        `of ${model} not known: 128,000 tokens are taken for it, less where it refuses or cuts a prompt`,
      )
    : ok(name, `${model} takes ${groupedDigits(contextTokens)} tokens, question and answer together`);
}

function failed(name: string, model: string, failure: string): Finding {
  return {
    name,
    state: 'problem',
    detail: `${model}: ${failure}`,
    advice: 'See docs/models.md for what to set.',
  };
}

function note(name: string, detail: string, advice: string): Finding {
  return { name, state: 'note', detail, advice };
}
