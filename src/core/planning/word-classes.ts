import { STOP_WORDS } from '../../language/words';
import { topicStem } from './topic-stem';

/**
 * What a word can do in a heading. `boundary` ends a phrase (function words, verbs that reports are told with);
 * `empty` words belong to reporting itself and never stand in a heading; `light` words need a more specific word
 * beside them; `heavy` words can carry a heading.
 */
export type WordClass = 'boundary' | 'empty' | 'light' | 'heavy';

const list = (text: string): string[] => text.trim().split(/\s+/);

/** Verbs that any report is told with, whatever it is about. */
const VERBS = list(`
  accept accord account achieve act add address adjust administer adopt affect aim allocate allow alter analyse analyze answer appear
  apply arise ask assess assign associate assume attempt attend attenuate avoid base become begin believe belong bring calculate call carry
  cause characterise characterize check choose collect combine commence compare complete comprise conclude conduct confirm consider consist
  consume contain continue contribute correlate create decide decline decrease define deliver demonstrate depend derive describe detect
  determine develop differ discuss display divide elevate eliminate emerge employ enable encourage end enhance enrol enroll ensure enter
  establish estimate evaluate examine exceed exclude exhibit exist expand expect experience explain explore exploit express extend facilitate fail
  fill follow gain generate handle happen help hold hypothesise hypothesize identify illustrate implement imply improve include incorporate increase
  indicate induce inform initiate instruct intend interpret introduce investigate invite involve keep know lead learn leave limit live look lose
  lower maintain match mean measure meet modify modulate monitor need note observe obtain occur offer participate perform permit persist
  possess predict prefer present prevent proceed produce promote propose prove provide publish pursue raise reach read realise realize receive
  recommend record recover recruit reduce refer reflect regard relate rely remain remove repeat replace report represent require resolve
  respond restore result reveal say seek select serve show simulate speculate start state stop strengthen study suffer suggest summarise
  summarize suppose tackle take talk tell tend throw treat trigger try turn undergo understand undertake verify want weigh work write yield
  assist attribute conclude counteract favor favour highlight impair inhibit lessen mediate minimise minimize offset outweigh persist
  relieve speed stimulate suppress underlie warrant worsen confer hinder ameliorate augment optimise optimize exert accelerate
  found shown seen led taken taking made making given gave held kept left lost met known understood written built bought brought chosen
  drawn driven fed felt fell fallen grew grown heard laid meant paid ran reading said sent set sat spent spoke spoken stood taught thought told tried
  went won wrote declare approve archive add supply fix save publish sponsor welcome fork
  emit execute return pass wrap parse install import run build expose inspire maintain please
`);

