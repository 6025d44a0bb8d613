import type { StepName } from '../../src/steps/registry';

const OPENINGS = [
  ['You prepare sources', 'summarise'],
  ['You plan a research report', 'outline'],
  ['You join plans', 'merge-outlines'],
  ['You score how much sources', 'score-relevance'],
  ['You read sources for', 'extract-findings'],
  ['You validate the findings', 'cross-check'],
  ['Question: ', 'write-text'],
  ['These are the numbered sentences', 'audit-text'],
  ['You wrote a text that answers', 'mend-text'],
  ['Answer this question from these passages', 'answer'],
  ['You shorten passages for', 'compress'],
  ['You word a question otherwise', 'rewrite-question'],
  ['You judge finished texts', 'judge'],
] as const satisfies readonly (readonly [string, StepName])[];

/** What a request asks for, told by a line of its messages: a step of a report or of an answer. */
export type AskedStep = (typeof OPENINGS)[number][1];

/** Told by the last line that says so: what stands before it may be material. */
export function stepOfPrompt(...messages: string[]): AskedStep {
  const text = `\n${messages.join('\n')}`;
  const places = OPENINGS.map(([opening, step]) => ({ step, at: text.lastIndexOf(`\n${opening}`) }));
  const last = places.reduce((one, other) => (other.at > one.at ? other : one));
  if (last.at < 0) throw new Error(`No step says so: ${text.slice(0, 60)}`);
  return last.step;
}

/** The pieces of material in a prompt by their names (`S1`, `findings`), in their order. */
export function materialIn(prompt: string): Map<string, string> {
  const pieces = prompt.matchAll(/^=== ([0-9a-f]{16}) (?!end )(.+?) ===\n([^]*?)\n=== \1 end ===$/gm);
  return new Map([...pieces].map(([, , name = '', text = '']) => [name, text]));
}

/** A line of a prompt after its label, such as `Section:`. */
export function lineOf(prompt: string, label: string): string {
  return new RegExp(`^${label} (.*)$`, 'm').exec(prompt)?.[1] ?? '';
}

export interface QuotedEvidence {
  source: string;
  quote: string;
}

export interface PromptFinding {
  id: string;
  claim: string;
  evidence: QuotedEvidence[];
  /** The section under whose title it stands, where there is one. */
  section: string;
}

export function findingsIn(text: string): PromptFinding[] {
  const findings: PromptFinding[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const title = /^\[(.+)\]$/.exec(line)?.[1];
    const opening = /^(F\d+)(?: \([^)]*\))?: (.*)$/.exec(line);
    const quoted = /^ {2}(S\d+).*?: “(.*)”$/.exec(line);
    if (title !== undefined) section = title;
    else if (opening) {
      // What is claimed in the words of a quote stands as the quote.
      const [, source, quote] = /^(S\d+): “(.*)”$/.exec(opening[2] ?? '') ?? [];
      const evidence = source === undefined || quote === undefined ? [] : [{ source, quote }];
      findings.push({ id: opening[1] ?? '', claim: quote ?? opening[2] ?? '', evidence, section });
    } else if (quoted) findings.at(-1)?.evidence.push({ source: quoted[1] ?? '', quote: quoted[2] ?? '' });
  }
  return findings;
}

/** A sentence that a critic is asked about, and the sources that it cites. */
export interface PromptSentence {
  id: string;
  sources: string[];
  text: string;
  /** What it is told that words noticed; empty for nothing. */
  noticed: string;
}

export function sentencesIn(text: string): PromptSentence[] {
  return [...text.matchAll(/^(T\d+): (.*?)(?: \(noticed: (.*)\))?$/gm)].map(
    ([, id = '', said = '', noticed = '']) => ({
      id,
      sources: [...said.matchAll(/\[(S\d+)\]/g)].map(([, source = '']) => source),
      text: said.replace(/\s*\[S\d+\]/g, ''),
      noticed,
    }),
  );
}
