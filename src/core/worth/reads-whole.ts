import { unknownAcronyms } from './acronyms';

const NO_ACRONYMS: ReadonlySet<string> = new Set();
const MAX_EXPLAINED = 2;
/** Two letters (`SC`, `UC`) are labels of groups more often than terms. */
const MIN_EXPLAINED = 3;
const MAX_WORDS = 60;
const MIN_WORDS = 6;
const MAX_CHARS = 460;

/** Words that point at an earlier sentence when a sentence starts with them. */
const DANGLING_START = new RegExp(
  `^(?:${[
    '(?:this|these|that|those|such)(?! (?:study|trial|review|meta-analysis|randomi[sz]ed|pilot|analysis|paper|article|research|package|library|module|plugin|project|tool)\\b)',
    'it|its|they|their|theirs|them|he|she|his|her|one|ones|some of (?:these|them)|here|there(?:fore|by|after|in)|thus|hence',
    'however|moreover|furthermore|in contrast|by contrast|in comparison(?! (?:to|with))|in addition(?! to)|additionally|similarly|likewise|conversely',
    'consequently|accordingly|nevertheless|nonetheless|also|then|but|and|or|nor|so|yet|besides|instead|otherwise|meanwhile|again|still',
    'on the (?:other|one|contrary)|as a (?:result|consequence)(?! of)|for (?:example|instance|this|these|that|those|both|all)\\b|specifically|namely|indeed|in fact|in particular|in turn|that is|i\\.e|e\\.g',
    'the (?:former|latter|same|other|others|above|aforementioned|remaining|reverse|opposite|corresponding)|another|others?|as (?:such|expected|mentioned|noted|shown|stated|described|hypothesi[sz]ed|predicted|anticipated|seen|before|discussed|indicated|reported|previously|for|above)',
    '(?:of|among|amongst|from|in|at|during|after|before|with|by|to|under|on|within|for|despite|given|because of|based on|unlike|like|beyond|besides) (?:this|these|that|those|them|it|its|their|which|whom|such|the (?:former|latter|other|same|above))\\b',
    'contrary to|consistent(?:ly)? with|in (?:line|agreement|accordance|accord|keeping|support) (?:with|of)|similar to|secondly|thirdly|fourthly|lastly|finally|second,|third,|first,|firstly',
    'similar (?:results?|findings?|trends?|patterns?|effects?|changes?|improvements?|reductions?|differences?|increases?|decreases?|observations?)|no such|no other|no further|(?:both|neither|either|all|each|none|most|many|some|few|several|two|three|half)(?:,| of (?:these|them|those|which)| (?:were|was|are|is|had|have|did|showed|improved|increased|decreased|remained|reported)\\b)',
    'which|who|whose|whereas|while it|although (?:it|they|this|these|not|the difference|there was a trend)|though (?:it|they|this)|because (?:it|they|of)|since (?:it|they|this)|when (?:it|they|this|these)|if (?:it|they|this|these|so)|once (?:it|they)|even (?:so|though (?:it|they|this))|rather|compared (?:to|with) (?:this|these|that|those|it|them)',
    'importantly, (?:this|these|it|they)|interestingly, (?:this|these|it|they)|overall, (?:this|these|it|they)|notably, (?:this|these|it|they)|by doing so|doing so|vice versa|to this end|at (?:that|this|these)|more (?:specifically|precisely|importantly)|in other words|by design|regardless|not only (?:this|that)|only (?:this|these|one|two|three)\\b',
    'a (?:similar|further|second|third|comparable)|the (?:effect|difference|change|increase|decrease|reduction|improvement|result|trend|interaction|pattern|correlation|finding|response|relationship|association)s? (?:was|were|is|are|remained|did|persisted|disappeared|became|seems?|appears?)',
  ].join('|')})\\b`,
  'i',
);

