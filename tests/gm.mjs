// tests/model-server/serve-good-model.ts
import { setTimeout as delay } from "node:timers/promises";

// src/contracts/judge/dimensions.ts
import { z } from "zod";
var JUDGE_DIMENSIONS = ["factualAccuracy", "completeness", "coverage", "coherence", "bias"];
var JudgeDimension = z.enum(JUDGE_DIMENSIONS);
var JudgeScore = z.number().min(1).max(5);
var JudgeScores = z.object({
  factualAccuracy: JudgeScore,
  completeness: JudgeScore,
  coverage: JudgeScore,
  coherence: JudgeScore,
  bias: JudgeScore
});

// src/language/data/abbreviations.json
var abbreviations_default = {
  about: "What English and German shorten with a full stop, as it stands before it, and which of it also stands at the end of a sentence; from the usual lists of dictionaries.",
  abbreviations: [
    "Dr",
    "Mr",
    "Ms",
    "Prof",
    "St",
    "Sr",
    "Jr",
    "v",
    "viz",
    "cf",
    "ca",
    "approx",
    "resp",
    "incl",
    "Fig",
    "Tab",
    "Eq",
    "Ref",
    "No",
    "Vol",
    "sp",
    "spp",
    "p",
    "pp",
    "e.g",
    "i.e",
    "Dept",
    "Univ",
    "z",
    "bzw",
    "vgl",
    "ggf",
    "evtl",
    "bspw",
    "inkl",
    "Nr",
    "Mio",
    "Mrd"
  ],
  alsoAtTheEnd: ["al", "etc", "Inc", "Ltd", "Co", "Corp", "a.m", "p.m"]
};

// src/language/tokens.ts
var BEYOND_SPACED = /[\u0e00-\u1fff\u2e80-\uffff]/;
var UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
function isUnspaced(text) {
  return BEYOND_SPACED.test(text) && UNSPACED.test(text);
}

