/**
 * The part that a passage plays in its source. `participants` are who took part and how the study went (recruitment,
 * baseline, adherence); `instructions` tell a reader what to do (installation, usage, contributing).
 */
export type Zone =
  | 'title'
  | 'abstract'
  | 'background'
  | 'methods'
  | 'participants'
  | 'results'
  | 'discussion'
  | 'conclusions'
  | 'limitations'
  | 'references'
  | 'back-matter'
  | 'instructions'
  | 'unknown';

/** Read in this order; the first that fits names the zone of a heading's part. */
const ZONE_NAMES: readonly (readonly [Zone, RegExp])[] = [
  ['references', /^(?:references?|bibliography|literature cited|works cited|further reading|see also)$/],
  [
    'back-matter',
    /acknowledg|compet(?:ing|itive) interest|conflicts? of interest|declaration|disclosure|funding|financial support|author.{0,3} (?:contribution|information|detail|note)|contributors?$|^(?:the )?authors?$|contributions?$|abbreviation|supplement(?:ary|al) (?:material|data|information|file)|electronic supplementary|supporting information|additional (?:files?|information)|pre-?publication|trial registration|registration number|ethic|consent|data availability|availability of|provenance|appendix|licen[cs]e|sponsors?|backers?|changelog|change log|release notes|copyright|^team$|^the team$|badges?$|table of contents|^contents$|^toc$|community|security contact|keywords?$|footnotes?$/,
  ],
  [
    'limitations',
    /limitation|strengths? and weakness|strengths? and limit|future (?:research|work|direction|stud)|generali[sz]ability|open questions|implications/,
  ],
  [
    'participants',
    /baseline|participant flow|flow (?:of|chart|diagram)|recruit|enrol|randomi[sz]ation|retention|attrition|drop-?outs?|adherence|compliance|attendance|^(?:study |trial )?(?:participants?|subjects?|patients?|population|sample)$|(?:participant|subject|patient|sample|demographic|population)s? (?:characteristic|description|disposition)|characteristics? of|demographic|protocol deviation|process evaluation|feasibility|acceptability|response rates?|follow-?up rates?|missing data|screening/,
  ],
  [
    'conclusions',
    /conclu|key messages?|take.?home|^summary$|^in summary|main messages?|bottom line|what this (?:study|paper) adds|clinical (?:significance|relevance)|^interpretation$/,
  ],
  [
    'methods',
    /method|materials?\b|procedure|protocol|measur(?:e|ement)s?$|statistic|analys[ie]s$|sample size|power calculation|study design|^(?:trial )?design|experimental (?:design|setup)|setting$|intervention description|^interventions?$|inclusion|exclusion|eligib|blinding|masking|allocation|data (?:collection|source|extraction)|instrument|questionnaire|apparatus|equipment|study (?:population|sample|area|site|setting|overview|product|protocol)|search strateg|assays?$|outcome (?:measures?|assessment)|^main outcomes?$/,
  ],
  [
    'discussion',
    /discussion|comment(?:ary)?s?$|principal findings|comparison with|interpretation|mechanism|relation to other|clinical implication/,
  ],
  ['results', /results?\b|findings\b|outcomes? and|efficacy results|^observations$|^outcome$/],
  [
    'background',
    /background|introduction|^context|rationale|^(?:study )?(?:aims?|objectives?|purpose|goals?|hypothes[ie]s)\b|objectives?$|aims?$|overview of|motivation|literature review|history/,
  ],
  ['abstract', /^abstract$|^executive summary$|^synopsis$|^tl;?dr$/],
  ['title', /^title$/],
  [
    'instructions',
    /^(?:install|getting started|quick ?start|setup|set-up|contribut|development|developing|build(?:ing)?$|running|testing$|tests?$|examples?$|upgrad|migrat|prerequisite|requirements?$|how to|tutorial|support$|help$|roadmap|todo|try it|demo$|related$|alternatives$|benchmarks?$|who uses|used by)/,
  ],
];

/** Deeper headings that say more than the zone they stand in: `Discussion > Conclusions`, `Results > Recruitment`. */
const OVERRIDING: ReadonlySet<Zone> = new Set([
  'conclusions',
  'limitations',
  'participants',
  'references',
  'back-matter',
]);
/** Zones that only frame others: `Abstract > Results` is a result. */
const FRAMES: ReadonlySet<Zone> = new Set(['abstract', 'title', 'unknown']);

const known = new Map<string, Zone>();

/**
 * The zone of a passage from the headings above it, outermost first. A heading may hold a path of its own
 * (`BODY.METHODS.PARTICIPANTS`) and numbers (`2.1. Participants`). Headings without a name for their zone leave that of the
 * ones above.
 */
export function zoneOf(headings: readonly string[]): Zone {
  let zone: Zone = 'unknown';
  for (const part of headings.flatMap(partsOf)) {
    const named = zoneNamed(part);
    if (named === 'unknown') continue;
    if (FRAMES.has(zone) || (OVERRIDING.has(named) && zone !== 'methods' && zone !== 'references'))
      zone = named;
  }
  return zone;
}

/** True where one of the headings says that the passage is part of a source's own abstract. */
export function isInAbstract(headings: readonly string[]): boolean {
  return headings.some((heading) => /^(?:\d+\.?\s*)?(?:structured )?abstract\b/i.test(heading));
}

/** The zone that a single heading names, or `unknown`. */
function zoneNamed(heading: string): Zone {
  const cached = known.get(heading);
  if (cached !== undefined) return cached;
  const plain = heading
    .toLowerCase()
    .replace(/[*_`~#]/g, '')
    .replace(/^[\s\d.()ivx-]*(?=[\s.)-])[\s.)-]+/, '')
    .replace(/[\s:.]+$/, '')
    .trim();
  const zone =
    plain.length > 120
      ? 'unknown'
      : (ZONE_NAMES.find(([, pattern]) => pattern.test(plain))?.[0] ?? 'unknown');
  if (known.size > 20_000) known.clear();
  known.set(heading, zone);
  return zone;
}

function partsOf(heading: string): string[] {
  return heading === heading.toUpperCase()
    ? heading.split(/\.(?!\d)\s*|\.(?=\d+\.)/).filter((part) => /\p{L}/u.test(part))
    : [heading];
}

/** `Results.`, `Conclusion:` and the like, written into the text of an abstract without headings. */
const INLINE_LABEL =
  /^(?:\*\*|__)?((?:Main )?(?:Results?|Findings|Conclusions?|Methods?(?: and (?:Results|Materials|Findings))?|Materials? and Methods?|Background|Introduction|Objectives?|Aims?|Purpose|Context|Design|Setting|Participants|Patients|Subjects|Interventions?|Measurements?|Outcome Measures?|Discussion|Significance|Interpretation|Limitations|Trial Registration|Keywords?)(?: and (?:Results|Conclusions?|Discussion))?)(?:\*\*|__)?\s*[:.](?:\*\*|__)?(?:\s+|$)/i;

/** The label at the beginning of a sentence, with its length and its zone. */
export function inlineLabel(sentence: string): { length: number; zone: Zone } | null {
  const match = INLINE_LABEL.exec(sentence);
  if (!match || !/^(?:\*\*|__)?[A-Z]/.test(sentence)) return null;
  return { length: match[0].length, zone: zoneNamed(match[1] ?? '') };
}
