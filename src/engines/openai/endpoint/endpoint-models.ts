import { stripUnsafe } from '../../../core/text/untrusted-text';
import { isRecord } from '../../../core/values/is-record';
import { parsedJson } from '../../../core/values/parsed-json';
import { malformed } from '../answer/answer-parts';

const MAX_NAMES = 10_000;
const MAX_NAME_CHARS = 200;

/** The names in the response to a request for an endpoint's models. Throws where it is something else. */
export async function listedModels(response: Response): Promise<string[]> {
  const names = modelNamesIn(parsedJson(await response.text()));
  if (names === null) throw malformed('what it sent is no list of models');
  return names;
}

/** The names in an endpoint's list of models, as OpenAI, Ollama and others write it; null where it is no such list. */
function modelNamesIn(body: unknown): string[] | null {
  const list = listIn(body);
  if (list === null) return null;
  const names = list
    .slice(0, MAX_NAMES)
    .map((item) => (typeof item === 'string' ? item : nameIn(item)))
    .map((name) => stripUnsafe(name).trim())
    .filter((name) => name !== '' && name.length <= MAX_NAME_CHARS);
  return [...new Set(names)];
}

function listIn(body: unknown): readonly unknown[] | null {
  const lists: unknown[] = [body, ...(isRecord(body) ? [body['data'], body['models']] : [])];
  return lists.find((list): list is unknown[] => Array.isArray(list)) ?? null;
}

function nameIn(item: unknown): string {
  if (!isRecord(item)) return '';
  const name = [item['id'], item['model'], item['name']].find((value) => typeof value === 'string');
  return name ?? '';
}
