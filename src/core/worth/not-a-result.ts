import type { SentenceKind } from './kinds';

type Rejection = readonly [kind: SentenceKind, reason: string, pattern: RegExp];

/** What makes a sentence something else than a result, whatever figures it has. */
const ALWAYS: readonly Rejection[] = [
  ['recommendation', 'advises', /\b(?:can|could|should|may|might) (?:also )?consider\b/i],
  [
    'no-result',
    'says who was studied, not what came of it',
    /^(?:the )?(?:participants|subjects|patients) were \d|\b(?:more|most) (?:frequent|common|prevalent) (?:\w+ ){1,3}(?:included?|were|was|are)\b|\b(?:differences?|differ(?:ed)?|similar|comparable)\b[^.]*\b(?:preceding|before|prior to) the (?:study|trial|intervention)\b|\bdifferences?\b[^.]* in (?:mean )?age,? /i,
  ],
  [
    'no-result',
    'says that groups were alike at the start, or what people did before',
    /\b(?:balanced|matched|comparable) (?:at|for|between|with respect)\b|\b(?:well|adequately) (?:balanced|matched)\b|\bhabitual (?:diet\w*|intake)\b/i,
  ],
  [
    'no-result',
    'says that something differed or changed, but not which way',
    /^(?!.*\b(?:no|not|nor|neither|without|non|increas\w*|decreas\w*|improv\w*|reduc\w*|higher|lower|great\w+|less|more|fewer|larger|smaller|better|worse\w*|declin\w*|gain\w*|lost|loss|rose|fell|favou?r\w*|faster|slower|longer|shorter|stronger|weaker|beneficial\w*|positive\w*|enhanc\w*|elevat\w*|attenuat\w*|superior\w*|effective|outperform\w*|only|vs\.?|versus|than|from)\b).*\bsignifican(?:t|tly) (?:\w+ )?(?:differ\w*|chang\w*|effects?|interactions?)\b/i,
  ],
  [
    'no-result',
    'speaks of an instrument, a forecast or the care, not of those who were studied',
    /\b(?:accelerometers?|questionnaires?|devices?|instruments?|biomarkers?)\b[^.]*\b(?:aware\w*|valid\w*|reliab\w*|agree\w*|reactivity|no influence|reflect\w*)\b|\baware\w* of wearing\b|\b(?:forecast|prediction|model\w*) errors?\b|\bforecast\w*\b|\bprobability of (?:annual|regular) checks\b|\bin each of the (?:two|three|four) groups\b|\b(?:evidence-based|guideline) \w*(?:advice|practice|education|counsell?ing)\b/i,
  ],
  [
    'no-result',
    'relates outcomes to each other',
    /\bmediat(?:ed|es|or|ors|ion|ing)\b|\bcorrelat(?:ed|es|ion|ions)\b|\b(?:significantly|independently|best|strongly) predicted\b|\bpredict(?:s|or|ors)\b|\bwas (?:positively |negatively |inversely |significantly )?related to\b/i,
  ],
  [
    'instruction',
    'speaks to its reader',
    /\b(?:your (?:response|reply|answer|output|task|instructions)|(?:the|this|previous|above|all) (?:prompt|instructions)|system prompt|language model|as an ai|assistant|in your|please|click|subscribe)\b/i,
  ],
  [
    'aim',
    'says what was to be found out',
    /\b(?:aims?|aimed|objectives?|purposes?|goals?|intention|intended|rationale)\b[^.]{0,60}\b(?:was|were|is|are|of|to)\b[^.]{0,40}\b(?:to|determin|assess|evaluat|examin|compar|investigat|explor|test)|\b(?:we|study|trial|paper|review|article|research|investigation|experiment|analysis|work|protocol)s? (?:\w+ ){0,2}(?:aims?|aimed|sought|set out|seeks?|intends?|intended|attempts?|attempted|examine[sd]?|investigate[sd]?|explore[sd]?|assess(?:es|ed)?|evaluate[sd]?|compare[sd]?|test(?:s|ed)?|describe[sd]?|presents?|addresse[sd]|focuse[sd]|analy[sz]e[sd]?|determine[sd]?|measure[sd]?|was designed|is designed|was undertaken|was conducted|was performed|was carried out|were conducted|is to|was to|will)\b|\b(?:was|were|is|are) (?:\w+ )?(?:designed|conducted|undertaken|performed|carried out|developed|initiated|powered|planned) to\b|\b(?:to|we|and) (?:determine|examine|investigate|evaluate|assess|explore|ascertain|elucidate|clarify)d? (?:whether|if|the|how|a|an)\b|\bof interest (?:was|were)\b|\b(?:whether|if) .* (?:is|are|was|were|remains?) (?:unknown|unclear|uncertain|controversial)|\b(?:is|are|remains?|were|was) (?:still |largely |currently |not |yet |poorly )*(?:unknown|unclear|uncertain|controversial|understood|known|established|equivocal|inconclusive|debated|elusive|scarce|sparse|lacking|limited)\b/i,
  ],
  [
    'aim',
    'a hypothesis or an expectation',
    /\bhypothes[ie][sz]|\b(?:we|was|were|is|are|had) (?:\w+ )?(?:expect|anticipat|postulat|assum|predict)(?:ed)? (?:that|to)\b|\bwe (?:expect|anticipate|assume|predict)|\bexpected (?:that|to)\b|\bas expected\b/i,
  ],
  [
    'aim',
    'looks ahead',
    /\b(?:will (?:be|have|also|provide|help|allow|enable|inform|receive|examine|undergo|complete|not)|would (?:be|have|help|need|also|allow|require|increase|reduce|improve)|(?:further|future|additional|more|larger|longer) (?:[\w-]+ ){0,2}(?:research|stud(?:y|ies)|trials?|investigations?|work|experiments?)|(?:is|are) (?:\w+ )?(?:needed|warranted|required)|needs? to be|remains? to be|worth (?:investigating|exploring)|under (?:way|investigation)|ongoing)\b/i,
  ],
  [
    'others-work',
    'tells what others found',
    /^previously\b|\bRCTs\b(?! (?:show|indicat))|\b(?:previous(?:ly)?|prior|earlier|existing|published|recent(?:ly)?|past) (?:\w+ ){0,4}(?:stud(?:y|ies)|work|research|reports?|reported|trials?|findings?|literature|observations?|evidence|investigat\w+|data|meta-analys[ei]s|reviews?|shown|results|publications?|authors|described|demonstrated|interventions)\b|\b(?:other|several|many|most|some|few|numerous|various|multiple|two|three|animal|epidemiologic(?:al)?|observational|experimental|cross-sectional|population-based|cohort|intervention|laboratory|a number of|large|number of|rodent|in vitro|in vivo|clinical|human|prospective|longitudinal) (?:\w+ ){0,4} (?:studies|trials|authors|researchers|investigators|reports|investigations|reviews|meta-analyses|groups have|experiments)\b|\b(?:studies|research|evidence|trials|authors|reviews?|literature|data|experts|investigators|researchers|reports|guidelines?) (?:\w+ ){0,4}(?:have|has|had|suggests?|shows?|indicates?|supports?|demonstrates?|exists?|recommends?|on the|regarding|about)\b(?<!(?:our|these|the|this) (?:data|study|research|trial) (?:\w+ )?(?:suggests?|shows?|indicates?|demonstrates?|supports?))|\b(?:has|have) (?:\w+ ){0,2}been (?:\w+ )?(?:shown|reported|demonstrated|found|suggested|proposed|linked|associated|observed|recogni[sz]ed|identified|established|documented|used|described|studied|investigated|considered|proven|implicated|recommended|well)\b|\b(?:is|are|was|were) (?:\w+ )?(?:known|thought|believed|considered|recogni[sz]ed|regarded|accepted|reported by|proposed|widely used|commonly used|recommended|estimated|defined)\b|\bit is (?:\w+ )?(?:known|established|accepted|documented|believed|thought)\b|\b(?:colleagues|co-?workers|co-?authors)\b|\baccording to (?:the )?(?:world|american|european|national|international|literature|recent|previous)|\b(?:in|from|of) the literature\b|\bmeta-analys[ei]s (?:of|by|on|showed|found|including|that|reported|revealed|also|has|have|concluded)\b|\b(?:agree|agrees|accord|accords|consistent|in line|concur|concurs|concordant) (?:well )?(?:with|to) (?:\w+ ){0,4}(?:findings?|results?|stud(?:y|ies)|observations?|reports?|data|literature|previous)\b|\b(?:found|reported|observed|shown|demonstrated) (?:by|in other)\b|\b(?:worldwide|globally|in developed countries|epidemic|major (?:public )?health (?:problem|concern)|leading cause|prevalence of \w+ (?:is|has))\b|\bfor the first time\b|\b(?:is|was|are) the first (?:\w+ )?(?:study|trial|to|report|randomi[sz]ed)\b|\bfirst (?:\w+ ){0,3}(?:study|trial|report) (?:to|that|of)\b/i,
  ],
  [
    'others-work',
    'names another study',
    /\b[Tt]he (?:[A-Z][\w-]+ ){1,5}(?:Study|Trial|Program|Survey|Project|Initiative) (?:\w+ )?(?:showed|found|reported|demonstrated|revealed|observed|has|also)\b/,
  ],
  [
    'no-result',
    'speaks of the analysis or the model, not of what came of it',
    /\b(?:respective \w+|magnitude-based|inferences?|the models|as intended|(?:reached|had) an? (?:average|mean) [\w ]*intake|average duration of|advantages and disadvantages|(?:fed|fasted) state|(?:energy|protein|dietary|nutrient) intake (?:from|was increased)|correlation coefficients|the only difference|best-case|worst-case|base case|main effects?|interaction (?:effects?|terms?|was|were|between|of)|(?:time|group|condition|treatment|trial|diet|phase|sex|gender|day) ?(?:x|×|\*|by|-by-) ?(?:time|group|condition|treatment|trial|diet|phase|sex|gender|day)\w*|interactions? (?:between|by|of|was|were)|multivaria\w+|multi-?level model|regression (?:analys[ei]s|models?|coefficients?)|sphericity|ANCOVA|ANOVA|analysis of (?:co)?variance|post[- ]hoc|Tukey|Bonferroni|Cronbach\w*|Shapiro|Kolmogorov|Mauchly|(?:are|is|was|were) being \w+ed|covariates?|effect modifi\w+|homogeneity|heterogeneity|normality|factor loadings?|(?:is|are) (?:\w+ )?(?:described|presented|summari[sz]ed|discussed|displayed|depicted|illustrated|listed|outlined|shown)\b|(?:computational|mathematical|simulation) models?|reasons? (?:included|were|given)|the model (?:was|were|explained|fit)|explained \d+(?:\.\d+)? ?% of (?:the )?varia\w+|intra-?class|coefficient of variation|imput\w+)\b/i,
  ],
  [
    'limitation',
    'weighs the study itself',
    /\blimitations?\b|\blimited by\b|\bsmall (?:sample|number)|\bsample size|\bshould be (?:interpreted|considered|noted|viewed|taken)|\bcautio(?:n|us)|\bgenerali[sz]|\bcannot (?:be|rule|exclude|determine|draw|conclude|say)|\bstrengths? of (?:this|our|the)|\bstatistical power|\b(?:under)?powered\b|\bbias(?:ed|es)?\b|\bconfound|\bnot (?:possible|able|feasible) to\b|\bit is (?:worth|important to|interesting to|noteworthy|notable|not clear|unclear|difficult)\b|\bmissing data\b|\btype (?:I|II|1|2) error|\bself-report(?:ed)? (?:data|measures?|instruments?|questionnaires?)\b|\bvalidity\b|\breliability\b/i,
  ],
  [
    'recommendation',
    'says what ought to be done',
    /\bshould\b|\bought to\b|\bmust\b|\brecommend|\bwe (?:suggest|propose|advise|advocate|encourage|believe|think|feel|argue|speculate|cannot|could not|were unable|note|acknowledge|recogni[sz]e)\b|\bneeds? to\b|\b(?:clinicians?|physicians|practitioners|policy ?makers?|health professionals) (?:can|may|could|might|need|to)\b|\b(?:is|are|seems?|appears?) (?:\w+ )?(?:important|necessary|essential|crucial|imperative|advisable|reasonable|desirable|worthwhile) (?:to|that|for)\b|\bimplications?\b|\bcould be (?:used|considered|recommended|implemented|useful|a)|\bcan be (?:used|considered|recommended|applied|implemented)\b|\b(?:warrants?|deserves?|merits?)\b/i,
  ],
  [
    'speculation',
    'guesses at a reason',
    /\b(?:it is|it may be|it might be|it could be|it seems|it appears) (?:\w+ )?(?:that|possible|plausible|conceivable|likely|probable|tempting|unlikely)\b|\b(?:possibl[ey]|plausibl[ey]|perhaps|presumabl[ey]|conceivabl[ey]|probabl[ey]|(?<!(?:more|less|as|equally) )likely|unlikely|speculat\w+|explanation|explain(?:s|ed)? (?:by|why|the|this|our)|mechanisms? (?:by|for|of|that|underlying|behind|may|could)|attributed to|attributable to|due to the fact|ascribed to|one reason|reasons? (?:for|why)|(?:may|might|could) have been|may be (?:due|because|related|explained|attributed|a result|caused|partly|that)|might (?:be|have|explain|also|reflect|lead|not)|could (?:be (?!demonstrated|seen|shown|observed|detected|found)|have|explain|also|reflect|lead|not|potentially)|may (?:have|explain|also|reflect|partly|indicate|not|help|contribute|lead|play|provide|affect|act|result)|would (?:suggest|appear|seem|imply|indicate)|in theory|theoretically)\b/i,
  ],
];

