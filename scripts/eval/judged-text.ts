// Texts as a judge is given them: parts with paragraphs of sentences, beside what they were made from.
import { findingsOf, materialOf, writeABrief, type Conflict, type GivenBrief, type Material } from './briefs';
import { present } from './seeded-draw';
import * as product from './product';
import { extractiveStep } from './ranking';
import { wordsIn } from './texts';

type Part = product.JudgedDocument['parts'][number];

export interface Sentence {
  text: string;
  sourceIds: string[];
}

/** A side of a disagreement; `quotes` are all that say so, for the side to be taken out as a whole. */
export interface Side extends Sentence {
  quotes: readonly string[];
}

export interface TextPart extends Omit<Part, 'markdown'> {
  paragraphs: Sentence[][];
}

/** `attribution` is how the sources are named. */
export interface JudgedMaterial extends Omit<product.JudgedDocument, 'parts' | 'claims' | 'conflicts'> {
  attribution?: string[];
  conflicts: { topic: string; viewpoints: Side[] }[];
}

export interface Text {
  text: TextPart[];
  material: JudgedMaterial;
}

export type Verify = (
  claim: string,
  sourceIds: readonly string[],
) => product.JudgedDocument['claims'][number]['verdict'];

export interface Judged {
  document: product.JudgedDocument;
  judgement: ReturnType<typeof product.weigh>;
}

/**
 * A text's five scores without a model. What its sentences claim is verified anew, against what the material says on each
 * source's account: nothing is known of what was spoiled.
 */
export async function judgedText({ text, material }: Text, verify: Verify): Promise<Judged> {
  const settings = product.JudgeSettings.parse({});
  const document = product.JudgedDocument.parse(documentOf(text, material, verify));
  const opinion = product.JudgeOutput.parse(await extractiveStep('judge', { document, settings }));
  return { document, judgement: product.weigh(opinion, settings, document) };
}

/** The verdict on a sentence against what the sources that it cites say; each is found once. */
export function verifierOf({ topics, attribution = [] }: JudgedMaterial): Verify {
  const held = new Map<string, string[]>();
  for (const { text, sourceIds } of topics.flatMap(({ statements }) => statements))
    for (const id of sourceIds) held.set(id, [...(held.get(id) ?? []), text]);
  const sources = [...held].map(([sourceId, lines]) => ({
    sourceId,
    content: lines.join('\n'),
    attribution,
  }));
  const verifier = product.createVerifier({ sources });
  const known = new Map<string, ReturnType<Verify>>();
  return (claim, sourceIds) => {
    const key = `${sourceIds.join(' ')} ${claim}`;
    const verdict = known.get(key) ?? verifier.verify(claim, sourceIds).verdict;
    known.set(key, verdict);
    return verdict;
  };
}

function documentOf(text: readonly TextPart[], material: JudgedMaterial, verify: Verify): object {
  const numberOf = new Map(material.sources.map(({ sourceId, n }) => [sourceId, n]));
  const marked = ({ text: sentence, sourceIds }: Sentence): string => {
    const marks = sourceIds.map((id) => `[${String(numberOf.get(id))}]`).join('');
    return marks === '' ? sentence : sentence.replace(/[.!?]*$/, (stop) => ` ${marks}${stop}`);
  };
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
        const claim = product.withoutOwnRemarks(sentence);
        return [{ partId: id, text: claim, sourceIds, verdict: verify(claim, sourceIds), stands: true }];
      }),
    ),
  };
}

/** Numbered parts in paragraphs of sentences with the sources that each cites. */
function structured(parts: readonly Part[], idOf: ReadonlyMap<number, string>): TextPart[] {
  return product.readParts(parts).map(({ id, title, role, paragraphs }) => ({
    id,
    title,
    role,
    paragraphs: paragraphs.map(({ sentences }) =>
      sentences.map(({ plain, cites }) => ({
        text: plain,
        sourceIds: cites.flatMap((n) => idOf.get(n) ?? []),
      })),
    ),
  }));
}

/** A report's claims are verified anew, as those of a spoiled text are; how it names its sources is taken as it stands. */
export function reportText({ parts, claims: _verified, ...material }: product.JudgedDocument): Text {
  const idOf = new Map(
    material.sources.flatMap(({ n, sourceId }) => (n === null ? [] : [[n, sourceId] as const])),
  );
  const text = structured(parts, idOf);
  return {
    text,
    material: {
      ...material,
      attribution: text
        .flatMap(({ paragraphs }) => paragraphs.flat())
        .map((sentence) => sentence.text.replace(/“[^”]*”/g, ' ')),
      conflicts: material.conflicts.map(({ topic, viewpoints }) => ({
        topic,
        viewpoints: viewpoints.map((side) => ({ ...side, quotes: [side.text] })),
      })),
    },
  };
}

/** Every other brief has so much of its material's words wanted; the others have as many as it takes. */
const SHARE_WANTED = 0.7;
/** The apparatus has no part in it: document 000 counts the list of sources too. */
const WORDS_OF_A_SOURCE = 25;

/** A brief without a model. `conflicts` are those that are known of it; those that words show where they are absent. */
export async function briefText(
  given: GivenBrief,
  seed: number,
  conflicts?: (found: Material) => Conflict[],
): Promise<Text> {
  const found = materialOf(given);
  const material = { ...found, conflicts: conflicts?.(found) ?? found.conflicts };
  const words = wordsIn(
    findingsOf(material)
      .map(({ claim }) => claim)
      .join(' '),
  );
  const isShort = seed % 2 !== 0;
  const whole = Math.round(SHARE_WANTED * words + WORDS_OF_A_SOURCE * material.sources.size);
  const { drafts } = await writeABrief(given, material, isShort ? whole : null);
  const numberOf = (id: string): number => present(material.sources.get(id)).n;
  const parts = drafts.map(({ id, title, draft }) => ({
    id,
    title,
    // What is no subtopic's part is named for its role.
    role: id.startsWith('subtopic') ? 'body' : (id as Part['role']),
    markdown: product.replaceMarks(draft.markdown, (ids) => ids.map((one) => `[${numberOf(one)}]`).join('')),
  }));
  return {
    text: structured(parts, new Map([...material.sources].map(([id, { n }]) => [n, id]))),
    material: judgedMaterial(given, material, isShort ? Math.round(SHARE_WANTED * words) : null),
  };
}

function judgedMaterial(
  { question }: GivenBrief,
  { subtopics, sources, conflicts }: Material,
  targetWords: number | null,
): JudgedMaterial {
  return {
    question,
    title: question,
    targetWords,
    topics: subtopics.map(({ id, title, findings }) => ({
      id,
      title,
      statements: findings.map(({ claim, citations }) => ({ text: claim, sourceIds: citations })),
    })),
    sources: [...sources].map(([sourceId, { n, title, site }]) => ({
      sourceId,
      n,
      title,
      site: site ?? null,
    })),
    conflicts: conflicts.map(({ topic, viewpoints }) => ({
      topic,
      viewpoints: viewpoints.map(({ statement, citations, evidence }) => ({
        text: statement,
        sourceIds: citations,
        quotes: evidence.map(({ quote }) => quote),
      })),
    })),
  };
}
