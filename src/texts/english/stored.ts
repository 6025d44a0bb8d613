import type { Template } from '../template';

/**
 * What is stored with what a run finds, before anybody writes a text of it: why something is open, why sources differ, what a verdict
 * rests on, what a pass could not do. It is stored in English, whatever the run's language, so that what is read, compared and
 * decided is the same in each; who writes a text says it in the run's.
 */
export const stored = {
  // Counts that stand in others.
  sources: { one: '{n} source', other: '{n} sources' },
  sentences: { one: '{n} sentence', other: '{n} sentences' },
  against: '{count} against {counts}',
  first: 'first',
  second: 'second',
  third: 'third',
  fourth: 'fourth',
  fifth: 'fifth',

  // The outline of an engine that plans without a model, and where a pass fails.
  reportedBySources: 'What the sources report',
  furtherResults: 'Further results',
  themeOfTitles: 'The sources deal with {titles}.',
  themeOfQuotes: 'What follows is quoted from the sources that bear on the question most.',
  themeOfAll: {
    one: 'What the only source says on the question, not grouped by themes.',
    other: 'What all {n} sources say on the question, not grouped by themes.',
  },
  nothingAnswers: 'No source addresses the question.',
  notAddressed: 'No source addresses “{question}”.',
  notSurveyed: 'The run ended before the sources were surveyed.',

  // What is open, and why.
  isKnownOf: 'What is known about “{phrase}”?',
  notMentioned: 'No source mentions it: not a word of it stands in {searched}.',
  comparedWith: 'The question compares it with “{other}”, but it is not mentioned in {searched}.',
  searched: {
    one: 'the one source, which was searched',
    other: 'any of the {n} sources, all of which were searched',
  },
  isFoundOn: 'What do the sources find on “{phrase}”?',
  notTold:
    'It is mentioned in {sentences} of the {sources}, but none of the {findings} findings tells of it.',
  noFigure: {
    one: 'An amount is asked for. The only finding gives no figure.',
    other: 'An amount is asked for. None of the {n} findings gives a figure.',
  },
  resultOnIt: 'Studies on just this?',
  noneTells:
    'Of the {sources} that are quoted none was recognised as telling a result on what is asked; some may, in other words.',
  moreOnIt: 'More studies on just this?',
  oneTells:
    'Of the {sources} that are quoted one was recognised as telling a result on what is asked; others may, in other words.',
  saidAbout: 'What do the sources say about {title}?',
  noSentence: 'They deal with it, but no sentence of theirs was found that answers the question.',
  saidByOthers: 'What do other sources say about {title}?',
  fromOneSource: 'All {n} findings on it come from the same source.',
  foundByOthers: 'Do other sources find the same on {title}?',
  notConfirmed: 'Each of the {n} findings rests on one source.',
  whoIsRight: 'Which of the sources are right about {topic}?',
  nothingFavours: 'They contradict each other ({counts}), and nothing favours one side.',
  firstControlled: 'The first view rests on a study with controls, the second on one without.',
  secondControlled: 'The second view rests on a study with controls, the first on one without.',
  leftOpen: 'Left open by a source: “{quote}”',
  noFinding: 'The source says so of itself; it is no finding of this report.',
  saidOn: 'What do sources say on {title}?',
  notWritten: 'The report was to have a section on this; nothing was found for it that could be quoted.',
  notQuoted: 'Nothing that could be quoted on it was found in {given}.',
  given: { one: 'the one source', other: 'the {n} sources' },
  notAnswered: 'No source that was read answers it.',

  // Where sources differ, and what to ask next.
  answerTo: 'the answer to “{question}”',
  valueIn: 'the value in {unit}',
  otherDates: 'The sides give different dates for {topic}: {one} and {other}.',
  otherFigures: 'The sides give different figures for {topic}: {one} and {other}.',
  otherConditions: 'What they say of {topic} holds under conditions that exclude each other.',
  denied: 'On {topic}, one side denies what the other says.',
  effectOrNone: 'On {topic}, one side reports an effect or a difference, the other none.',
  opposite: 'On {topic}, the sides report opposite effects.',
  otherAnswers: 'The sources give different answers, or speak of different things by one name.',
  noReason: 'The sources give no reason for the difference.',
  oneIsAuthoritative: 'Only the {ordinal} view rests on a source rated authoritative.',
  moreStandBehind: '{most} sources stand behind the {ordinal} view, {others} behind the other.',
  askConditions: 'Under which conditions does what sources report on {subject} hold?',
  askFigures: 'Which of the figures given for {subject} holds, and for what?',
  askDisagreement: 'What explains that sources disagree on {subject}?',
  askOthers: 'Which sources outside this collection answer “{question}”?',

  // Who stands behind a source, in the words of the rules that ship.
  rated: '{host}: {reason}',
  noAddress: 'no address by which its publisher could be told',
  noWebAddress: 'no web address',
  unknownPublisher: 'a web page, nothing known of its publisher',
  anybody: 'pages that anybody can write or share',
  blogPlatform: 'a blog platform',
  forum: 'a forum or social network',
  blog: 'a blog or forum',
  personal: 'a personal page',
  preprints: 'a preprint server: not peer-reviewed',
  openEncyclopaedia: 'an encyclopaedia that anybody can edit',
  press: 'a press release service',
  archive: 'an archive of peer-reviewed journals',
  registered: 'a registered scholarly publication',
  reviews: 'systematic reviews',
  journals: 'a publisher of peer-reviewed journals',
  standards: 'a body that sets standards',
  international: 'an international public body',
  authority: 'a public authority',
  university: 'a university or college',
  documentation: 'official documentation',

  // Why a claim has its verdict.
  quotes: {
    one: 'The claim quotes its source word for word.',
    other: 'The claim quotes {n} sources word for word.',
  },
  quotesCited: 'It quotes what it cites word for word.',
  counts: 'It counts what its {n} sources say, and so many of them say so.',
  keepsToWords: 'It keeps to the words of what it cites.',
  claimKeepsToWords: 'The claim keeps to the words of what it cites.',
  confirmed: 'A critic confirmed the claim with a quote of what it cites.',
  inferred: 'No source says it; it follows from what is cited.',
  partly: 'A critic found only a part of it in what it cites.',
  saysOtherwise: 'A critic found that what it cites says otherwise.',
  saysNothing: 'A critic found that nothing it cites says this.',
  criticFailed:
    'Words alone cannot tell, and the critic that refused it refused a quote word for word as well.',
  quotesSources: {
    one: 'It quotes its source word for word.',
    other: 'It quotes its sources word for word.',
  },
  isStatement: 'The claim is a statement of the summaries word for word.',
  notGiven: 'What it cites is not among the given sources.',
  notFetched: 'A page that it cites could not be fetched, and may say it.',
  notInTexts: 'The texts that were given do not hold it, and others that it cites were not given.',
  wordsCannotTellOfSource: 'Words alone cannot tell whether the text of its source bears it.',
  answerNotAudited: 'The claim was not audited.',
  notAudited: 'The claim is not a quotation and was not audited.',
  noCritic: 'Words alone cannot tell, and no critic was asked.',
  noText: 'The text of what it cites is not there.',
  tooShort: 'It has fewer than three words that could be compared.',
  numberAbsent: '“{number}” stands nowhere in what it cites.',
  nameAbsent: 'What it cites does not name “{name}”.',
  hardlySaid: 'Hardly any of what it says is said in what it cites.',
  wordsCannotTell: 'What it cites is about the same, but words alone cannot tell whether it says so.',
  otherWord: 'It says “{word}”, which the sentence that it keeps to does not.',
  exchanged: 'It says “{said}” where what it cites says “{cited}”.',
  denies: 'It denies with “{word}” what the source that it cites does not deny.',
  leavesOut: 'It leaves out the “{word}” of what it cites.',
  saidElsewhere: 'What it cites hardly says so; another source does: “{quote}”.',

  // What goes on in a run, and what it waits for.
  gathering: { one: 'Gathering {n} source…', other: 'Gathering {n} sources…' },
  analysing: { one: 'Analyzing themes across {n} source…', other: 'Analyzing themes across {n} sources…' },
  deepDiving: { one: 'Deep diving into top {n} source…', other: 'Deep diving into top {n} sources…' },
  validating: 'Validating findings and checking for conflicts…',
  generating: 'Generating comprehensive report…',
  answering: 'Answering…',
  searching: 'Searching {indexes}…',
  readingFound: 'Reading what the search found: {pages} of {all} pages…',
  readingTheSubtopics: 'Reading the subtopics…',
  readingSubtopics: { one: 'Reading {n} subtopic…', other: 'Reading {n} subtopics…' },
  checkingSummary: {
    one: 'Checking {at} of {n} summary against their sources…',
    other: 'Checking {at} of {n} summaries against their sources…',
  },
  planningBrief: 'Planning the brief…',
  writingBrief: 'Writing the brief…',
  writingPart: 'Writing part {at} of {all}…',
  judgingBrief: 'Judging the brief…',
  judgingVersion: 'Judging version {version} of the brief…',
  revisingBrief: 'Revising the brief: version {version}…',
  puttingTogether: 'Putting the brief together…',
  modelEndpoint: 'the model endpoint',
  theStore: 'the store',
  workerForModels: 'a worker that asks models',
  workerForStep: 'a worker that can do the step',
  workerForRun: 'a worker that takes it up',
  worker: 'a worker',
  resumption: 'somebody to resume it',
  approval: 'somebody to approve of its outline',
  noWorkerAnswers: 'No worker answers at the moment; this is what the server and the event log say.',
  overCompressed: 'the evidence was over-compressed',
  claimsNotSupported: 'claims are not supported by what they cite',
  notEnoughSaid: 'the passages do not say enough',
  sameAgain: 'the writer would write the same again',
  noAttemptLeft: 'no attempt is left',
  noMoreToSearch: 'there is no more to look through',
  isSupported: 'what it says is supported',

  // Where something stands in a source that has no pages.
  slide: 'slide {n}',
  row: 'row {n}',
  rows: 'rows {from}–{to}',
  sheet: 'sheet “{name}”',
  inSheet: 'sheet “{name}”, {rows}',

  // Why a report is not whole.
  cancelled: 'The run was cancelled before it was finished.',
  timeIsUp: 'The time allowed for the run was over before it was finished.',
  withoutModel: {
    one: 'One step could not be left to the model, for the reasons that the warnings give, and was done without it.',
    other:
      '{n} steps could not be left to the model, for the reasons that the warnings give, and were done without it.',
  },
  notSearched: 'Nothing could be searched ({reason}): what is said rests on the sources that were given.',
  nothingFound: 'Nothing was found to read: {nothing}.',
  notSearchedAgain: 'What the findings leave open could not be searched for ({reason}).',
  reportUntilThen: 'so the report has what there was until then',
  briefUntilThen: 'so the brief has what there was until then',
  replyUntilThen: 'so the reply has what there was until then',
  answerNotFinished: 'The answer could not be finished ({reason}), {instead}.',
  summaryAt: 'summary {at} of {all}',
  part: 'part {at} of {all}',
  summaryNotChecked:
    'Pass 0 could not check {summary} against its sources ({reason}); its statements stand as they were given.',
  partNotAudited:
    'Pass 2 could not audit {part} ({reason}); what does not keep to the words of what it cites was replaced by those.',
  partNotWritten: 'Pass 2 could not write {part} ({reason}), so it is missing.',
  notFinished: 'Pass {pass} could not be finished ({reason}), {instead}.',
  readByWords: 'Sentences were chosen by their words, not by what they mean: {lack}.',
  section: 'section {at} of {all}',
  summary: 'the summary',
  addedNotRead: 'Added sources could not be read for {section} ({reason}).',
  addedNotChecked:
    'What added sources say to {section} could not be checked against the others ({reason}); it is marked.',
  addedNotScored:
    'Added sources could not be scored for the sections ({reason}); they count for those whose words they share.',
  notReconciled:
    'Pass 3 could not hold the findings against each other ({reason}), so they are not validated: repeats, conflicts and gaps were not looked for.',
  notChecked:
    'Pass 3 could not check the findings of {section} against further sources ({reason}); they are marked.',
  noSupport: 'Pass 3 could not seek further support for the major findings ({reason}).',
  notRanked:
    'Pass 2 could not rank the sources by what they gave ({reason}); they are checked in the order of the outline.',
  notRead:
    'Pass 2 could not read the sources ({reason}), so the report rests on the outline and the summaries.',
  sectionNotRead:
    'Pass 2 could not read the sources of {section} ({reason}), so it rests on their summaries.',
  partlyRead: 'Pass 2 could not read some of the sources of {section} ({reason}).',
  notPlanned:
    'Pass 1 could not plan the report ({reason}), so it has one section, on the question as a whole.',
  notScored:
    'Sources {from}–{to} could not be scored for the sections ({reason}); they count for those that the outline named them in.',
  noSummary: 'Pass 4 could not write the summary ({reason}); the report opens with its overall theme.',
  auditFailed:
    "Pass 4 could not audit {text} ({reason}); what does not keep to the words of what it cites was replaced by its findings' own words.",
  sectionNotWritten: 'Pass 4 could not write {section} ({reason}), so its findings are listed instead.',
} as const satisfies Record<string, Template>;