/** Who took part and how it went: worth telling only where a question asks for it. */
const PROCESS =
  /^baseline\b|\b(?:adher(?:ed|ing) to|baseline (?:concentrations?|status|characteristics|data|values?|demographics?|differences?|measure\w*|scores?|levels?|assessments?)|(?:at|for|of) (?:the )?(?:baseline|study entry|enrol?ment)(?! to| and| compared|,? \d)|mean age|average age|median age|aged? (?:between|from|range|was|were)|years of age|demographic|(?:were|was) (?:male|female|women|men|white|Caucasian|black|boys|girls|married|smokers|obese|overweight|right-handed|healthy|well matched|comparable at)|majority (?:of|were)|drop(?:ped)?[- ]?outs?|withdr[ea]w\w*|lost to follow|(?:more|less) likely to (?:have )?(?:complete|attend|respond|enrol|drop|use|participate|revisit|log|return|engage|initiate|start|finish)\w*|discontinued|completers|attrition|retention|response rates?|respon(?:ded to|dents)|recruit\w*|enrol\w*|consent\w*|randomly|screened|eligible|excluded|exclusion|were included|questionnaires? (?:was|were)|interview\w*|fidelity|usability|logged|log-?ins?|website visits|dose delivered|sensitivity analys\w+|multiple comparisons|normally distributed|subgroup analys\w+|participants (?:were|had) (?:\w+ )?(?:mean|aged))\b/i;

