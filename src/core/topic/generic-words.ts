import { stemOf } from '../../language/words';

/** Words of questions and of reports on any subject; they do not say what a question is about. */
const WORDS = `
  which what who how why when where much many best better good bad improve improves improved improving improvement affect affects affected
  effect effects effective effectiveness efficacy help helps helping keep keeps kept work works working make makes do does cause causes lead
  leads reduce reduces reduced reducing reduction increase increases increased increasing decrease decreases decreased prevent prevents raise
  limit limits avoid avoids avoiding manage manages managing
  lose loses losing lost loss gain gains gained gaining lower higher greater less more change changes changed differ difference differences compare compared comparison versus impact influence role
  benefit benefits beneficial outcome outcomes result results finding findings evidence study studies trial trials research review
  analysis intervention interventions treatment treatments program programme programs programmes approach approaches method methods strategy
  strategies measure measures measured amount amounts extent level levels rate rates way ways thing things kind kinds type types example
  examples people person persons adult adults men man patient patients participant participants subject subjects individual individuals group groups control controls
  controlled randomised randomized randomly placebo double-blind blind blinded pilot design protocol cohort crossover cross-over secondary
  primary assessment evaluation evaluate evaluating assess investigate report reports using use used uses based related association associated
  associations different various important main possible know known say says tell show shows shown handle handles handling support supports
  supported provide provides package packages library libraries project tool tools module modules answer answers question questions
  week weeks month months year years day days hour hours minute minutes day-to-day short-term long-term short long term time times new novel
  significant significantly statistically respectively mean total score scores value values baseline follow-up post pre before after
  data sample test tests tested among between during response responses potential relevant current overall general specific high low large small
  rct clinical single-blind multicenter multicentre open-label prospective feasibility quasi-experimental parallel cluster cluster-randomized
  section sources source article articles author authors paper interventional experimental efficacious and/or factor factors
`;

const GENERIC_STEMS: ReadonlySet<string> = new Set(
  WORDS.trim()
    .split(/\s+/)
    .flatMap((word) => [word, stemOf(word)]),
);

export function isGeneric(stem: string): boolean {
  return GENERIC_STEMS.has(stem) || /^\d/.test(stem);
}
