import type { AnswerListener } from './answer-listener';
import { chatBody } from './chat-body';
import type { Endpoint } from './endpoint';
import { withoutRefused, type Abilities } from './endpoint-abilities';
import type { Deadline } from './endpoint-deadline';
import type { ModelRequest, ModelResponse, SchemaRung } from './model-client';
import { complaintOfError } from './model-failure';
import { readAnswer } from './read-answer';

export interface Question {
  request: ModelRequest;
  rung: SchemaRung | null;
  /** What the model is known to take. */
  abilities: Abilities;
  /** Called with what else was learned about that. */
  learn: (abilities: Abilities) => void;
  /** Makes it a stream. */
  listener: AnswerListener | null;
  inactivityMs: number;
}

/** Asks once, and again without a parameter as long as the endpoint refuses another one. */
export async function askModel(
  endpoint: Endpoint,
  question: Question,
  deadline: Deadline,
): Promise<ModelResponse> {
  const { request, rung, listener } = question;
  const sent = {
    streams: listener !== null,
    hasSchema: rung === 'json-schema' && request.schema !== undefined,
  };
  const tried = new Set<string>();
  let { abilities } = question;
  for (;;) {
    tried.add(JSON.stringify(abilities));
    try {
      const answer = await askOnce(endpoint, question, abilities, deadline);
      question.learn(abilities);
      return { ...answer, rung: request.schema === undefined ? null : rung };
    } catch (error) {
      const complaint = listener?.heard === true ? null : complaintOfError(error);
      const changed = complaint && withoutRefused(abilities, complaint, sent);
      if (!changed || tried.has(JSON.stringify(changed.abilities))) throw error;
      if (changed.certain) question.learn(changed.abilities);
      abilities = changed.abilities;
    }
  }
}

async function askOnce(
  endpoint: Endpoint,
  { request, rung, listener, inactivityMs }: Question,
  abilities: Abilities,
  deadline: Deadline,
): Promise<Omit<ModelResponse, 'rung'>> {
  const body = chatBody(request, rung, abilities, listener !== null);
  const response = await endpoint.complete(body, deadline.signal);
  const answer = await readAnswer(response, {
    deadline,
    inactivityMs,
    onText: (text) => listener?.push(text),
  });
  listener?.end();
  return answer;
}