// src/language/sentences.ts
var segmenter;
var CANDIDATE = /[.!?…]+["'”’»)\]]*(?=\s|$)|\n|[.!?](?=\p{Lu}\p{Ll}+[ ,]|(?:In|No|We|It|At|A|An|The) )/gu;
var SHORTENED = abbreviations_default.abbreviations.map(withoutMeaning).join("|");
var ALSO_AT_THE_END = abbreviations_default.alsoAtTheEnd.map(withoutMeaning).join("|");
var CLOSED = String.raw`\.["'”’)\]]*$`;
var ABBREVIATION = new RegExp(
  String.raw`(?:^|[\s([])(?:(?:${SHORTENED})s?|${ALSO_AT_THE_END}|[A-Z]|[A-Z]\.[A-Z])${CLOSED}`
);
var MAY_END = new RegExp(String.raw`\b(?:${ALSO_AT_THE_END})${CLOSED}`);
var CONTINUATION = /^(?:\p{Ll}(?!\p{Lu})|[<=>≤≥±%,;:)\]])/u;
var UNCASED_CONTINUATION = /^[<=>≤≥±%,;:)\]]/;
var SPACE = /\s/;
var LIST_MARKER = /^(?:[-*+•✔✓▪◦‣]|\d{1,2}[.)])[ \t]+|^>[ \t]?/;
var BLOCK_START = /^(?:[-*+•✔✓▪◦‣>|]|\d{1,2}[.)])(?:\s|$)|^[|#]/;
var MAX_WRAPPED_LINE = 130;
var MIN_WRAPPED_LINE = 40;
function splitSentences(text) {
  if (isUnspaced(text)) return segmented(text);
  const continuation = /\p{Lu}/u.test(text) ? CONTINUATION : UNCASED_CONTINUATION;
  const spans = [];
  let start = 0;
  const flush = (end) => {
    let from = start;
    while (from < end && SPACE.test(text.charAt(from))) from += 1;
    const marker = LIST_MARKER.exec(text.slice(from, Math.min(end, from + 8)));
    if (marker && (from === 0 || text.lastIndexOf("\n", from) >= start || text[from - 1] === "\n"))
      from += marker[0].length;
    let to = end;
    while (to > from && SPACE.test(text.charAt(to - 1))) to -= 1;
    if (to > from) spans.push({ start: from, end: to, text: text.slice(from, to) });
    start = end;
  };
  for (const match of text.matchAll(CANDIDATE)) {
    const end = match.index + match[0].length;
    if (match[0] === "\n" ? endsAtLineBreak(text, start, match.index, continuation) : endsAtPoint(text, start, match.index, end, continuation))
      flush(end);
  }
  flush(text.length);
  return spans;
}
function segmented(text) {
  segmenter ??= new Intl.Segmenter("und", { granularity: "sentence" });
  return [...segmenter.segment(text)].flatMap(({ segment, index }) => {
    const inside = segment.trim();
    const start = index + (segment.length - segment.trimStart().length);
    return inside === "" ? [] : [{ start, end: start + inside.length, text: inside }];
  });
}
function endsAtPoint(text, start, at, end, continuation) {
  let next = end;
  while (next < text.length && SPACE.test(text.charAt(next))) next += 1;
  if (next >= text.length) return true;
  if (next === end) return endsGlued(text, start, at, end);
  const following = text.slice(next, next + 2);
  const breaksLine = text.slice(end, next).includes("\n");
  if (continuation.test(following)) return breaksLine && BLOCK_START.test(following);
  if (text[at] !== ".") return true;
  const open = text.slice(Math.max(start, at - 14), end);
  if (!ABBREVIATION.test(open)) return !/^\s*\d{1,2}\.$/.test(text.slice(start, end));
  return MAY_END.test(open) && /\p{Lu}/u.test(following);
}
function endsGlued(text, start, at, end) {
  const before = /(?:^|[\s(])(?:\p{Ll}{3,}|[\d.]+\)|[^\s()]*\d%|\p{Ll}+\))$/u.exec(
    text.slice(Math.max(start, at - 30), at)
  );
  return before !== null && /^\p{Lu}\p{Ll}*[ ,]/u.test(text.slice(end, end + 24));
}
function endsAtLineBreak(text, start, at, continuation) {
  const line = text.slice(Math.max(start, text.lastIndexOf("\n", at - 1) + 1), at).trim();
  let stop = text.indexOf("\n", at + 1);
  if (stop < 0) stop = text.length;
  const next = text.slice(at + 1, stop).trim();
  if (line === "" || next === "") return true;
  if (BLOCK_START.test(next)) return true;
  if (/[.!?…]["'”’»)\]]*$/.test(line)) return !continuation.test(next);
  if (/:$/.test(line)) return true;
  if (continuation.test(next)) return line.length > MAX_WRAPPED_LINE * 2;
  return line.length < MIN_WRAPPED_LINE || line.length > MAX_WRAPPED_LINE;
}
function withoutMeaning(abbreviation) {
  return abbreviation.replaceAll(".", String.raw`\.`);
}

// tests/model-server/model-server.ts
import { createServer } from "node:http";
async function startModelServer(script = [], options = {}) {
  const prefix = options.prefix ?? "/v1";
  const requests = [];
  const asked = [];
  const queue = typeof script === "function" ? null : [...script];
  const failures = [];
  const behave = async (request, response) => {
    const path = request.path.replace(/\?.*$/s, "");
    if (request.method === "GET" && path === `${prefix}/models` && options.models) {
      sendJson(response, 200, {
        object: "list",
        data: options.models.map((id) => ({ id, object: "model" }))
      });
      return;
    }
    if (request.method === "POST" && path === `${prefix}/embeddings` && options.embeddings) {
      await options.embeddings(request, response);
      return;
    }
    if (request.method !== "POST" || path !== `${prefix}/chat/completions`) {
      sendJson(response, 404, { error: { message: `Nothing is at ${request.method} ${path}` } });
      return;
    }
    const index = asked.push(request) - 1;
    const behaviour = typeof script === "function" ? script(request, index) : queue?.shift();
    if (behaviour === void 0) {
      const message = `The model server's script has no behaviour for request ${index + 1}`;
      failures.push(message);
      sendJson(response, 500, { error: { message } });
      return;
    }
    await behaviour(request, response);
  };
  const server = createServer((incoming, response) => {
    const closed = new Promise((resolve) => response.once("close", resolve));
    void readBody(incoming).then((body) => {
      const request = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        body,
        closed
      };
      requests.push(request);
      return behave(request, response);
    }).catch((error) => {
      if (response.destroyed) return;
      failures.push(`A behaviour of the model server failed: ${String(error)}`);
      response.destroy();
    });
  });
  const listen = (on) => new Promise((resolve) => server.listen(on, "127.0.0.1", resolve));
  const goAway = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  await listen(0);
  const { port } = server.address();
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    baseUrl: `${origin}${prefix}`,
    requests,
    asked,
    add: (...behaviours) => {
      if (queue === null) throw new Error("A scripted function takes no further behaviours");
      queue.push(...behaviours);
    },
    goAway,
    comeBack: () => listen(port),
    close: async () => {
      await goAway();
      if (failures.length > 0) throw new Error(failures.join("\n"));
    }
  };
}
function sendJson(response, status, body, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
async function readBody(incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return typeof body === "object" && body !== null ? body : null;
  } catch {
    return null;
  }
}

// tests/model-server/behaviours.ts
var USAGE = { prompt_tokens: 11, completion_tokens: 7 };
function answers(text, parts = {}) {
  return (request, response) => {
    if (request.body?.["stream"] !== true) {
      sendJson(response, 200, completion(text, parts));
      return;
    }
    const events = [...streamOf(request, text, parts), "[DONE]"];
    if (parts.halfway === void 0) {
      sendEvents(response, events);
      return;
    }
    const half = Math.ceil(events.length / 2);
    openStream(response);
    for (const event of events.slice(0, half)) response.write(eventOf(event));
    return parts.halfway().then(() => {
      for (const event of events.slice(half)) response.write(eventOf(event));
      response.end();
    });
  };
}
function delta(content, finishReason = null) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: { content }, finish_reason: finishReason }]
  };
}
function completion(text, parts = {}) {
  const usage = parts.usage === void 0 ? USAGE : parts.usage;
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text,
          ...parts.reasoning === void 0 ? {} : { reasoning_content: parts.reasoning }
        },
        finish_reason: parts.finishReason === void 0 ? "stop" : parts.finishReason
      }
    ],
    ...usage ? { usage } : {}
  };
}
function streamOf(request, text, parts) {
  const pieces = parts.pieces ?? text.match(/[^]{1,7}/g) ?? [];
  const usage = parts.usage === void 0 ? USAGE : parts.usage;
  const options = request.body?.["stream_options"];
  const includesUsage = typeof options === "object" && options !== null && "include_usage" in options && options.include_usage;
  return [
    { choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] },
    ...parts.reasoning === void 0 ? [] : [{ choices: [{ index: 0, delta: { reasoning_content: parts.reasoning } }] }],
    ...pieces.map((piece) => delta(piece)),
    {
      choices: [
        {
          index: 0,
          delta: {},
          finish_reason: parts.finishReason === void 0 ? "stop" : parts.finishReason
        }
      ]
    },
    ...usage && includesUsage === true ? [{ choices: [], usage }] : []
  ];
}
function openStream(response) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
}
function sendEvents(response, events) {
  openStream(response);
  for (const event of events) response.write(eventOf(event));
  response.end();
}
function eventOf(event) {
  return `data: ${typeof event === "string" ? event : JSON.stringify(event)}

`;
}

