import { namesPeople } from './people';
import type { Phrase } from './phrases';
import type { QuestionFit } from './question-fit';
import { type Roles } from './roles';
import type { TermSpace } from './term-space';
import type { Theme } from './theme';

/** A section's heading with the terms that it is made of, the theme's own first. */
export interface Heading {
  title: string;
  /** The title as it stands within a sentence. */
  phrase: string;
  terms: number[];
}

export interface Naming {
  space: TermSpace;
  fit: QuestionFit;
  candidates: readonly number[];
  heavyStems: ReadonlySet<number>;
  roles: ReadonlyMap<string, Roles>;
  write: (phrase: Phrase) => string;
  /** Headings that the question itself words, by term. */
  asked: ReadonlyMap<number, string>;
}

/** The longest heading that is still read at a glance. */
const MAX_TITLE_CHARS = 72;
/** A role seen so often is no chance. */
const CLEAR = 4;
/** Among so many sources a single word is too loose a partner. */
const MANY = 60;
/** A partner stands in this share of a theme's foremost sources, or it does not describe what will be read of it. */
const PARTNER_SHARE = 0.3;
/** So many of a theme's sources are looked at, those that belong to it most. */
const FOREMOST = 30;

/** Names the themes so that no two headings share a specific word: `Resistance training and muscle strength`. */
export function nameThemes(naming: Naming, themes: readonly Theme[]): Heading[] {
  const taken = new Set(themes.flatMap((theme) => heavyOf(naming, theme.term)));
  return themes.map((theme) => {
    const own = naming.space.phrases[theme.term];
    const asked = naming.asked.get(theme.term);
    const partner =
      asked === undefined && !isNarrowed(naming, own) ? bestPartner(naming, theme, themes, taken) : null;
    if (partner !== null) for (const stem of heavyOf(naming, partner)) taken.add(stem);
    const partnerPhrase = partner === null ? undefined : naming.space.phrases[partner];
    if (own === undefined) return { title: '', phrase: '', terms: [] };
    const named = partnerPhrase === undefined ? naming.write(own) : join(naming, own, partnerPhrase);
    const phrase =
      asked ?? withTopic(naming, partnerPhrase === undefined ? [own] : [own, partnerPhrase], named);
    return {
      title: sentenceCase(phrase),
      phrase,
      terms: partner === null ? [theme.term] : [theme.term, partner],
    };
  });
}

/** Whether the question's topic goes beside a theme's own name: a third part would be too much for a heading. */
function isNarrowed({ fit, space }: Naming, own: Phrase | undefined): boolean {
  if (fit.broad || fit.mainTopic === null || own === undefined) return false;
  return !own.stems.some((stem) => fit.mainWords.has(space.collection.stems[stem] ?? ''));
}

/** Where the question is narrow, a heading without a word of it says which side of its topic it is: `Sleep and fatigue`. */
function withTopic(naming: Naming, phrases: readonly Phrase[], named: string): string {
  const { fit, space } = naming;
  if (fit.broad || fit.mainTopic === null) return named;
  // `Diet` of a question on diet and blood lipids does not say on what.
  const telling = phrases.length > 1 ? fit.words : fit.mainWords;
  const asked = phrases.some((phrase) =>
    phrase.stems.some((stem) => telling.has(space.collection.stems[stem] ?? '')),
  );
  if (asked) return named;
  const isSetting = phrases.some((phrase) => leading(naming.roles.get(phrase.key), CLEAR) === 'setting');
  const joint = namesPeople(named) || isSetting ? 'in' : 'and';
  const isCause = phrases.some((phrase) => leading(naming.roles.get(phrase.key), CLEAR) === 'cause');
  return joint === 'and' && isCause ? `${named} and ${fit.mainTopic}` : `${fit.mainTopic} ${joint} ${named}`;
}