/** What reports and documentation say about themselves, and measures of how much; a heading of these says nothing. */
const EMPTY = list(`
  ability able abstract accordance addition additional adjustment adverse age aged allocation alpha alternative amount analysis appropriate area
  arm article aspect assessment association attention author authors available average aware background baseline basic basis beginning
  beneficial benefit best better big blind blinded bout broad case category cause central change changes characteristic choice clear
  clinical clinically clinician close cohort combination common comparable comparator comparison comparisons complete component concept concern
  conclusion condition conditions confidence consecutive consequence consistent contents context contribution contributing control-group controlled
  convenient correlation corresponding count crossover cross-over current currently curve data date day days decision decrease degree delta demo
  description design desired detail details determinant developer development deviation difference differences different difficult direct
  direction discussion document documentation dose-response double double-blind double-blinded double-masked due duration early ease easy effect
  effective effectiveness effects efficacy efficacious efficient eligible elderly-group end endpoint ends endpoint enrolment entire equal equivalent
  error-bars estimate etc evaluation event evidence example examples exclusion existing expectation experiment experimental extent external
  extra fact factor factors feasibility feasible feature features few field figure final finding findings focus follow-up followup force form format
  former forward free frequency frequent full further future general given goal good great greater group groups half handy hand hard helpful
  high-quality higher highest highly hour hours hypothesis idea ideal immediate impact implication important improvement inclusion increase
  independent index individual influence information initial inside instance instruction insufficient intention-to-treat interest internal interval
  introduction investigation isrctn issue item items job key kind knowledge known lack large larger last late later latter length less level levels licence
  license likely limit limitation limitations limited line link list little live local long longer long-term look lot main major majority manner
  many matter maximum mean means measurement measurements mechanism median member method methodology methods mild mind minimal minimum minor
  minute minutes mit mode moderate modest module month months multicenter multicentre multiple name natural nature nct near necessary need negative new next non-significant
  normal notable note notice novel null number numbers numerous objective objectives observation occasion odd official old open open-label opportunity optimal
  option optional order original outcome-measure outset overall overview own pack page paper parallel parallel-group parameter parameters part
  participant participants participation particular past patient patients pattern people-group per percent percentage perfect period permanent person
  phase phenomenon pilot place placebo placebo-controlled placebos plan plus point points poor portion position positive possibility possible post
  post-intervention potent potential practical practice-based pragmatic pre preliminary presence present previous primary principal prior
  problem procedure procedures process product profile-of project promise-of proper property proportion proposal prospective protocol protocols provision purpose quality-score
  quantity quasi-experimental question questionnaire questions quick random randomisation randomised randomization randomized range rapid rate rates ratio
  rationale ready real reason reasonable recent recommendation record reduction reference regard regime regimen region registration regular related
  relation relationship relative relevant reliable repository report reports research researcher researchers respective respondent respondents response responses rest result results
  retrospective return review right role room round rule same sample samples scale scenario schedule scheme scientific scope score scores secondary second section sections select
  selection sense sensitivity-analysis separate sequence series serious session sessions set setting settings several severe severity sham short
  short-term significance significant significantly similar simple simultaneous single single-blind site sites situation six size small smaller so-called sole some
  source sources space special specific stage standard statistic statistical statistics step steps strategy strong stronger structure
  studies study studys subgroup subject subjects subsequent substantial success successful such sufficient suitable summary support sure surprise synergistic table
  task technique term terms test tests thing things third three three-arm time times tool top topic total trend trial trials triple triple-blind true
  tutorial two-arm type types typical unchanged unclear understanding unique unit updated usage usefulness user-facing usual valid value values variable variables variance variation
  variety various varying vast version versions versus view visit visits volume volunteer volunteers vs way ways week weekly weeks whole wide year years yearlong yes young-group zero
  readme changelog npm node github badge travis ci contributing contributor usage api installation install inc ltd copyright see-also table-of-contents faq
  achievement additionally furthermore moreover thereafter whilst versus via per upon ii iii iv de la et al dr mr mrs eg ie one two three four five six seven eight nine ten twelve
  percent degree deg kg mg ml cm mm mmol kcal bmi-score min hr yr wk sd se sem ci rr hr
  behalf fold manuscript letter editorial commentary appendix supplementary
  daily monthly hourly pm am
  fast faster fastest slow slower tiny popular powerful lightweight robust modern latest advanced arbitrary empty wrong extra twenty hundred commercial
  case-control cross-sectional hoc ad priori vitro vivo gender physiology physiological self side note bit box thanks welcome docs doc info logic keyword word benchmark suite send
  engage tolerated protected superior perceived sustained mixed integrated progressive illness height
  university institute hospital-based country countries nation national international author
  january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday
  conflict-of-interest competing ethics ethical trademark doi clinicaltrials.gov xmlns pubmed crossref table tables supplementary-material online absence contrast
  cluster cluster-randomised cluster-randomized archive webcite criteria aid presence financial criterion absolute promising novel-approach deep
  doesn't don't you're you'll that's you'd we're let's i'm isn't can't won't it's
`);

