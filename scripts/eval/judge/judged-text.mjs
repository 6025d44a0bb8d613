import { built } from '../built.mjs';
import { extractiveStep } from '../extractive-step.mjs';

/**
 * A text's five scores without a model. What its sentences claim is verified anew, against what the material says on each
 * source's account: nothing is known of what was spoiled.
 */
export async function judgedText(text, material, verify) {
  const { weigh } = built('core/judge/weigh.js');
  const { JudgeSettings } = built('contracts/judge/rubric.js');
  const { JudgedDocument } = built('contracts/judge/judged-document.js');
  const settings = JudgeSettings.parse({});
  const document = JudgedDocument.parse(documentOf(text, material, verify));
  return {
    document,
    judgement: weigh(await extractiveStep('judge', { document, settings }), settings, document),
  };
}

/** The verdict on a sentence against what the sources that it cites say; each is found once. `attribution` is how they are named. */
export function verifierOf({ topics, attribution = [] }) {
  const { createVerifier } = built('verification/create-verifier.js');
  const held = new Map();
  for (const { text, sourceIds } of topics.flatMap(({ statements }) => statements))
    for (const id of sourceIds) held.set(id, [...(held.get(id) ?? []), text]);
  const sources = [...held].map(([sourceId, lines]) => ({
    sourceId,
    content: lines.join('\n'),
    attribution,
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
  const { withoutOwnRemarks } = built('core/report/own-remarks.js');
  const numberOf = new Map(material.sources.map(({ sourceId, n }) => [sourceId, n]));
  const marked = ({ text: sentence, sourceIds }) =>
    sourceIds.length === 0
      ? sentence
      : sentence.replace(
          /[.!?]*$/,
          (stop) => ` ${sourceIds.map((id) => `[${numberOf.get(id)}]`).join('')}${stop}`,
        );
  return {
    ...material,
    parts: text.map(({ id, title, role, paragraphs }) => ({
      id,
      title,
      role,
      markdown: paragraphs
        .filter((paragraph) => paragraph.length > 0)
        .map((paragraph) => paragraph.map(marked).join(' '))
        .join('\n\n'),
    })),
    claims: text.flatMap(({ id, paragraphs }) =>
      paragraphs.flat().flatMap(({ text: sentence, sourceIds }) => {
        if (sourceIds.length === 0) return [];
        const claim = withoutOwnRemarks(sentence);
        return [{ partId: id, text: claim, sourceIds, verdict: verify(claim, sourceIds), stands: true }];
      }),
    ),
  };
}