/** The same words beside a compared figure may tell who had the result; as the subject of a sentence they are the subject. */
const PROCESS_SUBJECT =
  /\b(?:adher\w*|complian\w*|complied|attend(?:ed|ance)\w*|satisf(?:ied|action)|acceptab\w*|acceptan\w*|feasib\w*|toler\w+|completion|completed|allocated|assigned|randomi[sz]\w+|intention[- ]to[- ]treat|per[- ]protocol|protocol|sensitivity|adjust(?:ed|ing|ment) for|engagement|usage|participation|uptake|(?:participants|subjects|women|men|patients|boys|girls|children) (?:had at least|lived|enjoyed|found|liked|preferred|rated|reported (?:that|being)))\b/i;

/** `Women assigned to walking gained …` has women for its subject. */
const PUT_SOMEWHERE = /\b(?:assigned|allocated|randomi[sz]ed) (?:to|into)\b/i;

/** How it was done; a sentence with the words of a tested result is none. */
const METHOD =
  /\b(?:was|were|is|are|been|being) (?:\w+ly )?(?:measured|assessed|recorded|collected|obtained|calculated|performed|instructed|asked|invited|analy[sz]ed|conducted|administered|tested|determined|evaluated|adjusted|approved|carried out|blinded|defined|classified|categori[sz]ed|divided|selected|computed|expressed|presented|provided|given|informed|monitored|examined|investigated|compared|used|applied|offered|delivered|supervised|scheduled|stored|centrifuged|purchased|prepared|taken|drawn|weighed|estimated using|modell?ed|entered|coded|rated|scored|set at|based on|derived from|summari[sz]ed|reported as|tested for|permitted|allowed|encouraged|trained|followed|matched|stratified|required to)\b|\bwe (?:used|measured|assessed|compared|calculated|performed|conducted|analy[sz]ed|tested|recruited|examined|investigated|evaluated|estimated|included|excluded|collected|applied|adjusted|defined|also (?:examined|assessed|tested)|randomi[sz]ed|asked|designed|developed|adopted|employed|chose|selected|studied|explored)\b|\b(?:participants|subjects|patients|volunteers|groups?|women|men|children|arm) (?:\w+ ){0,2}(?:received|performed|underwent|consumed|ingested|attended|participated|took|wore|trained|exercised|visited|completed|consisted|ate|drank|reported to|comprised|followed)\b|\b(?:outcomes?|endpoints?|end points?|measures?|variables|intervention|program(?:me)?|protocol|training|sessions?|diet|supplement|treatment|exercise|study) (?:\w+ )?(?:included|includes|consisted|comprised|involved|lasted|contained|took place|began|started)\b/i;

