const NUMBERED = /\s*\[\s*\^?\d+(?:\s*[,;–-]\s*\^?\d+)*\s*\]/g;

/** A text without its numbered citation marks, and the spaces before them: `[3]`, `[1, 4-6]`, `[^2]`. */
export function withoutCitationMarks(text: string): string {
  return text.replace(NUMBERED, '');
}
