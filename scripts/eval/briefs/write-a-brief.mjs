import { built } from '../built.mjs';

const ATTEMPTS = 6;
const CLOSE = 0.01;

/** A whole brief by the extractive steps, each held against its contract; `words` of the whole text, null for as many as it takes. */
export function writeABrief({ question }, material, words) {
  const parts = [
    { id: 'summary', title: 'Executive Summary', instruction: '' },
    ...material.subtopics.map(({ id, title }) => ({ id, title, instruction: '' })),
    { id: 'conclusions', title: 'Conclusions', instruction: '' },
  ];
  const { subtopics, conflicts, places, sources } = material;
  const base = { question, parts, subtopics, conflicts, places, maxWords: 100_000 };
  let room = words === null ? null : Math.round(0.8 * words);
  let written;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const plan = carryOut('plan-brief', { ...base, words: room });
    written = { plan, ...assembled(plan, draftsOf({ question, plan, material }), sources) };
    if (room === null || Math.abs(written.words - words) <= CLOSE * words) break;
    // The list of sources grows with what is told, so that its words are known only afterwards.
    room = Math.max(100, room + words - written.words);
  }
  return written;
}

function draftsOf({ question, plan, material }) {
  const sources = [...material.sources].map(([sourceId, { title, author }]) => ({
    ...{ sourceId, title, quality: { level: 'general', reason: 'Not told.' } },
    ...(author === undefined ? {} : { author }),
  }));
  const findings = material.subtopics.flatMap((subtopic) => subtopic.findings);
  const told = [];
  const write = (part) => {
    const draft = carryOut('write-brief-part', {
      ...{ question, plan, part, instruction: '', findings, sources },
      ...{ conflicts: material.conflicts, places: material.places, before: null, told, revision: null },
    });
    told.push(...draft.claims.map(({ text, findingIds }) => ({ partId: part.id, text, findingIds })));
    return { ...part, draft };
  };
  return plan.parts.map(write);
}

function carryOut(name, input) {
  const { runExtractiveStep } = built('engines/extractive/steps.js');
  const { STEPS } = built('steps/registry.js');
  const step = STEPS.find((one) => one.name === name);
  const parsed = step.input.parse(input);
  const output = step.output.parse(runExtractiveStep(name, parsed));
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
  const listed = [...numbers].map(([id, n]) => {
    const { author, site, title, url } = sources.get(id) ?? {};
    return `[${n}] ${author ?? site ?? 'Unknown'}. "${title}." ${url}. Accessed 2026-01-31.`;
  });
  const markdown = [`# ${plan.title}`, ...shown.map(block), '## Sources', ...listed].join('\n\n');
  return { markdown, drafts: shown, words: markdown.split(/\s+/).length };
}