/** A capital letter first, except where the first word has a spelling of its own: `β-alanine`, `n-3 fatty acids`, `mRNA`. */
export function sentenceCase(text: string): string {
  const [first = ''] = text.split(' ');
  const hasOwnSpelling = /\p{Lu}/u.test(first.slice(1)) || !/^[a-z]{2}/.test(first);
  return hasOwnSpelling ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

export function heavyOf(naming: Naming, term: number): number[] {
  const stems = naming.space.phrases[term]?.stems ?? [];
  const heavy = stems.filter((stem) => naming.heavyStems.has(stem));
  return heavy.length > 0 ? heavy : stems;
}

/** The term that best says what else the theme's sources are about: frequent in them, rarer elsewhere, beside the own term. */
function bestPartner(
  naming: Naming,
  theme: Theme,
  themes: readonly Theme[],
  taken: ReadonlySet<number>,
): number | null {
  const { space, fit } = naming;
  const own = space.phrases[theme.term];
  if (own === undefined || theme.core.length === 0) return null;
  const inCore = new Set(theme.core);
  const ownSources = new Set(own.sources);
  const fitting = fit.fit.filter((value) => value >= 0.3).length || 1;
  const elsewhere = new Set(themes.filter((other) => other !== theme).flatMap((other) => other.core));
  const foremost = new Set(theme.core.slice(0, FOREMOST));
  const needed = Math.max(2, PARTNER_SHARE * foremost.size);
  let best: { term: number; score: number } | null = null;
  for (const term of naming.candidates) {
    const phrase = space.phrases[term];
    if (phrase === undefined || heavyOf(naming, term).some((stem) => taken.has(stem))) continue;
    if (phrase.stems.some((stem) => own.stems.some((other) => sameRoot(space.collection.stems, stem, other))))
      continue;
    let covered = 0;
    let together = 0;
    let outside = 0;
    let all = 0;
    phrase.sources.forEach((source, at) => {
      const weight = phrase.weights[at] ?? 0;
      if ((fit.fit[source] ?? 0) >= 0.3) all++;
      if (inCore.has(source)) {
        covered += weight * (fit.fit[source] ?? 0);
        if (ownSources.has(source)) together++;
      } else if (elsewhere.has(source)) outside += weight * (fit.fit[source] ?? 0);
    });
    const inside = phrase.sources.reduce((count, source) => count + (inCore.has(source) ? 1 : 0), 0);
    const named = phrase.sources.reduce((count, source) => count + (foremost.has(source) ? 1 : 0), 0);
    if (named < needed || together < 2) continue;
    if (phrase.stems.length === 1 && space.terms.length >= MANY) continue;
    const lift = inside / theme.core.length / (all / fitting);
    if (lift < 1.3) continue;
    const words = phrase.stems.length === 1 ? 0.4 : 1;
    const inTitles = 0.4 + 0.6 * Math.min(1, phrase.titleCount / Math.max(1, 0.3 * phrase.sources.length));
    const score =
      covered *
      (covered / (covered + outside + 0.5)) *
      Math.log2(1 + lift) *
      words *
      inTitles *
      complement(naming, own, phrase);
    if (
      isAcronymOf(naming.write(own), naming.write(phrase)) ||
      isAcronymOf(naming.write(phrase), naming.write(own))
    )
      continue;
    const title = join(naming, own, phrase);
    if (title.length > MAX_TITLE_CHARS) continue;
    if (best === null || score > best.score) best = { term, score };
  }
  return best?.term ?? null;
}

/** `pregnant` and `pregnancy`: different stems of one word. */
export function sameRoot(stems: readonly string[], one: number, other: number): boolean {
  if (one === other) return true;
  const [a, b] = [stems[one] ?? '', stems[other] ?? ''];
  const shared = Math.max(5, Math.ceil(0.75 * Math.min(a.length, b.length)));
  return a.length >= shared && a.slice(0, shared) === b.slice(0, shared);
}

/** `COPD` and `chronic obstructive pulmonary disease`. */
function isAcronymOf(short: string, long: string): boolean {
  return (
    /^\p{Lu}{2,}s?$/u.test(short) &&
    long
      .split(' ')
      .map((word) => word.charAt(0))
      .join('')
      .toLowerCase() === short.replace(/s$/, '').toLowerCase()
  );
}

/** What acts goes well with what is acted on; two of a kind say less together. */
function complement(naming: Naming, one: Phrase, other: Phrase): number {
  const kind = leading(naming.roles.get(one.key), CLEAR);
  const otherKind = leading(naming.roles.get(other.key), CLEAR);
  return kind === null || otherKind === null ? 0.9 : kind === otherKind ? 0.7 : 1.3;
}

/** The role in which a term stands mostly; null where it was seen less than `least` times, or in none mostly. */
export function leading(roles: Roles | undefined, least: number): keyof Roles | null {
  if (roles === undefined) return null;
  const total = roles.cause + roles.outcome + roles.setting;
  if (total < least) return null;
  const order: (keyof Roles)[] = ['cause', 'outcome', 'setting'];
  const best = order.reduce((top, role) => (roles[role] > roles[top] ? role : top), 'cause');
  return roles[best] >= 0.5 * total ? best : null;
}

function join(naming: Naming, own: Phrase, partner: Phrase): string {
  const ownRole = leading(naming.roles.get(own.key), CLEAR);
  const partnerRole = leading(naming.roles.get(partner.key), CLEAR);
  const [ownText, partnerText] = [naming.write(own), naming.write(partner)];
  if (namesPeople(ownText) !== namesPeople(partnerText))
    return namesPeople(ownText) ? `${partnerText} in ${ownText}` : `${ownText} in ${partnerText}`;
  if (partnerRole === 'setting' && ownRole !== 'setting') return `${ownText} in ${partnerText}`;
  if (ownRole === 'setting' && partnerRole !== null && partnerRole !== 'setting')
    return `${partnerText} in ${ownText}`;
  if (partnerRole === 'cause' && ownRole === 'outcome') return `${partnerText} and ${ownText}`;
  return `${ownText} and ${partnerText}`;
}
