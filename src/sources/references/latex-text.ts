import letters from './data/latex-letters.json';

const ACCENTS: Readonly<Record<string, string>> = letters.accents;
const COMMANDS: Readonly<Record<string, string>> = letters.commands;
const SIGNS: Readonly<Record<string, string>> = letters.signs;

/** `\"{o}`, `{\"o}`, `\v{c}`, `\'{\i}`: an accent of one sign may stand right before its letter. */
const ACCENTED = /\\(?:([`'^~=."])|([ruvHcdkb])(?=[\s{\\]))\s*\{?\\?([A-Za-z])\}?/g;
const COMMAND_OR_SIGN = /\\([A-Za-z]+)\s?|\\(.)|``|''|-{2,3}|[~{}$]/g;

/** What the value of a field in BibTeX says: letters for their commands; of other commands what they stand around. */
export function latexText(value: string): string {
  const accented = value.replace(
    ACCENTED,
    (_whole, sign: string | undefined, name: string | undefined, letter: string) =>
      `${letter}${ACCENTS[sign ?? name ?? ''] ?? ''}`.normalize('NFC'),
  );
  const plain = accented.replace(
    COMMAND_OR_SIGN,
    (whole, command: string | undefined, escaped: string | undefined, at: number) => {
      if (escaped !== undefined) return escaped;
      if (command === undefined) return SIGNS[whole] ?? whole;
      return COMMANDS[command] ?? (accented[at + whole.length] === '{' ? '' : command);
    },
  );
  return plain.replace(/\s+/g, ' ').trim();
}
