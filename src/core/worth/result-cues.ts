import type { SentenceKind } from './kinds';

const NO_DIFFERENCE =
  /\b(?:no|nor|without)\b[^.;]{0,40}\b(?:differences?|effects?|changes?|improvements?|benefits?|associations?|correlations?|interactions?|impact|increase|decrease|reduction|influence|relationship|adverse events?)\b|\b(?:did|do|does|was|were|is|are) not (?:\w+ ){0,2}(?:differ|differen|chang|improv|affect|alter|reduc|increas|decreas|influenc|associat|correlat|superior|enhanc|lower|higher|impair|result|lead|predict|prevent)\w*|\bunchanged\b|\bremained (?:stable|constant|similar|the same)\b|\b(?:was|were) similar\b|\bneither\b[^.;]{0,60}\bnor\b|\bfailed to\b|\b(?:ineffective|unaffected)\b|\bhad (?:no|little)\b/i;
const ASSOCIATION =
  /\b(?:associated with|associations?|correlat(?:ed|ion|es|ions)|predict(?:ed|s|or|ors)|related to|relationship between|linked to|dose[- ]response|odds ratio|hazard ratio|relative risk|lower risk|higher risk|mediated)\b/i;
const CHANGE =
  /\b(?:increas(?:ed?|es|ing)|decreas(?:ed?|es|ing)|reduc(?:ed?|es|ing|tions?)|improv(?:ed?|es|ing|ements?)|declin(?:ed?|es|ing)|ro?se|risen|rises|fell|falls? in|drop(?:ped|s)?|gain(?:ed|s)|lost|loss(?:es)?|lower(?:ed|s|ing)?|rais(?:ed|es)|elevat(?:ed|es|ion)|enhanc(?:ed?|es|ements?)|attenuat(?:ed|es|ion)|prevent(?:ed|s)|protect(?:ed|s)|worsen(?:ed|s|ing)|delay(?:ed|s)|shorten(?:ed|s)|prolong(?:ed|s)|diminish(?:ed|es)|doubled|halved|changed|changes? (?:in|from)|restor(?:ed|es)|promot(?:ed|es)|alleviat(?:ed|es)|suppress(?:ed|es)|stimulat(?:ed|es)|induc(?:ed|es)|slow(?:ed|s)|accelerat(?:ed|es)|reliev(?:ed|es)|ameliorat(?:ed|es)|impair(?:ed|s)|affect(?:ed|s)|led to|leads? to|resulted in|results? in|produced|elicited|caused|yielded|contribut(?:ed|es) to|achieved|reached)\b/i;
const COMPARISON =
  /\b(?:than|compared (?:with|to)|in comparison (?:with|to)|versus|vs\.?|relative to|between(?:-| the | both | )(?:\w+ ){0,3}(?:groups?|arms?|conditions?|diets?|treatments?)|(?:higher|lower|greater|larger|smaller|fewer|more|less|better|worse|longer|shorter|faster|slower|stronger|weaker)\b|superior|outperform(?:ed|s)|exceeded|differ(?:ed|ence|ences|s)?|as effective as|non-?inferior)\b/i;
const EFFECTIVE =
  /\b(?:is|are|was|were|be|proved|proven|been) (?:\w+ ){0,3}(?:effective|efficacious|beneficial|ineffective|superior|inferior|harmful|safe|cost-effective|sufficient|insufficient|useful|helpful|successful|well[- ]tolerated)\b|\b(?:has|have|had|exerts?|exerted|provid(?:es?|ed)|confer(?:s|red)|offer(?:s|ed)) (?:an? |the |some |significant |positive |beneficial |additional )*(?:effects?|benefits?|impact|advantages?|protection|improvements?|influence)\b|\b(?:benefit(?:s|ed)? from|help(?:s|ed)? (?:to )?(?:reduce|prevent|improve|increase|maintain|lower|control))\b/i;

/** Which kind of result the words of a sentence report, or null where they report none. */
export function resultKind(
  sentence: string,
): Extract<SentenceKind, 'comparison' | 'change' | 'association' | 'no-difference'> | null {
  if (NO_DIFFERENCE.test(sentence)) return 'no-difference';
  const changes = CHANGE.test(sentence) || EFFECTIVE.test(sentence);
  if (COMPARISON.test(sentence)) return 'comparison';
  if (changes) return 'change';
  return ASSOCIATION.test(sentence) ? 'association' : null;
}

/** The writers speak of their own study. */
export const OWN_STUDY =
  /\b(?:we (?:found|observed|showed|show|demonstrated?|detected|report|noted|saw|identified|confirmed|conclude)|our (?:results?|findings?|data|study|trial|analys[ei]s|participants|patients|subjects|intervention|work|observations?|sample|model)|(?:this|the present|the current|present|current) (?:\w+ ){0,3}(?:study|trial|investigation|analysis|work|research|review|meta-analysis|results|findings|data)|in (?:this|our|the present|the current) (?:\w+ ){0,2}(?:study|trial)|(?:the|main|primary|key|major|principal) (?:\w+ )?(?:results?|findings?)\b|the results (?:of|show|indicate|demonstrate|suggest|reveal))/i;