// tests/model-server/prompt-material.ts
var OPENINGS = [
  ["You prepare sources", "summarise"],
  ["You plan a research report", "outline"],
  ["You join plans", "merge-outlines"],
  ["You score how much sources", "score-relevance"],
  ["You read sources for", "extract-findings"],
  ["You validate the findings", "cross-check"],
  ["A reader asks:", "write-text"],
  ["These are the numbered sentences", "audit-text"],
  ["You wrote a text that answers", "mend-text"],
  ["You plan a brief", "plan-brief"],
  ["You write a brief", "write-brief"],
  ["You write one part of a brief", "write-brief-part"],
  ["You audit whether sentences", "audit"],
  ["You answer a question from", "answer"],
  ["You shorten passages for", "compress"],
  ["You word a question otherwise", "rewrite-question"],
  ["You judge finished texts", "judge"]
];
function stepOfPrompt(...messages) {
  const text = `
${messages.join("\n")}`;
  const places = OPENINGS.map(([opening2, step]) => ({ step, at: text.lastIndexOf(`
${opening2}`) }));
  const last = places.reduce((one, other) => other.at > one.at ? other : one);
  if (last.at < 0) throw new Error(`No step says so: ${text.slice(0, 60)}`);
  return last.step;
}
function materialIn(prompt) {
  const pieces = prompt.matchAll(/^=== ([0-9a-f]{16}) (?!end )(.+?) ===\n([^]*?)\n=== \1 end ===$/gm);
  return new Map([...pieces].map(([, , name = "", text = ""]) => [name, text]));
}
function lineOf(prompt, label) {
  return new RegExp(`^${label} (.*)$`, "m").exec(prompt)?.[1] ?? "";
}
function findingsIn(text) {
  const findings = [];
  let section = "";
  for (const line of text.split("\n")) {
    const title = /^\[(.+)\]$/.exec(line)?.[1];
    const opening2 = /^(F\d+)(?: \([^)]*\))?: (.*)$/.exec(line);
    const quoted = /^ {2}(S\d+).*?: “(.*)”$/.exec(line);
    if (title !== void 0) section = title;
    else if (opening2) {
      const [, source, quote] = /^(S\d+): “(.*)”$/.exec(opening2[2] ?? "") ?? [];
      const evidence = source === void 0 || quote === void 0 ? [] : [{ source, quote }];
      findings.push({ id: opening2[1] ?? "", claim: quote ?? opening2[2] ?? "", evidence, section });
    } else if (quoted) findings.at(-1)?.evidence.push({ source: quoted[1] ?? "", quote: quoted[2] ?? "" });
  }
  return findings;
}
function conflictsIn(text) {
  return text.split(/^- /m).slice(1).map(
    (conflict) => [...conflict.matchAll(/^ {2}view \d+: (S\d+): “(.*?)”(?=;|$)/gm)].map(
      ([, source = "", quote = ""]) => ({
        source,
        quote
      })
    )
  );
}
function sentencesIn(text) {
  return [...text.matchAll(/^(T\d+): (.*?)(?: \(noticed: (.*)\))?$/gm)].map(
    ([, id = "", said = "", noticed = ""]) => ({
      id,
      sources: [...said.matchAll(/\[(S\d+)\]/g)].map(([, source = ""]) => source),
      text: said.replace(/\s*\[S\d+\]/g, ""),
      noticed
    })
  );
}
function quotesIn(text) {
  return [...text.matchAll(/^(S\d+): “(.*)”$/gm)].map(([, source = "", quote = ""]) => ({ source, quote }));
}

