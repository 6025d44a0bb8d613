import { built } from '../built.mjs';
import { extractiveStep } from '../extractive-step.mjs';

/** A whole brief by the extractive steps, each held against its contract; `words` of the whole text, null for as many as it takes. */
export async function writeABrief({ question }, material, words) {
  const parts = [
    { id: 'summary', title: 'Executive Summary', instruction: '' },
    ...material.subtopics.map(({ id, title }) => ({ id, title, instruction: '' })),
    { id: 'conclusions', title: 'Conclusions', instruction: '' },
  ];
  const { subtopics, conflicts, places, sources } = material;
  const base = { question, parts, subtopics, conflicts, places, maxWords: 100_000 };
  const around = subtopics.reduce((sum, { title }) => sum + 1 + wordsIn(title), WORDS_AROUND);
  const list = {
    lines: Object.fromEntries([...sources].map(([id, source]) => [id, wordsIn(sourceLine(source, 1))])),
    words: words === null ? null : words - around,
    maxWords: base.maxWords,
  };
  const plan = await carryOut('plan-brief', { ...base, words: list.words, list });
  return { plan, ...assembled(plan, await draftsOf({ question, plan, material }), sources) };
}

/** The title and the headings that are no subtopic's. */
const WORDS_AROUND = 25;

function wordsIn(text) {
  return text.split(/\s+/).length;
}

function sourceLine({ author, site, title, url } = {}, n) {
  return `[${n}] ${author ?? site ?? 'Unknown'}. "${title}." ${url}. Accessed 2026-01-31.`;
}

async function draftsOf({ question, plan, material }) {
  const sources = [...material.sources].map(([sourceId, { title, author }]) => ({
    sourceId,
    title,
    quality: { level: 'general', reason: 'Not told.' },
    ...(author === undefined ? {} : { author }),
  }));
  const findings = material.subtopics.flatMap((subtopic) => subtopic.findings);
  const told = [];
  const write = async (part) => {
    const draft = await carryOut('write-brief-part', {
      question,
      plan,
      part,
      instruction: '',
      findings,
      sources,
      conflicts: material.conflicts,
      places: material.places,
      before: null,
      told,
      revision: null,
    });
    told.push(...draft.claims.map(({ text, findingIds }) => ({ partId: part.id, text, findingIds })));
    return { ...part, draft };
  };
  // Each part knows what those before it have told.
  const drafts = [];
  for (const part of plan.parts) drafts.push(await write(part));
  return drafts;
}

async function carryOut(name, input) {
  const { STEPS } = built('steps/registry.js');
  const step = STEPS.find((one) => one.name === name);
  const parsed = step.input.parse(input);
  const output = step.output.parse(await extractiveStep(name, parsed));
  const problems = step.check(parsed, output);
  if (problems.length > 0) throw new Error(`${name}: ${problems.map(({ message }) => message).join('; ')}`);
  return output;
}

/** The Markdown as document 000 has it, with a list of the sources that are cited. */
function assembled(plan, drafts, sources) {
  const { replaceMarks, citedIds } = built('core/text/citation-marks.js');
  const numbers = new Map();
  for (const id of drafts.flatMap(({ draft }) => citedIds(draft.markdown)))
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
  const shown = drafts.map(({ id, title, draft }) => {
    const text = replaceMarks(draft.markdown, (ids) => ids.map((one) => `[${numbers.get(one)}]`).join(''));
    return { id, title, draft, text };
  });
  const block = ({ id, title, text }, at) =>
    id.startsWith('subtopic')
      ? `${at === 1 ? '## Key Findings\n\n' : ''}### ${title}\n\n${text}`
      : `## ${title}\n\n${text}`;
  const listed = [...numbers].map(([id, n]) => sourceLine(sources.get(id), n));
  const markdown = [`# ${plan.title}`, ...shown.map(block), '## Sources', ...listed].join('\n\n');
  return { markdown, drafts: shown, words: markdown.split(/\s+/).length };
}
