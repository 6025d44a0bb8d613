// What each suite is called with, and what carries it out.
const sampled = { questions: { type: 'string' }, seed: { type: 'string' } };
const explained = { explain: { type: 'string' } };
/** Questions of this file in the place of a collection's own. */
const askedOf = { asked: { type: 'string' } };
const overSources = { sources: { type: 'string', multiple: true } };

export const SUITES = {
  evidence: {
    usage: 'evidence QUESTIONS.jsonl --sources FILE [--search] [--questions N --seed S] [--explain ID]',
    options: { ...overSources, ...sampled, ...explained, search: { type: 'boolean' } },
    async run(file, { sources, search, ...options }) {
      const given = { questionsFile: file, sourcesFile: sources[0], ...options };
      if (search) return (await import('./evidence-search.mjs')).evidenceSearchSuite(given);
      return (await import('./evidence.mjs')).evidenceSuite(given);
    },
  },
  relevance: {
    usage: 'relevance FILE.jsonl [--questions N --seed S] [--explain ID]',
    options: { ...sampled, ...explained },
    run: async (file, options) => (await import('./relevance.mjs')).relevanceSuite({ file, ...options }),
  },
  open: {
    usage: 'open FILE.jsonl [--questions N --seed S] [--explain ID]',
    options: { ...sampled, ...explained },
    run: async (file, options) => (await import('./open.mjs')).openSuite({ file, ...options }),
  },
  collection: {
    usage: 'collection FOLDER [--asked FILE] [--questions N --seed S]',
    options: { ...sampled, ...askedOf },
    run: async (folder, options) =>
      (await import('./collection.mjs')).collectionSuite({ folder, ...options }),
  },
  answers: {
    usage: 'answers FILE.jsonl [--questions N --seed S] [--explain ID]',
    options: { ...sampled, ...explained },
    run: async (file, options) =>
      (await import('./answers/answers-suite.mjs')).answersSuite({ file, ...options }),
  },
  'answers-in': {
    usage: 'answers-in FOLDER [--asked FILE] [--questions N --seed S] [--explain ID]',
    options: { ...sampled, ...explained, ...askedOf },
    run: async (folder, options) =>
      (await import('./answers/answers-in-suite.mjs')).answersInSuite({ folder, ...options }),
  },
  'answers-studies': {
    usage: 'answers-studies FOLDER [--questions N --seed S] [--explain ID]',
    options: { ...sampled, ...explained },
    run: async (folder, options) =>
      (await import('./answers/answers-studies-suite.mjs')).answersStudiesSuite({ folder, ...options }),
  },
  direction: {
    usage: 'direction QUESTIONS.jsonl --sources FILE [--questions N --seed S]',
    options: { ...overSources, ...sampled },
    run: async (file, { sources, ...options }) =>
      (await import('./direction.mjs')).directionSuite({
        questionsFile: file,
        sourcesFile: sources[0],
        ...options,
      }),
  },
  conflicts: {
    usage: 'conflicts FILE.jsonl [--questions N --seed S]',
    options: sampled,
    run: async (file, options) => (await import('./conflicts.mjs')).conflictsSuite({ file, ...options }),
  },
  agreement: {
    usage: 'agreement FILE.jsonl [--sources FILE] [--questions N --seed S]',
    options: { ...overSources, ...sampled },
    run: async (file, options) => (await import('./agreement.mjs')).agreementSuite({ file, ...options }),
  },
  attribution: {
    usage: 'attribution FILE.jsonl [--questions N --seed S]',
    options: sampled,
    run: async (file, options) =>
      (await import('./attribution/attribution-suite.mjs')).attributionSuite({ file, ...options }),
  },
  corrupted: {
    usage: 'corrupted --sources FILE [--sources FILE] [--questions N --seed S]',
    options: { ...overSources, ...sampled },
    /** Its files may be named in either way. */
    takesMore: true,
    needsFile: false,
    run: async (file, { sources = [], ...options }, more = []) => {
      const files = [file, ...more, ...sources].filter((one) => one !== undefined);
      return (await import('./corrupted.mjs')).corruptedSuite({ files, ...options });
    },
  },
  reports: {
    usage: 'reports FILE.jsonl [--questions N --seed S] [--explain ID]',
    options: { ...sampled, ...explained },
    run: async (file, options) => (await import('./reports.mjs')).reportsSuite({ file, ...options }),
  },
  judge: {
    usage: 'judge SOURCES [--of briefs|reports|disputes] [--questions N --seed S] [--explain ID]',
    options: { ...sampled, ...explained, of: { type: 'string' } },
    run: async (file, options) => (await import('./judge/judge-suite.mjs')).judgeSuite({ file, ...options }),
  },
  talk: {
    usage: 'talk FOLDER [--asked FILE] [--questions N --seed S] [--explain ID]',
    options: { ...sampled, ...explained, ...askedOf },
    run: async (folder, options) => (await import('./talk/talk-suite.mjs')).talkSuite({ folder, ...options }),
  },
  briefs: {
    usage: 'briefs FOLDER [--seed S] [--explain "NAME WORDS"] [--write SUBTOPICS.json]',
    options: { seed: sampled.seed, ...explained, write: { type: 'string' } },
    run: async (folder, options) =>
      options.write === undefined
        ? (await import('./briefs/briefs-suite.mjs')).briefsSuite({ folder, ...options })
        : (await import('./briefs/study-subtopics-file.mjs')).writeStudySubtopics({ folder, ...options }),
  },
  report: {
    usage: 'report REPORT.json --sources PATH [PATH …] [--sample N --seed S]',
    options: { ...overSources, sample: { type: 'string' }, seed: { type: 'string' } },
    /** The shell may have spread a pattern behind `--sources`. */
    takesMore: true,
    run: async (file, options, more) =>
      (await import('./report.mjs')).reportSuite({
        file,
        ...options,
        sources: [...options.sources, ...more],
      }),
  },
};