/** Words that are specific only together with another one: `programme` alone is no heading, `walking programme` is. */
const LIGHT = list(`
  activity adult adults acute boy boys care change child children chronic community component control cost course daily department diagnosis dietary disease disorder dose education
  elderly environment exposure family female females function girl girls group health healthy high home human humans individuals intake intensity intervention interventions life living low
  male males man management men model models older outcome outcomes parent parents people performance persons physical population populations practice product production program programme programmes
  programs quality recovery regulation risk risks safety service services state status strength supplement supplementation supplements symptom
  prevention maintenance promotion recruitment feedback modification profile composition capacity marker markers biomarker concentration consumption
  ingestion administration correction center centre target delivery interaction mixture behavior behaviour habit habits restriction exacerbation exacerbations
  resource resources storage support access advice attempt benefit burden challenge choices client complication complications deficiency efficiency
  accuracy adherence advantage absorption accumulation adaptation adaptations content demand enrichment extract homeostasis integration metabolism movement
  outcome practice pressure property prescription reaction replacement screening selection solution success toxicity usability uptake
  symptoms system systems therapy training treatment treatments use user users volume woman women work young youth
  app application code array async browser callback class client command config configuration content core custom default dependency directory element engine feature field file files function
  functions handler helper input instance interface javascript js json key language library line message method mode module native object option options output package packages
  parameter path pattern platform plugin plugins process property query request response script server software source standard stream string syntax text token tree type types typescript utility value version web
`);

const boundaryStems = new Set(VERBS.map(topicStem));
const emptyStems = new Set(EMPTY.map(topicStem));
const lightStems = new Set(LIGHT.map(topicStem));
const lightWords = new Set(LIGHT);

/** Verb forms that are everyday nouns in headings too: `weight loss`, `error handling`, `record`. */
const NOUN_FORMS = new Set(
  list(`learning building testing parsing writing reading handling monitoring matching training exposure loss treatment treatments
  management measurement recovery understanding recruitment development maintenance prevention participation consumption inhibition
  inhibitor inhibitors modulation promotion regulation suppression stimulation replacement parser parsers builder runner wrapper handler emitter`),
);

function isListedLight(lower: string): boolean {
  return lightWords.has(lower) || lightWords.has(lower.replace(/s$/, ''));
}

/** The class of a word as it stands in text; `lower` is its lower-case form, `stem` its topic stem. */
export function wordClass(lower: string, stem: string): WordClass {
  if (STOP_WORDS.has(lower) && lower !== 'back') return 'boundary';
  if (/^[\d.,]+$/.test(lower) || (lower.length < 2 && !/[a-z]/.test(lower))) return 'boundary';
  if (
    /ly$/.test(lower) &&
    lower.length > 5 &&
    !/(?:family|supply|assembly|anomaly|reply|monopoly)$/.test(lower)
  )
    return 'boundary';
  if (emptyStems.has(stem) && !lightStems.has(stem) && !NOUN_FORMS.has(lower)) return 'empty';
  if (boundaryStems.has(stem) && !NOUN_FORMS.has(lower)) {
    // `prevention` and `restoration` are nouns of headings, `prevent` and `restored` are verbs.
    const isNoun =
      isListedLight(lower) ||
      (/(?:[st]ion|ment|ance|ence|ure|[vws]al)s?$/.test(lower) && !emptyStems.has(stem));
    return isNoun ? 'light' : 'boundary';
  }
  if (lightStems.has(stem)) return isListedLight(lower) || !/(?:ed|ing)$/.test(lower) ? 'light' : 'boundary';
  return /^\d/.test(lower) ? 'empty' : 'heavy';
}

/** Verbs that say what one thing does to another, or what a report does; `work` and `change` may be nouns, and are not counted. */
export function isReportingVerb(lower: string, stem: string): boolean {
  return (
    boundaryStems.has(stem) &&
    !lightStems.has(stem) &&
    !NOUN_FORMS.has(lower) &&
    !/(?:ment|tion|tions|ance|ence)s?$/.test(lower)
  );
}
