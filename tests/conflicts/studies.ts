import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitPassages } from '../../src/core/text/passages';
import { terms } from '../../src/core/text/words';
import { type SourceSentence, sentencesOf } from '../../src/core/worth/source-sentences';

/** A study of the collection, read once. */
export interface Study {
  id: string;
  url: string;
  title: string;
  author: string;
  publishedAt: string;
  content: string;
  sentences: readonly SourceSentence[];
}

/** Every second study, so that what is tuned on the one half can be measured on the other. */
export function studiesOf(half: 'even' | 'odd'): Study[] {
  const file = join(
    process.env.COLLIGATE_DATA ?? join(__dirname, '../../../shared/data'),
    'studies/sources.jsonl',
  );
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line, index) => line !== '' && index % 2 === (half === 'even' ? 0 : 1))
    .map((line) => {
      const record = JSON.parse(line) as Omit<Study, 'sentences'>;
      return { ...record, sentences: splitPassages(record.content).flatMap(sentencesOf) };
    });
}

const RESULT_WORDS =
  /\b(?:(?:in|de)crease[ds]?|reduced?|reductions?|improve(?:d|ments?)?|lower(?:ed)?|higher|greater|smaller|rose|fell|declined?|gain(?:ed)?|lost|differ(?:ed|ences?)?|effects?|effective|associated|significant(?:ly)?|change[ds]?|attenuated|enhanced|prevented|remained)\b/i;
const PAST = /\b(?:was|were|had|did|\p{Ll}{3,}ed|fell|rose|lost|led)\b/u;
const NO_STATEMENT =
  /\b(?:may|might|could|should|would|can|suggests?|suggesting|likely|possibl[ey]|probably|perhaps|hypothes\w+|aim(?:ed)?|whether|recommend\w*|previous(?:ly)?|baseline differences|drop-?outs?|withdr[ae]w\w*|correlat\w*|adher\w*|attend\w*|unclear|essential|other (?:studies|experiments)|examined|investigated|randomi[sz]ed|assigned|analy[sz]ed|assessed|measured|we performed|future|expected|appears?|seems?|trend|tended|tendency|interaction)\b|\?/i;
const POINTS_ELSEWHERE =
  /\[\d|\bet al\b|\b(?:Table|Fig|Figure|Additional|Supplement\w* (?:file|table|figure))|https?:|[a-z]\(\d{1,2}[),]|\^/i;
const POINTS_BACK =
  /^(?:this|these|those|that|it|its|they|their|he|she|such|both|however|also|moreover|furthermore|in addition|additionally|similarly|conversely|in contrast|likewise|there(?:fore|by)|thus|hence|here|another|the (?:other|latter|former|same|above)|none)\b|\b(?:the latter|the former|respectively)\b|\b(?:these|this|such) (?!study|trial)\w+/i;

const ABBREVIATION = /\b[A-Z][A-Za-z]?[A-Z]+[\w-]*/g;
const WELL_KNOWN = /^(?:BMI|LDL|HDL|CI|OR|RR|HR|SD|SE|SEM|DHA|EPA|DNA|HIV|IU|USA|UK|US|II|III)\b/;

/** An abbreviation that is neither well known nor spelt out in the sentence. */
function hasUnexplainedAbbreviation(text: string): boolean {
  return [...text.matchAll(ABBREVIATION)].some(
    ([word]) => !WELL_KNOWN.test(word) && !text.includes(`(${word})`),
  );
}

/** Two words of the title, so that a reader knows what was done to whom without it. */
function namesItsSubject(text: string, title: string, least: number): boolean {
  const own = new Set(terms(text));
  return [...new Set(terms(title))].filter((term) => own.has(term)).length >= least;
}

/**
 * The sentences in which a study says what it found, and that a reader understands alone; where the sentence is to be
 * looked for is the caller's choice, by rule and not by what the engine makes of it.
 */
export function resultSentences(study: Study, where: 'abstract' | 'anywhere'): SourceSentence[] {
  return study.sentences.filter(({ text, zone, inAbstract }) => {
    const told = inAbstract || where === 'anywhere' ? /^(?:results|conclusions|abstract)$/.test(zone) : false;
    const words = text.split(/\s+/).length;
    return (
      told &&
      words >= 8 &&
      words <= 45 &&
      /^\p{Lu}/u.test(text) &&
      /\.$/.test(text) &&
      RESULT_WORDS.test(text) &&
      PAST.test(text) &&
      !NO_STATEMENT.test(text) &&
      !POINTS_ELSEWHERE.test(text) &&
      !POINTS_BACK.test(text) &&
      !hasUnexplainedAbbreviation(text) &&
      namesItsSubject(text, study.title, where === 'abstract' ? 2 : 1)
    );
  });
}