/** Pointers out of the sentence: to figures, tables, other places, other works. */
const POINTER =
  /\b(?:tables?|figures?|figs?\.?|appendi(?:x|ces)|supplement(?:ary|al)? (?:tables?|figures?|data|material|files?|information)|additional files?|boxe?s?|panels?|equations?|eqs?\.?|sections?|chapters?) ?(?:no\.? ?)?\(?(?:S|A)?\d+|\b(?:Table|Figure|Fig\.|Tables|Figures|Figs\.|Tab\.|Suppl\.|File S|S\d Fig|S\d Table)|\((?:see|cf\.?|data not|not shown|as (?:shown|described)|shown)|\b(?:see (?:above|below|also|the|here|our)|data not shown|not shown here|(?:shown|described|mentioned|discussed|noted|listed|stated|outlined|given|reported|defined|presented|summari[sz]ed) (?:above|below|earlier|previously|elsewhere|in (?:the )?(?:table|figure|text|appendix))|as follows|the following|the (?:former|latter)|(?:the )?(?:above|above-?mentioned|aforementioned|afore-?said) |below:|above:)/;
const LEGEND =
  /\b(?:curves?|lines?|bars?|asterisks?|symbols?|box(?:es)?|circles?|squares?|arrows?|whiskers|columns?|dots?|letters|superscripts?) (?:denotes?|represents?|indicates?|shows?|depicts?|are|is)\b|\bsuperscripts?\b|\bindicate[sd]? (?:with|by|a|statistical|significan)|^P-?values?\b|\b(?:mean|means|values|data) (?:are|is) (?:shown|presented|given|expressed|means?)\b/i;
const LOWER_POINTER =
  /\((?:[^()]*\b)?(?:table|figure|fig)s?\b[^()]*\)|\b(?:in|from|see) (?:the )?(?:table|figure)\b/i;

/** Marks of the reference list: `[12]`, `[3-5]`, `(12, 13)`, `(Smith et al., 2005)`, `Smith (2005)`, `et al.`, `.12 Next`. */
const REFERENCE =
  /\[\s*(?:ref\.?\s*)?\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*\s*\]|\(\s*\d{1,3}\s*(?:[,;]\s*\d{1,3}\s*(?:[–-]\s*\d{1,3}\s*)?)+\)|\bet al\b|\([^()]*[A-ZÀ-Ý][^()\d]{2,}(?:19|20)\d\d[a-z]?(?:;[^()]*)?\)|[A-ZÀ-Ý][^\s()]+ \((?:19|20)\d\d[a-z]?\)|[a-z]{3}\.\d{1,3}(?:[,–-]\d{1,3})*(?:\s|$)|[a-z]{4},\d{1,3}(?:\s|$)|\bdoi\b|\bPMID\b|\^\d|\[\^|[a-z]{4}\d{1,2}(?:[,–-]\d{1,2})*\.$|[a-z]{3} \(\d{1,3}\)\.$/;

const LINK_OR_MARKUP =
  /https?:|www\.|\S@\S+\.\S|\]\(|\]\[|!\[|<\/?[a-z][^<>]*>|&[a-z]{2,8};|\{\{|\|\s|\s\|(?:\s|$)|={3,}|-{4,}|_{3,}|\*{3,}|\$\{|=>|[\\{}]|[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffd]/;

/** Figures or symbols that were lost when the text was taken out of its page. */
const LOST_TEXT =
  /\(\s*[,;)]|[,;(]\s*\)|\(\s*\)|\s,\s|[=<>≤≥±]\s*(?:[);,]|\.(?!\d)|$|and\b|in\b|for\b|with\b)|,,|;;|\.\.(?!\.)|\bof (?:,|\.|and\b)|\bp (?:and|,)|[=<>]\s*[=<>](?![=<>])|\b(?:a|an|the|of|in|with|by)[.;]$|\?\p{Ll}|\p{L}\?\p{L}|□|\bn ?= ?[);]|\s\)|\(\s| &\S|\S& /u;

/** Inside a sentence, too, `this effect` and `the other two groups` are explained elsewhere; `this study` is the source itself. */
const POINTS_BACK =
  /\b(?:[Tt]his (?!(?:\w+ )?(?:study|trial|review|meta-analysis|paper|article|research|analysis|investigation|work|pilot|program(?:me)?|intervention|package|library|module|plugin|project|tool)\b)\w+|[Tt]h[eo]se (?!(?:who|whom|with|without|in|on|of|that|receiving|at|from|assigned|given|not|whose|randomi[sz]ed|allocated|taking|treated|aged|having|living|participating|undergoing|consuming|performing|using|measured|for|exposed|under|completing|attending)\b)\w+|[Tt]h[eo]se[,;]|(?:the|all|both|any) (?:other|remaining|latter|former) (?:two|three|four|groups?|conditions?|arms?|outcomes?|variables?|measures?|parameters?|modules?|trials?|treatments?|diets?|time|\w+s)|such (?:a|an|as to|changes|effects?|differences?|improvements?|interventions?|results?|findings?|programs?))\b/;
const ANY_REFERENCE = /\d|et al|doi|PMID|\^/;

/** Labels whose meaning the methods section gave: `Group A`, `Arm 2`, `Treatment C`, `T1`. */
const UNRESOLVED_LABEL =
  /^[\w-]+ (?:study|trial|group|arm|period|phase): |\b[A-Z]{2,}(?:pre|post|PRE|POST)\b|\b(?:[Gg]roups?|[Aa]rms?|[Cc]ohorts?|[Tt]reatments?|conditions?|diets?|phases?|periods?|models?|trials?|stud(?:y|ies)|experiments?|clusters?|sites?|session|cycle|time ?points?|visit|research question|rq|hypothesis|h)s? (?:no\.? ?)?(?:[A-HT]|[1-9]|I{1,3}|IV|[A-Z]\d)\b(?! (?:diabet|hyper|kg|mg|g|min|week|h|months?|years?|of)\b)(?!\s?(?:kg|mg|g|%|min|week|h|months?|years?|\.\d))|(?<![/\w])(?:[TVW]|Time ?)[0-9]\b|\b[A-Z]{1,3}[+/-][A-Z]{1,4}[+-]?\b(?= (?:group|diet|condition|trial))/;

/** What keeps a sentence from being read on its own, or null. `dangling` and `reference` point elsewhere; `unreadable` is no whole sentence. */
export function readingProblem(
  sentence: string,
  knownAcronyms: ReadonlySet<string>,
  explainedAcronyms: ReadonlySet<string> = NO_ACRONYMS,
): { kind: 'unreadable' | 'dangling' | 'reference'; reason: string } | null {
  const unreadable = (reason: string) => ({ kind: 'unreadable' as const, reason });
  if (sentence.length > MAX_CHARS) return unreadable('too long');
  if (!/[.!]["'”’)]*$/.test(sentence)) return unreadable('no full stop');
  if (!/^["'“‘(]?(?:\p{Lu}|\d|`|\p{Ll}+[A-Z\d-])/u.test(sentence) || /^\(/.test(sentence))
    return unreadable('no beginning');
  const wordCount = sentence.split(/\s+/).length;
  if (wordCount < MIN_WORDS) return unreadable('too short');
  if (wordCount > MAX_WORDS) return unreadable('too long');
  if (LINK_OR_MARKUP.test(sentence)) return unreadable('a link or markup');
  if (!isBalanced(sentence)) return unreadable('brackets or quotes that do not close');
  if (LOST_TEXT.test(sentence)) return unreadable('figures or words are missing');
  if (isTableLike(sentence)) return unreadable('a row of figures');
  if (/\S{42,}/.test(sentence)) return unreadable('a word too long');
  if ((sentence.match(/\([nN] ?= ?\d+/g) ?? []).length >= 3) return unreadable('a list of counts');
  if (
    /[.;] ?(?:\(\d\) ?)?(?:Conclusions?|Results|Methods|Background|Objectives?|Discussion)\b ?:/.test(
      sentence,
    )
  )
    return unreadable('parts of an abstract run together');
  if (/^\d{1,3} \p{Lu}\p{Ll}/u.test(sentence)) return unreadable('begins with a reference mark');
  if (/[:;]$/.test(sentence) || /^\W*\d+[.)] /.test(sentence)) return unreadable('a list');
  if (POINTER.test(sentence) || LOWER_POINTER.test(sentence) || LEGEND.test(sentence))
    return { kind: 'reference', reason: 'points at a figure, a table or another place' };
  if (ANY_REFERENCE.test(sentence) && REFERENCE.test(sentence))
    return { kind: 'reference', reason: 'cites others' };
  if (DANGLING_START.test(sentence))
    return { kind: 'dangling', reason: 'begins with a word that points back' };
  if (POINTS_BACK.test(sentence)) return { kind: 'dangling', reason: 'speaks of something said before' };
  if (UNRESOLVED_LABEL.test(sentence))
    return { kind: 'dangling', reason: 'a label that is explained elsewhere' };
  const acronyms = unknownAcronyms(sentence, knownAcronyms);
  if (
    acronyms.length > MAX_EXPLAINED ||
    acronyms.some((acronym) => acronym.length < MIN_EXPLAINED || !explainedAcronyms.has(acronym))
  )
    return { kind: 'dangling', reason: `${acronyms.join(', ')} is explained elsewhere` };
  return null;
}

function isBalanced(sentence: string): boolean {
  const open: string[] = [];
  for (const char of sentence) {
    if (char === '(' || char === '[') open.push(char);
    else if (char === ')' && open.pop() !== '(') return false;
    else if (char === ']' && open.pop() !== '[') return false;
  }
  const count = (char: string): number => sentence.split(char).length - 1;
  return (
    open.length === 0 &&
    count('"') % 2 === 0 &&
    count('“') === count('”') &&
    count('`') % 2 === 0 &&
    count('**') % 2 === 0
  );
}

function isTableLike(sentence: string): boolean {
  const tokens = sentence.split(/\s+/);
  const figures = tokens.filter((token) => /\d/.test(token)).length;
  const letters = sentence.replace(/[^\p{L}]/gu, '').length;
  const plainWords = tokens.filter((token) => /^\p{Ll}+[,.;]?$/u.test(token)).length;
  return (
    letters < sentence.length * 0.45 || figures > tokens.length * 0.45 || plainWords < tokens.length * 0.3
  );
}
