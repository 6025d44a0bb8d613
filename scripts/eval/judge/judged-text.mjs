import { built } from '../built.mjs';

/**
 * A text's five scores without a model. What its sentences claim is verified anew, against what the material says on each
 * source's account: nothing is known of what was spoiled.
 */
export function judgedText(text, material, verifier) {
  const { runExtractiveStep } = built('engines/extractive/steps.js');
  const { weigh } = built('core/judge/weigh.js');
  const { JudgeSettings } = built('contracts/judge/rubric.js');
  const settings = JudgeSettings.parse({});
  const document = documentOf(text, material, verifier);
  return {
    document,
    judgement: weigh(runExtractiveStep('judge', { document, settings }), settings, document),
  };
}

export function verifierOf({ topics }) {
  const { createVerifier } = built('verification/create-verifier.js');
  const held = new Map();
  for (const { text, sourceIds } of topics.flatMap(({ statements }) => statements))
    for (const id of sourceIds) held.set(id, [...(held.get(id) ?? []), text]);
  const sources = [...held].map(([sourceId, lines]) => ({
    sourceId,
    content: lines.join('\n'),
    attribution: [],
  }));
  const verifier = createVerifier({ sources });
  const known = new Map();
  return (claim, sourceIds) => {
    const key = `${sourceIds.join(' ')} ${claim}`;
    if (!known.has(key)) known.set(key, verifier.verify(claim, sourceIds).verdict);
    return known.get(key);
  };
}

function documentOf(text, material, verify) {
  const numberOf = new Map(material.sources.map(({ sourceId, n }) => [sourceId, n]));
  const marked = ({ text: sentence, sourceIds }) =>
    sentence.replace(
      /[.!?]*$/,
      (stop) => ` ${sourceIds.map((id) => `[${numberOf.get(id)}]`).join('')}${stop}`,
    );
  return {
    ...material,
    title: material.question,
    conflicts: material.conflicts.map(({ topic, viewpoints }) => ({
      topic,
      viewpoints: viewpoints.map(({ text: statement, sourceIds }) => ({ text: statement, sourceIds })),
    })),
    targetWords: null,
    parts: text.map(({ id, title, role, paragraphs }) => ({
      ...{ id, title, role },
      markdown: paragraphs
        .filter((paragraph) => paragraph.length > 0)
        .map((paragraph) => paragraph.map(marked).join(' '))
        .join('\n\n'),
    })),
    claims: text.flatMap(({ id, paragraphs }) =>
      paragraphs.flat().map(({ text: sentence, sourceIds }) => {
        const verdict = verify(sentence, sourceIds);
        return { partId: id, text: sentence, sourceIds, verdict, stands: true };
      }),
    ),
  };
}
