import { givenText } from './given-text';
import { jsonValues } from './given-json';

const FORMS =
  'a .json file holds a list of texts, a .jsonl file one text a line, both in quotation marks; any other file is one observation';

/** The observations of files, in their order; what is wrong is added to `problems`. */
export async function observationsOf(files: readonly string[], problems: string[]): Promise<string[]> {
  const observations: string[] = [];
  for (const file of files) {
    const given = await givenText('--observations', file);
    if ('problem' in given) {
      problems.push(given.problem);
      continue;
    }
    const texts = /\.jsonl?$/i.test(file) ? textsOf(file, given.text) : [given.text];
    if (texts === null) problems.push(`--observations ${file}: it holds no list of texts; ${FORMS}.`);
    else observations.push(...texts);
  }
  return observations;
}

function textsOf(file: string, text: string): string[] | null {
  try {
    const values = jsonValues(file, text);
    return values.every((value) => typeof value === 'string') ? values : null;
  } catch {
    return null;
  }
}