// tests/model-server/good-answers.ts
var MOST_SENTENCES = 5;
var NO_TOPIC = /^(?:about|does|from|have|that|their|there|these|what|when|where|which|with)$/;
function answerFromPassages(prompt) {
  const question = lineOf(prompt, "The question:");
  const asked = topicOf(question);
  const found = numberedPassages(prompt).flatMap(
    ({ number, text }) => splitSentences(text).map((span) => ({
      number,
      sentence: span.text,
      shared: topicOf(span.text).filter((word) => asked.includes(word)).length
    }))
  ).filter(({ sentence, shared }) => shared > 0 && /[^?]$/.test(sentence)).sort((one, other) => other.shared - one.shared).slice(0, MOST_SENTENCES);
  const told = found.map(({ number, sentence }) => `${sentence.replace(/[.!]$/, "")} [${number}].`).join(" ");
  const missing = `Missing: I could not find anything on the question \u201C${question}\u201D`;
  const notes = prompt.includes('a line "ANSWER:"') ? "<think>Two documents agree.</think>\nANSWER:\n" : "";
  return `${notes}${told === "" ? missing : told}`;
}
function shortenedPassages(prompt) {
  const room = Number(/in fewer than (\d+) characters/.exec(prompt)?.[1] ?? 200);
  const lines = (materialIn(prompt).get("passages") ?? "").matchAll(/^(P\d+): (.*)$/gm);
  return {
    summaries: [...lines].map(([, passage = "", text = ""]) => {
      const sentences = splitSentences(text).map((span) => span.text);
      const figures = sentences.filter((sentence) => /\d/.test(sentence)).join(" ");
      const summary = figures === "" ? sentences[0] ?? "" : figures;
      return { passage, summary: summary.length <= room ? summary : summary.slice(0, room) };
    })
  };
}
function otherWordings(prompt) {
  const question = topicOf(lineOf(prompt, "The question:")).join(" ");
  const before = topicOf(lineOf(materialIn(prompt).get("conversation") ?? "", "asked:")).join(" ");
  return {
    queries: [before === "" ? "" : `${before} ${question}`, question].filter((query) => query !== "")
  };
}
function numberedPassages(prompt) {
  const passages = (materialIn(prompt).get("passages") ?? "").matchAll(/^\[(\d+)(?:: [^\]]*)?\].*\n(.*)$/gm);
  return [...passages].map(([, number = "", text = ""]) => ({ number, text }));
}
function topicOf(text) {
  return [...new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])].filter((word) => !NO_TOPIC.test(word));
}