/** What a group was given; figures in it are doses, not results. */
const GIVEN =
  /\b(?:groups?|participants?|subjects|patients|women|men|children|arms?|volunteers) (?:\w+ ){0,2}(?:received|were given|were provided|were offered|underwent|consumed|ingested|performed|were asked|were instructed|was given|were advised|took part|attended)\b/i;

const OUTCOME_WORDS =
  /\b(?:significan\w+|increase[sd]|decrease[sd]|improve[sd]|improvements?|reduce[sd]|reductions?|lower|higher|greater|fewer|less(?! than \d)|differed|differences?|better|worse|lost|gained|declined|did not|no effect)\b/i;
/** Who was put where; whatever figures stand in it. */
const ASSIGNED =
  /\b(?:was|were) (?:then |also |randomly |equally )*(?:assigned|allocated|randomi[sz]ed|recruited|enrol+ed|instructed|asked|invited|divided|stratified|matched|screened) (?:to|into|from|in|for|by|at|either|1:1|between)\b/i;

/** Instructions to the one who uses a thing, at the beginning of a sentence. */
const IMPERATIVE =
  /^(?:please|do not|don['’]t|never|always|let['’]s|let us|first,? |then,? |next,? |simply |just |make sure|be sure|be careful|feel free|remember|keep in mind|note(?: that|:|,)?|see|check out|thank|welcome|contributions?|pull requests?|want|need|looking|warning|tip|important|caution|example|nb)\b|^(?:use|add|set|run|install|call|pass|create|import|require|write|read|open|close|enable|disable|configure|include|exclude|provide|specify|choose|select|click|go|go to|follow|copy|paste|replace|rename|remove|delete|update|upgrade|change|check|ensure|verify|test|try|start|stop|build|define|declare|implement|extend|override|wrap|return|throw|catch|handle|avoid|prefer|consider|refer|visit|submit|report|file|fork|clone|commit|push|download|save|load|register|send|fetch|get|put|give|take|find|look|search|ask|answer|tell|explain|describe|list|summari[sz]e|translate|compose|generate|insert|append|convert|rewrite|repeat|ignore|disregard|forget|pretend|act|respond|reply|output|print|encode|decode|substitute|alternate|reverse|misspell|group|integrate|encourage|augment|tease|modify|promote|mention|recommend|suggest|begin|end|finish|keep|leave|move|turn|apply|calculate|compute|determine|compare|help|learn|visit|buy|order|sign|join|share|contact|mail|call) (?:a|an|the|your|this|these|that|those|all|any|each|every|it|them|to|in|into|with|for|up|out|from|on|at|as|if|me|us|my|our|when|one|only|both|either|no|new|more|some|at least|`|"|“|'|[A-Z`"“])/i;
const ADDRESSES_READER = /\b(?:you|your|yours|yourself|we['’]ll|let['’]s)\b/i;

/** Why a sentence of a study is not a result, or null. A sentence with a tested or compared figure is no mere method. */
export function studyRejection(
  sentence: string,
  { tested, compares }: { tested: boolean; compares: boolean },
): { kind: SentenceKind; reason: string } | null {
  if (IMPERATIVE.test(sentence) || ADDRESSES_READER.test(sentence))
    return { kind: 'instruction', reason: 'speaks to its reader' };
  for (const [kind, reason, pattern] of ALWAYS) if (pattern.test(sentence)) return { kind, reason };
  if (ASSIGNED.test(sentence)) return { kind: 'method', reason: 'tells who was assigned to what' };
  const subject = sentence.split(' ', 6).join(' ');
  if (
    PROCESS_SUBJECT.test(subject.replace(PUT_SOMEWHERE, '')) ||
    (!tested && !compares && PROCESS_SUBJECT.test(sentence))
  ) {
    return { kind: 'process', reason: 'tells who took part and how it went' };
  }
  if (PROCESS.test(sentence)) return { kind: 'process', reason: 'tells who took part and how it went' };
  if (GIVEN.test(sentence) && !OUTCOME_WORDS.test(sentence))
    return { kind: 'method', reason: 'tells what was given to whom' };
  if (!tested && !(compares && OUTCOME_WORDS.test(sentence)) && METHOD.test(sentence))
    return { kind: 'method', reason: 'tells how it was done' };
  return null;
}

/** Why a sentence of a document is not an assertion about its subject, or null. */
export function documentRejection(sentence: string): { kind: SentenceKind; reason: string } | null {
  if (IMPERATIVE.test(sentence)) return { kind: 'instruction', reason: 'tells its reader what to do' };
  if (
    /\b(?:your (?:response|reply|answer)|system prompt|language model|as an ai|ignore (?:all|previous))\b/i.test(
      sentence,
    )
  ) {
    return { kind: 'instruction', reason: 'speaks to a model' };
  }
  if (
    /\b(?:should|must|need to|needs to|have to|recommend\w*|make sure|ensure that you)\b/i.test(sentence) &&
    ADDRESSES_READER.test(sentence)
  ) {
    return { kind: 'recommendation', reason: 'tells its reader what to do' };
  }
  if (
    /\b(?:i|i['’]m|i['’]ve|my|me|we['’]re|thanks|sponsor\w*|donat\w*|licen[cs]ed|copyright|issue tracker|pull requests?|contribut\w+|roadmap|coming soon|planned|will be (?:added|removed|released|supported)|deprecated)\b/i.test(
      sentence,
    )
  ) {
    return { kind: 'no-result', reason: 'speaks of the project, not of what it does' };
  }
  if (
    /\b(?:in (?:this|the (?:above|following|example))|(?:the )?(?:example|snippet|code|output)s? (?:above|below|shows?|will|would)|for example:|e\.g\.:|example (?:usage|of))\b/i.test(
      sentence,
    )
  ) {
    return { kind: 'dangling', reason: 'belongs to an example' };
  }
  return null;
}
