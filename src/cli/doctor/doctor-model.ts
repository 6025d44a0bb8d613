import { tryModels, type TriedModel } from '../../app/endpoint/try-models';
import type { Config } from '../../config/config';
import { ok, type Finding } from './doctor-finding';

type Answered = TriedModel & { answered: true };

const CAN: Record<Answered['rung'], string> = {
  'json-schema': 'keeps to a JSON schema',
  'json-object': 'answers in JSON where asked for it, without a schema',
  'prompt-only': 'takes neither a schema nor JSON mode; it is asked for JSON in words',
};

/** Makes one small call for each model that a role has, and says what the endpoint can do. */
export async function examineModels(config: Config): Promise<Finding[]> {
  const tried = await tryModels(config);
  if (tried !== null) return tried.map(findingOf);
  return [
    {
      name: 'models',
      state: 'problem',
      detail: 'no endpoint with models is configured',
      advice: 'Set OPENAI_BASE_URL, COLLIGATE_MODEL_FAST and COLLIGATE_MODEL_STRONG; see docs/models.md.',
      unreachable: true,
    },
  ];
}

function findingOf(tried: TriedModel): Finding {
  const { model, roles } = tried;
  const name = `model ${roles.join(', ')}`;
  if (!tried.answered)
    return tried.failure === null
      ? { name, state: 'problem', detail: `${model} refuses every way of asking`, advice: null }
      : {
          name,
          state: 'problem',
          detail: `${model}: ${tried.failure}`,
          advice: 'See docs/models.md for what to set.',
          unreachable: true,
        };
  const facts = factsOf(tried);
  return tried.isRight
    ? ok(name, facts)
    : {
        name,
        state: 'note',
        detail: `${facts}; but it did not answer two plus two`,
        advice: 'Reports will have many warnings. A larger model may do better.',
      };
}

function factsOf({ model, rung, ms, usage }: Answered): string {
  const took = `${(ms / 1_000).toFixed(1)} s`;
  const tokens = usage === null ? 'tells no usage' : `${usage.inputTokens} + ${usage.outputTokens} tokens`;
  return `${model}: ${CAN[rung]}; ${took}; ${tokens}`;
}
