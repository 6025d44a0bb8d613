// What the verifier says of true claims, and of the same claims with one thing exchanged, by how close they are to their passages.
import { built } from './built.mjs';
import { closenessTo } from './corrupting/closeness.mjs';
import { corruptions } from './corrupting/corrupt-sentence.mjs';
import { expertClaims } from './corrupting/expert-claims.mjs';
import { holdsFigures } from './corrupting/held-figures.mjs';
import { movedCitations } from './corrupting/moved-citations.mjs';
import { namesOf } from './corrupting/names.mjs';
import { studyClaims } from './corrupting/study-claims.mjs';
import { tally } from './corrupting/tally.mjs';
import { draw, seededRandom } from './draw.mjs';
import { readRecords } from './read-records.mjs';
import { UsageError } from './usage-error.mjs';

const CLOSE = 0.8;
const WRONG = ['contradicted', 'unsupported', 'partial'];

/** Each file is sources in the product's own format, or answers with the passages that they cite. */
export function corruptedSuite({ files, questions: most, seed = 1, observe }) {
  const judged = files.flatMap((file) => judgedOf(file, most, seed));
  if (observe !== undefined) judged.forEach(observe);
  const families = [...new Set(judged.map(({ family }) => family))];
  const parts = families.map((family) => [family, tally(judged.filter((one) => one.family === family))]);
  return {
    n: judged.filter(({ kind }) => kind === 'true').length,
    ...Object.fromEntries(parts),
    together: tally(judged),
  };
}

function judgedOf(file, most, seed) {
  const random = seededRandom(seed);
  const records = readRecords(file, {});
  const family = familyOf(records[0] ?? {}, file);
  const settings = family === 'studies' ? studyClaims(records, random) : expertClaims(records);
  return settings.flatMap((setting) => judgedIn(setting, { family, most, seed }));
}

function familyOf(record, file) {
  if (typeof record.content === 'string') return 'studies';
  if (Array.isArray(record.ctxs) && typeof record.output === 'string') return 'experts';
  throw new UsageError(`${file} has neither sources ("content") nor answers ("ctxs" and "output").`);
}

function judgedIn({ sources, claims, definitions }, { family, most, seed }) {
  const { createVerifier } = built('verification/create-verifier.js');
  const { splitSentences } = built('language/sentences.js');
  const verifier = createVerifier({ sources, definitions });
  const contents = new Map(sources.map(({ sourceId, content }) => [sourceId, content]));
  const names = namesOf(claims.map(({ text }) => text));
  const random = seededRandom(seed);
  const moved = movedCitations(sources);
  return draw(claims, most, seed).flatMap(({ text, cited, kin }) => {
    const passage = cited.map((id) => contents.get(id)).join('\n\n');
    const sentences = splitSentences(passage).map((one) => one.text);
    const isClose = closenessTo(text, sentences) >= CLOSE;
    const hasFigures = holdsFigures(passage, text);
    const cases = [
      { kind: 'true', claim: text, ids: cited },
      ...corruptions(text, { passage, names, random }).map(([kind, claim]) => ({ kind, claim, ids: cited })),
      ...moved(text, kin, random).map(([kind, id]) => ({ kind, claim: text, ids: [id] })),
    ];
    return cases.map(({ kind, claim, ids }) => {
      const told = verifier.verify(claim, ids);
      return {
        family,
        kind,
        isClose,
        hasFigures,
        ...told,
        claim,
        isCalledWrong: WRONG.includes(told.verdict),
      };
    });
  });
}