// tests/model-server/good-texts.ts
var FRAME_WORDS = 150;
var QUOTED_WORDS = 12;
function writtenText(prompt) {
  const wanted = Number(/about (\d+) words/.exec(prompt)?.[1] ?? 1e3);
  const material = materialIn(prompt);
  const names = namesOf(prompt);
  const title = /^It begins with the line "## (.*?)" and covers/m.exec(prompt)?.[1] ?? /begins with the line "## (.*?)" and covers/.exec(prompt)?.[1];
  if (title !== void 0) {
    const told2 = findingsIn(material.get("findings") ?? "").map(({ evidence }) => sentenceOf(evidence, names));
    return `## ${title}

${paragraphs(withinWords(told2, wanted))}`;
  }
  const soFar = material.get("text so far");
  if (soFar !== void 0) {
    const sentences = splitSentences(soFar.replace(/^##.*$/gm, "")).map(({ text }) => text).filter((text) => /\[S\d+\]/.test(text));
    return framed(prompt, sentences.slice(0, 4), []);
  }
  const sources = sourcesOf(prompt);
  const planned = [...(material.get("notes") ?? "").matchAll(/^- ([^:\n]+): /gm)].map(([, one = ""]) => one);
  const told = /* @__PURE__ */ new Set();
  const sections = (planned.length === 0 ? ["What the sources report"] : planned).map((heading) => {
    const quotes = quotesOn(sources, wordsOf(heading)).filter(({ quote }) => !told.has(quote));
    for (const { quote } of quotes) told.add(quote);
    return { heading, sentences: quotes.map((quote) => sentenceOf([quote], names)) };
  });
  const share = Math.max(60, (wanted - FRAME_WORDS) / sections.length);
  const bodies = sections.filter(({ sentences }) => sentences.length > 0).map(({ heading, sentences }) => ({ heading, kept: withinWords(sentences, share) }));
  return framed(
    prompt,
    bodies.flatMap(({ kept }) => kept.slice(0, 1)).slice(0, 4),
    bodies.map(({ heading, kept }) => `## ${heading}

${paragraphs(kept)}`)
  );
}
function framed(prompt, bullets, sections) {
  return [
    `# What the sources report: ${lineOf(prompt, "A reader asks:").replace(/\?$/, "")}`,
    `## Executive Summary

${bullets.map((bullet) => `- ${bullet}`).join("\n")}`,
    ...sections,
    "## Limits and open questions\n\nThe sources differ in design.\n\n### Information Gaps\n\n- No source follows the participants for ten years."
  ].join("\n\n");
}
function namesOf(prompt) {
  return new Map(
    [...materialIn(prompt)].flatMap(([id, text]) => {
      if (!/^S\d+$/.test(id)) return [];
      const [described = ""] = text.split("\n");
      const surname = /author “(\p{Lu}[\p{L}'’-]+)/u.exec(described)?.[1];
      const year = /date “(\d{4})/.exec(described)?.[1];
      const name = surname === void 0 ? "One source" : `${surname} and colleagues`;
      return [[id, year === void 0 ? name : `${name} (${year})`]];
    })
  );
}
function quotesOn(sources, wanted) {
  const lists = sources.map(
    ({ id, results }) => nearestFirst(
      results.filter((sentence) => wordsOf(sentence).some((word) => wanted.includes(word))),
      wanted
    ).slice(0, 3).map((quote) => ({ source: id, quote }))
  );
  return [0, 1, 2].flatMap((round) => lists.flatMap((list) => list.slice(round, round + 1)));
}
function auditedText(prompt) {
  const sources = new Map(sourcesOf(prompt).map((source) => [source.id, source]));
  const blocks = materialIn(prompt);
  const asked = sentencesIn(blocks.get("sentences") ?? "");
  return {
    verdicts: asked.map(({ id, sources: cited, text }) => {
      const verdict = { sentence: id, severity: "wrong", quotes: [], calculation: "", reason: "" };
      if (cited.length === 0) return { ...verdict, verdict: "inference", severity: "wording" };
      const best = cited.flatMap((source) => (sources.get(source)?.results ?? []).map((quote) => ({ source, quote }))).map((one) => ({ ...one, shared: sharedWords(text, one.quote).length / Math.max(1, wordsOf(text).length) })).sort((one, other) => other.shared - one.shared)[0];
      if (best === void 0 || best.shared < 0.5)
        return { ...verdict, verdict: "unsupported", reason: "The sources do not say it." };
      const quotes = [{ source: best.source, quote: best.quote.split(" ").slice(0, QUOTED_WORDS).join(" ") }];
      const whole = cited.map((source) => blocks.get(source) ?? "").join(" ");
      const isDenied = cited.length === 1 && NO_CHANGE.test(best.quote) !== NO_CHANGE.test(text) && overlap(best.quote, text) >= SAME_SUBJECT;
      const isOtherwise = isDenied || figuresIn(text).some((figure) => !figuresIn(whole).includes(figure));
      return isOtherwise ? { ...verdict, verdict: "contradicted", quotes, reason: "The sources give another figure." } : { ...verdict, verdict: "supported", severity: "wording", quotes };
    }),
    notes: []
  };
}
function mendedText(prompt) {
  const faults = materialIn(prompt).get("faults") ?? "";
  const named = [...faults.matchAll(/^- (T\d+(?:, T\d+)*):/gm)].flatMap(([, ids = ""]) => ids.split(", "));
  return { edits: [...new Set(named)].map((sentence) => ({ sentence, text: "" })) };
}

// tests/model-server/good-briefs.ts
var FRAME = { share: 0.03, words: 120 };
var SENTENCES_A_PARAGRAPH = 3;
function plannedBrief(prompt) {
  const material = materialIn(prompt);
  const statements = statementsIn(material.get("findings") ?? "");
  const parts = [...(material.get("parts") ?? "").matchAll(/^(P\d+): (.*)$/gm)];
  const all = wordsOf2(statements);
  return {
    title: `What is known: ${lineOf(prompt, "The brief is to answer:")}`,
    parts: parts.map(([, part = "", line = ""]) => {
      const own = statements.filter(({ subtopic }) => subtopic !== "" && line.startsWith(`${subtopic}. `));
      const told = own.length > 0 ? own : firstOfEach(statements);
      return {
        part,
        words: Math.round(Math.max(FRAME.words, own.length > 0 ? wordsOf2(own) : FRAME.share * all)),
        guidance: "",
        findings: told.map(({ id }) => id)
      };
    })
  };
}
function writtenPart(prompt) {
  const material = materialIn(prompt);
  const wanted = Number(
    /about (\d+) words/.exec(prompt.slice(prompt.lastIndexOf("\n=== ")))?.[1] ?? Infinity
  );
  const asked = /(\d)\D+(\d) paragraphs/.exec(lineOf(prompt, "What is wanted:"));
  const all = statementsIn(material.get("findings") ?? "").map(sentenceOf2);
  const told = spread(asked === null ? all : all.filter((_, at) => at % 2 === Number(asked[1]) % 2), wanted);
  if (asked !== null) return paragraphs2(told, Math.ceil(told.length / Number(asked[1])));
  const disagree = conflictsIn(material.get("conflicts") ?? "").flatMap(
    ([one, other]) => one === void 0 || other === void 0 ? [] : [`\u201C${bare(one.quote)}\u201D [${one.source}], while \u201C${bare(other.quote)}\u201D [${other.source}].`]
  );
  return paragraphs2([...told, ...disagree]);
}
function writtenBrief(prompt) {
  const statements = statementsIn(materialIn(prompt).get("findings") ?? "");
  const headings = [...prompt.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title);
  const parts = headings.map((title) => {
    const own = statements.filter(({ subtopic }) => subtopic === title);
    return `## ${title}

${paragraphs2((own.length > 0 ? own : firstOfEach(statements)).map(sentenceOf2))}`;
  });
  return parts.join("\n\n");
}
function spread(sentences, words) {
  const lengths = sentences.map((sentence) => sentence.split(/\s+/).length);
  const share = words / lengths.reduce((sum, length) => sum + length, 0);
  let due = 0;
  return sentences.filter((_, at) => {
    const length = lengths[at] ?? 0;
    due += Math.min(1, share) * length;
    const isTold = due >= length / 2;
    if (isTold) due -= length;
    return isTold;
  });
}
function statementsIn(text) {
  let subtopic = "";
  return text.split("\n").flatMap((line) => {
    subtopic = /^\[(.+)\]$/.exec(line)?.[1] ?? subtopic;
    const [, id, marks = "", claim = ""] = /^(F\d+) ((?:\[S\d+\])+): (.*)$/.exec(line) ?? [];
    return id === void 0 ? [] : [{ id, marks, claim, subtopic }];
  });
}
function wordsOf2(statements) {
  return statements.reduce((sum, { claim }) => sum + claim.split(/\s+/).length, 0);
}
function firstOfEach(statements) {
  const titles = [...new Set(statements.map(({ subtopic }) => subtopic))];
  return titles.flatMap((title) => statements.filter(({ subtopic }) => subtopic === title).slice(0, 1));
}
function sentenceOf2({ claim, marks }) {
  return `${bare(claim)} ${marks}.`;
}
function bare(claim) {
  return claim.replace(/[.!]$/, "");
}
function paragraphs2(sentences, each = SENTENCES_A_PARAGRAPH) {
  const parts = [];
  for (let at = 0; at < sentences.length; at += each) parts.push(sentences.slice(at, at + each).join(" "));
  return parts.join("\n\n");
}

// tests/model-server/good-model.ts
var CHARS_PER_TOKEN = 4;
var PIECE = /[^]{1,60}/g;
var MAX_SUMMARY_CHARS = 800;
var FINDINGS_A_SOURCE = 2;
var MOST_PLANNED = 15;
function createGoodModel({ sections = 6, onQuestion = false } = {}) {
  const bill = { calls: 0, inputTokens: 0, outputTokens: 0, largestCall: 0 };
  const textFor = (request) => {
    const [system = "", user = ""] = messagesOf(request);
    const answerOf = ANSWERS[stepOfPrompt(system, user)];
    const answer = answerOf(user, { sections, onQuestion });
    return typeof answer === "string" ? answer : JSON.stringify(answer);
  };
  return {
    bill,
    textFor,
    answer(request, parts = {}) {
      const whole = textFor(request);
      const limit = maxTokensOf(request) * CHARS_PER_TOKEN;
      const text = whole.slice(0, limit);
      const usage = {
        prompt_tokens: tokensOf(messagesOf(request).join("\n")),
        completion_tokens: tokensOf(text)
      };
      bill.calls += 1;
      bill.inputTokens += usage.prompt_tokens;
      bill.outputTokens += usage.completion_tokens;
      bill.largestCall = Math.max(bill.largestCall, usage.prompt_tokens + usage.completion_tokens);
      const finishReason = text === whole ? "stop" : "length";
      return answers(text, { ...parts, usage, finishReason, pieces: text.match(PIECE) ?? [] });
    }
  };
}
function messagesOf(request) {
  const messages = request.body?.["messages"] ?? [];
  return messages.map(({ content }) => content);
}
function maxTokensOf({ body }) {
  return Number(body?.["max_completion_tokens"] ?? body?.["max_tokens"] ?? Infinity);
}
function tokensOf(text) {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
var ANSWERS = {
  answer: answerFromPassages,
  compress: shortenedPassages,
  "plan-brief": plannedBrief,
  "write-brief": writtenBrief,
  "write-brief-part": writtenPart,
  "rewrite-question": otherWordings,
  summarise: (prompt) => ({
    summaries: sourcesOf(prompt).map(({ id, results }) => ({ source: id, summary: opening(results) }))
  }),
  outline: (prompt, { sections, onQuestion }) => {
    const sources = sourcesOf(prompt);
    const planned = onQuestion ? [questionOf(sources, prompt)] : themesOf(sources, prompt, sections);
    const titles = planned.map(({ theme }) => theme);
    return {
      overallTheme: `The sources report results on ${titles.join(", ")}, and they do not all agree.`,
      sections: planned.map(({ theme, on }) => ({
        title: `${theme.charAt(0).toUpperCase()}${theme.slice(1)}`,
        description: `What the sources report on ${theme}.`,
        subsections: [],
        sources: on.map(({ id, title }) => ({
          source: id,
          relevance: title.toLowerCase().includes(theme) ? 0.95 : 0.8
        }))
      }))
    };
  },
  "merge-outlines": (prompt) => {
    const planned = planSectionsIn(prompt);
    const themes = [...new Set(planned.map(({ theme }) => theme))];
    return {
      overallTheme: `The sources report results on ${themes.join(", ")}, and they do not all agree.`,
      sections: themes.map((theme) => ({
        title: theme,
        description: `What the sources report on ${theme.toLowerCase()}.`,
        from: planned.filter((section) => section.theme === theme).map(({ id }) => id)
      }))
    };
  },
  "score-relevance": (prompt, { onQuestion }) => {
    const score = onQuestion ? shareOf : relevanceOf;
    const titles = [...(materialIn(prompt).get("sections") ?? "").matchAll(/^\d+\. ([^:\n]+):/gm)].map(
      ([, title = ""]) => wordsOf(title)
    );
    return {
      scores: sourcesOf(prompt).map(({ id, title, results }) => {
        const named = wordsOf(title);
        const said = wordsOf(results.join(" "));
        return { source: id, relevance: titles.map((wanted) => score(wanted, named, said)) };
      })
    };
  },
  "extract-findings": (prompt) => {
    const most = Number(/^Extract \d+ to (\d+) findings/m.exec(prompt)?.[1] ?? 20);
    const numbered = [...prompt.matchAll(/^Section (\d+): (.*?)\. /gm)];
    return numbered.length === 0 ? { findings: sectionFindings(prompt, lineOf(prompt, "Section:")).slice(0, Math.min(20, most)) } : { findings: findingsBySection(prompt, numbered, most) };
  },
  "cross-check": (prompt) => crossChecked(prompt),
  audit: auditedSentences,
  judge: () => judgedAlike(4),
  "write-text": writtenText,
  "audit-text": auditedText,
  "mend-text": mendedText
};
function sectionFindings(prompt, title) {
  return sourcesOf(prompt).flatMap((source) => findingsOf(source, wordsOf(title)));
}
function findingsOf({ id, results }, wanted) {
  return nearestFirst(results, wanted).slice(0, FINDINGS_A_SOURCE).map((quote) => ({ claim: quote, evidence: [{ source: id, quote }], confidence: 0.8 }));
}
function findingsBySection(prompt, sections, most) {
  const lists = sourcesOf(prompt).flatMap(
    (source) => sections.map(([, number = "", title = ""]) => {
      const wanted = wordsOf(title);
      const said = wordsOf(source.results.join(" "));
      const isOn = relevanceOf(wanted, wordsOf(source.title), said) > 0.5;
      return isOn ? findingsOf(source, wanted).map((one) => ({ ...one, section: Number(number) })) : [];
    })
  );
  const inTurns = Array.from(
    { length: FINDINGS_A_SOURCE },
    (_, round) => lists.flatMap((list) => list.slice(round, round + 1))
  ).flat();
  return [...new Map(inTurns.reverse().map((finding) => [finding.claim, finding])).values()].reverse().slice(0, most);
}
function judgedAlike(score) {
  const given = { score, reason: "It tells what the material says.", places: [] };
  return Object.fromEntries(JUDGE_DIMENSIONS.map((dimension) => [dimension, given]));
}
var ASKED = /“([^”]*\?)”$/;
function auditedSentences(prompt, { onQuestion }) {
  const material = materialIn(prompt);
  const told = material.get("quotes") ?? "";
  const quotes = quotesIn(told);
  const toldOf = (source) => told.split("\n").filter((line) => line.startsWith(`${source} is `) || line.startsWith(`${source}: `)).join(" ");
  return {
    verdicts: sentencesIn(material.get("sentences") ?? "").map(({ id, sources, text, noticed }) => {
      const question = ASKED.exec(text)?.[1];
      const said = question ?? text;
      const cited = quotes.filter(({ source }) => sources.includes(source)).map((one) => ({ ...one, shared: sharedWords(said, one.quote).length / wordsOf(said).length })).sort((one, other) => other.shared - one.shared);
      const [best] = cited;
      if (onQuestion === true && sources.length === 1 && best !== void 0 && areContrary(said, best.quote))
        return {
          sentence: id,
          verdict: "contradicted",
          quotes: [{ source: best.source, quote: best.quote }],
          without: [],
          reason: "The quotes say the contrary."
        };
      if (best === void 0 || question === void 0 && best.shared < 0.5)
        return {
          sentence: id,
          verdict: "unsupported",
          quotes: [],
          without: [],
          reason: "The quotes do not say it."
        };
      const isDenied = sources.length === 1 && NO_CHANGE.test(best.quote) !== NO_CHANGE.test(said) && overlap(best.quote, said) >= SAME_SUBJECT;
      const figures = sources.flatMap((source) => figuresIn(toldOf(source)));
      const isOtherwise = isDenied || figuresIn(said).some((figure) => !figures.includes(figure));
      const bearing = new Set(cited.filter(({ shared }) => shared >= 0.2).map(({ source }) => source));
      return {
        sentence: id,
        verdict: isOtherwise ? "contradicted" : "supported",
        quotes: [{ source: best.source, quote: best.quote }],
        without: sources.filter((source) => !bearing.has(source)),
        reason: isOtherwise ? noticed || "The quotes give another figure." : ""
      };
    }),
    gaps: []
  };
}
function areContrary(one, other) {
  const pairs = clausesIn(one).flatMap(
    (a) => clausesIn(other).map((b) => ({ a, b, shared: sharedWords(a, b).length }))
  );
  const [closest] = pairs.sort((first, second) => second.shared - first.shared);
  return closest !== void 0 && closest.shared >= 3 && NO_CHANGE.test(closest.a) !== NO_CHANGE.test(closest.b);
}
function clausesIn(text) {
  return text.split(/,? (?=(?:although|but|while|whereas)\b)/);
}
function figuresIn(text) {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}
function planSectionsIn(prompt) {
  const lines = [...materialIn(prompt)].filter(([name]) => name.startsWith("plan ")).map(([, text]) => text);
  return [...lines.join("\n").matchAll(/^(P\d+): “(.+?)”\. /gm)].map(([, id = "", theme = ""]) => ({
    id,
    theme
  }));
}
function relevanceOf(wanted, named, said) {
  if (wanted.some((word) => named.includes(word))) return 0.95;
  return wanted.some((word) => said.includes(word)) ? 0.8 : 0.1;
}
function shareOf(wanted, named, said) {
  return wanted.filter((word) => named.includes(word) || said.includes(word)).length / Math.max(1, wanted.length);
}
var NOTE = /^Only its summary is given\.$/;
function sourcesOf(prompt) {
  return [...materialIn(prompt)].filter(([name]) => /^S\d+$/.test(name)).map(([id, text]) => {
    const [described = "", ...rest] = text.split("\n");
    const title = /^“(.*?)”/.exec(described)?.[1] ?? "";
    const body = rest.filter((line) => !NOTE.test(line)).join("\n");
    const results = /^\[[^\]\n]*Results\]\n([^]*?)(?=\n\[[^\]\n]+\]\n|$(?![^]))/m.exec(body)?.[1] ?? body;
    const sentences = splitSentences(results).map((span) => span.text);
    return { id, title, results: sentences.filter((sentence) => /[.!]$/.test(sentence)) };
  });
}
function opening(sentences) {
  let text = "";
  for (const sentence of sentences) {
    if (text !== "" && text.length + sentence.length > MAX_SUMMARY_CHARS) break;
    text = text === "" ? sentence : `${text} ${sentence}`;
  }
  return text;
}
var NO_THEME = /^(?:about|adverse|after|again|among|baseline|because|before|between|blind|both|change|changed|clinical|compared|controlled|could|daily|double|differ|difference|during|effect|effects|either|events|fell|first|found|from|group|groups|given|higher|however|increase|level|levels|lower|major|mean|months|more|neither|other|patients|placebo|randomi[sz]ed|received|reduced|reported|rose|serum|significant|significantly|source|sources|study|supplementation|than|that|the|their|there|these|they|treatment|trial|vitamin|weeks|were|when|which|while|with|without|year|years)$/;
function wordsOf(text) {
  return [...new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])].filter((word) => !NO_THEME.test(word));
}
function themesOf(sources, prompt, wanted) {
  const asked = new Set(wordsOf(lineOf(prompt, "The report is to answer:")));
  const on = /* @__PURE__ */ new Map();
  for (const source of sources) {
    for (const word of wordsOf(`${source.title} ${source.results.join(" ")}`)) {
      if (!asked.has(word)) on.set(word, [...on.get(word) ?? [], source]);
    }
  }
  const most = Math.max(2, Math.ceil(sources.length * 0.6));
  const ranked = [...on].filter(([, found]) => found.length >= 2 && found.length <= most).sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1));
  const taken = /* @__PURE__ */ new Set();
  return ranked.filter(([, found]) => {
    const key = found.map(({ id }) => id).join(" ");
    const isNew = !taken.has(key);
    taken.add(key);
    return isNew;
  }).slice(0, wanted).map(([theme, found]) => ({ theme, on: found }));
}
function questionOf(sources, prompt) {
  const asked = wordsOf(lineOf(prompt, "The report is to answer:"));
  const share = ({ title, results }) => shareOf(asked, wordsOf(title), wordsOf(results.join(" ")));
  const on = [...sources].sort((one, other) => share(other) - share(one)).slice(0, MOST_PLANNED);
  return { theme: asked.join(" "), on };
}
function nearestFirst(sentences, wanted) {
  const score = (sentence) => wordsOf(sentence).filter((word) => wanted.includes(word)).length;
  return [...sentences].sort((one, other) => score(other) - score(one));
}
var NO_CHANGE = /\b(?:no|not|neither|nor)\b/i;
var SAME_SUBJECT = 0.3;
function crossChecked(prompt) {
  const sources = sourcesOf(prompt);
  const findings = findingsIn(materialIn(prompt).get("findings") ?? "");
  const conflicts = [];
  const checks = findings.map(({ id, evidence }) => {
    const own = new Set(evidence.map(({ source }) => source));
    const quote = evidence[0]?.quote ?? "";
    const alike = sources.filter((source) => !own.has(source.id)).flatMap(({ id: source, results }) => results.map((sentence) => ({ source, quote: sentence }))).filter((candidate) => overlap(candidate.quote, quote) >= SAME_SUBJECT);
    const agrees = ({ quote: other }) => NO_CHANGE.test(other) === NO_CHANGE.test(quote);
    const supporting = alike.filter(agrees).slice(0, 1);
    const contradicting = alike.filter((candidate) => !agrees(candidate)).slice(0, 1);
    const [first] = evidence;
    const [against] = contradicting;
    if (first !== void 0 && against !== void 0) {
      conflicts.push({
        topic: sharedWords(first.quote, against.quote).join(" "),
        kind: "direction",
        findings: [id],
        viewpoints: [{ evidence: [first] }, { evidence: [against] }],
        resolution: "present_both",
        reason: ""
      });
    }
    return { finding: id, supporting, contradicting };
  });
  return { checks, conflicts: conflicts.slice(0, 2), gaps: [] };
}
function sharedWords(one, other) {
  const known = new Set(wordsOf(other));
  return wordsOf(one).filter((word) => known.has(word));
}
function overlap(one, other) {
  const all = /* @__PURE__ */ new Set([...wordsOf(one), ...wordsOf(other)]);
  return sharedWords(one, other).length / Math.max(1, all.size);
}
function sentenceOf(evidence, names) {
  const [first] = evidence;
  if (first === void 0) return "";
  const marks = evidence.map(({ source }) => `[${source}]`).join("");
  return `${names.get(first.source) ?? "One source"} report that \u201C${withoutStop(first.quote)}\u201D ${marks}.`;
}
function withinWords(sentences, wanted) {
  let words = 0;
  return sentences.filter((sentence) => {
    const isWanted = words < wanted;
    if (isWanted) words += sentence.split(/\s+/).length;
    return isWanted;
  });
}
function withoutStop(quote) {
  return quote.replace(/[.!]$/, "");
}
function paragraphs(sentences) {
  const written = sentences.filter((sentence) => sentence !== "");
  const parts = [];
  for (let at = 0; at < written.length; at += 3) parts.push(written.slice(at, at + 3).join(" "));
  return parts.join("\n\n");
}

// tests/model-server/serve-good-model.ts
async function main() {
  const latencyMs = Number(process.argv[2] ?? "0");
  const model = createGoodModel({ sections: 8 });
  const calls = [];
  const server = await startModelServer(
    (request) => async (_request, response) => {
      const startMs = Date.now();
      await delay(latencyMs);
      await model.answer(request)(request, response);
      calls.push({ startMs, endMs: Date.now() });
    },
    { models: ["good"] }
  );
  process.stdout.write(`${JSON.stringify({ baseUrl: server.baseUrl })}
`);
  process.once("SIGTERM", () => {
    process.stdout.write(`${JSON.stringify({ calls })}
`);
    void server.close();
  });
}
void main();
