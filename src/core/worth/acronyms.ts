/** Acronyms that educated readers know, and units and statistics written in capitals. */
const WIDELY_KNOWN = new Set(
  `AIDS HIV DNA RNA BMI BP ECG EEG MRI CT ICU UK US USA EU UN WHO FDA NHS CI SD SE SEM OR HR RR ANOVA ANCOVA RCT AUC IQ IQR LDL HDL VLDL
  LDL-C HDL-C HDL-cholesterol LDL-cholesterol TG HbA1c HBA1C COPD PTSD ADHD DHA EPA CRP ATP O2 CO2 H2O VO2 VO2max VO2peak pH QOL BMD CVD CHD
  COVID COVID-19 DSM SMS TV GP PC CD DVD GPS ID AM PM NO SF-36 IL-6 TNF TNF-α TNF-alpha B6 B12 D2 D3 K1 K2 T2DM II III IV QALY QALYs
  API APIs HTTP HTTPS JSON XML HTML CSS URL URLs URI CLI SDK CPU CPUs GPU RAM SQL DOM ESM CJS UTF-8 UTF8 TLS SSL TCP IP UDP DNS LRU TTL I/O IO OS
  REST UI UX CI/CD MIT BSD ISO CSV YAML TOML UUID ES6 ES2015 ASCII AST IDE NPM npm LTS RFC GC EOF MB GB KB kB MHz GHz FIFO LIFO JS TS CRLF BOM PDF
  NASA GDP CEO NGO MS OK FAQ`.split(/\s+/),
);

const ACRONYM =
  /(?<![\p{L}\p{N}.@/-])(?:\p{Lu}[\p{Lu}\p{N}]+(?:[-/]?[\p{Lu}\p{N}]+)*|\p{Lu}{2,}\p{Ll}{1,2}\p{Lu}?|\p{Ll}{1,2}\p{Lu}{2,}\p{Ll}?)s?(?![\p{L}\p{N}])/gu;
const NOT_ACRONYM = /^(?:[IVX]+|\p{Lu}?\d[\p{N}]*|\p{Lu}\d+|\d+\p{Lu}|\p{Lu}\d\p{Lu})s?$/u;

/** The acronyms of a text, without plural s, as written. */
export function acronymsIn(text: string): string[] {
  return (text.match(ACRONYM) ?? []).map((word) => word.replace(/(?<=\p{Lu})s$/u, ''));
}

/** Acronyms that the sentence uses without saying what they stand for, and that the reader cannot be taken to know. */
export function unknownAcronyms(sentence: string, known: ReadonlySet<string>): string[] {
  if (!/\p{Lu}[\p{Lu}\d]|\p{Lu}{2}/u.test(sentence)) return [];
  const withoutCode = sentence.replace(/`[^`]*`/g, ' ');
  return [...new Set(acronymsIn(withoutCode))].filter(
    (acronym) =>
      !NOT_ACRONYM.test(acronym) &&
      !WIDELY_KNOWN.has(acronym) &&
      !known.has(acronym) &&
      !isExplained(acronym, withoutCode) &&
      !acronym.split(/[-/]/).every((part) => WIDELY_KNOWN.has(part) || known.has(part) || /^\d+$/.test(part)),
  );
}

const NONE_KNOWN: ReadonlySet<string> = new Set();

/** What a sentence's abbreviations stand for, where neither it nor general knowledge says so and `expansions` does. */
export function abbreviationsIn(
  sentence: string,
  expansions: ReadonlyMap<string, string>,
): { short: string; long: string }[] {
  return unknownAcronyms(sentence, NONE_KNOWN).flatMap((short) => {
    const long = expansions.get(short);
    return long === undefined ? [] : [{ short, long }];
  });
}

/** `resistance training (RT)`, or `RT (resistance training)`. */
function isExplained(acronym: string, sentence: string): boolean {
  const before = sentence.indexOf(`(${acronym}`);
  if (before > 0) {
    const initial = acronym.charAt(0).toLowerCase();
    const words = sentence
      .slice(0, before)
      .trim()
      .split(/[\s-]+/)
      .slice(-acronym.length - 3);
    if (words.some((word) => word.replace(/^\W+/, '').toLowerCase().startsWith(initial))) return true;
  }
  const after = sentence.indexOf(`${acronym} (`);
  return after >= 0 && /^\p{Ll}{3,}[ -]\p{Ll}/u.test(sentence.slice(after + acronym.length + 2));
}

/** What the acronyms of a text stand for, where it says so: `resistance training (RT)`. */
export function acronymExpansions(text: string): Map<string, string> {
  const expansions = new Map<string, string>();
  for (const match of text.matchAll(/\((\p{L}{0,2}\p{Lu}[\p{L}\p{N}/-]{1,8}?)s?\)/gu)) {
    const acronym = match[1] ?? '';
    if (expansions.has(acronym)) continue;
    const words = text
      .slice(Math.max(0, match.index - 120), match.index)
      .trim()
      .split(/\s+/);
    const long = longForm(acronym, words);
    if (long !== null) expansions.set(acronym, long);
  }
  return expansions;
}

/** Whether most of an acronym's letters begin one of the words, in order. */
function initialsSay(run: readonly string[], letters: string): boolean {
  let at = 0;
  for (const word of run) if (word.toLowerCase().startsWith(letters.charAt(at))) at += 1;
  return at >= 0.75 * letters.length;
}

/** The shortest run of words before an acronym whose initials, hyphens counted, make it up in order. */
function longForm(acronym: string, words: readonly string[]): string | null {
  const letters = acronym.toLowerCase().replace(/[^\p{L}]/gu, '');
  for (
    let count = Math.max(2, Math.ceil(letters.length / 2));
    count <= Math.min(words.length, letters.length + 3);
    count++
  ) {
    const run = words.slice(-count);
    const first = run[0] ?? '';
    if (!first.toLowerCase().startsWith(letters.charAt(0))) continue;
    const text = run.join(' ');
    if (/[.;:()]/.test(text)) return null;
    let at = 0;
    for (const char of text.toLowerCase()) if (char === letters.charAt(at)) at += 1;
    if (at >= letters.length && (run.length <= letters.length + 1 || initialsSay(run, letters))) return text;
  }
  return null;
}
