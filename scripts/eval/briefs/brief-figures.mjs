import { built } from '../built.mjs';
import { share } from '../shares.mjs';

/** What can be counted of a written brief against the summaries that it was made of. */
export function briefFigures({ plan, drafts, words }, material, target) {
  const { sentenceKey } = built('core/duplicates/near-duplicate-sentences.js');
  const { citedIds, replaceMarks } = built('core/text/citation-marks.js');
  const { numbersIn } = built('language/numbers.js');
  const findings = new Map(
    material.subtopics.flatMap((one) => one.findings.map((finding) => [finding.id, finding])),
  );
  const told = drafts.filter(({ id }) => id.startsWith('subtopic'));
  const claims = drafts.flatMap(({ draft }) => draft.claims);
  const toldKeys = told.flatMap(({ draft }) =>
    draft.claims.map(({ text }) => sentenceKey(replaceMarks(text, () => ''))),
  );
  const numbersOf = (text) => numbersIn(text).map(({ value, unit }) => `${value} ${unit}`);
  const misplaced = claims.filter(({ text }) => {
    const cited = citedIds(text);
    const held = [...findings.values()].filter(({ citations }) => citations.some((id) => cited.includes(id)));
    const known = new Set(held.flatMap(({ claim }) => numbersOf(claim)));
    return numbersOf(replaceMarks(text, () => '')).some((number) => !known.has(number));
  });
  const texts = new Set([...findings.values()].map(({ claim }) => sentenceKey(claim)));
  return {
    words,
    ...(target === null ? {} : { offTarget: share(Math.abs(words - target), target) }),
    subtopicsTold: told.filter(({ draft }) => draft.claims.length > 0).length,
    subtopics: material.subtopics.length,
    toldTwice: toldKeys.length - new Set(toldKeys).size,
    notWordForWord: toldKeys.filter((key) => !texts.has(key)).length,
    numbersElsewhere: misplaced.length,
    citationsUnknown: claims.flatMap(({ text }) => citedIds(text)).filter((id) => !material.sources.has(id))
      .length,
    notInText: drafts.flatMap(({ draft }) =>
      draft.claims.filter(({ text }) => !draft.markdown.includes(text)),
    ).length,
    statements: toldKeys.length,
    ofStatements: findings.size,
    summaryParagraphs: paragraphsIn(drafts, 'summary'),
    conclusionParagraphs: paragraphsIn(drafts, 'conclusions'),
    titleWords: plan.title.split(' ').length,
  };
}

function paragraphsIn(drafts, part) {
  return drafts.find(({ id }) => id === part).draft.markdown.split('\n\n').length;
}

/**
 * What a brief in a third of the words keeps of its authors' own results and conclusions, and what as many words from each
 * summary's beginning keep.
 */
export function bestKept({ drafts }, material, kindOf) {
  const findings = new Map(
    material.subtopics.flatMap((one) => one.findings.map((finding) => [finding.id, finding])),
  );
  const told = drafts.filter(({ id }) => id.startsWith('subtopic')).flatMap(({ draft }) => draft.claims);
  const kept = told.flatMap(({ findingIds }) => findingIds.map((id) => findings.get(id)));
  const wordsOf = (all) => all.reduce((sum, { claim }) => sum + claim.split(/\s+/).length, 0);
  const room = wordsOf(kept) / wordsOf([...findings.values()]);
  const opening = material.subtopics.flatMap(({ findings: own }) =>
    firstWithin(own, room * wordsOf(own), wordsOf),
  );
  const sharesIn = (all) => {
    const held = all.map(({ claim }) => kindOf(claim));
    const shareOf = (...kinds) => share(held.filter((kind) => kinds.includes(kind)).length, held.length);
    const conclusions = (list) => list.filter(({ claim }) => kindOf(claim) === 'conclusion').length;
    return {
      resultsAndConclusions: shareOf('result', 'conclusion'),
      conclusionsKept: share(conclusions(all), conclusions([...findings.values()])),
    };
  };
  return {
    room: Number(room.toFixed(4)),
    kept: kept.length,
    ...sharesIn(kept),
    all: sharesIn([...findings.values()]),
    baseline: sharesIn(opening),
  };
}

function firstWithin(findings, words, wordsOf) {
  const kept = [];
  for (const finding of findings) {
    if (wordsOf([...kept, finding]) > words) break;
    kept.push(finding);
  }
  return kept;
}
