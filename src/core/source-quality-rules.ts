import type { QualityRule } from './contracts/quality-rule';

function list(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** What is written by whoever has an account comes first, because it often lies under a respected domain. */
export const QUALITY_RULES: readonly QualityRule[] = [
  {
    level: 'general',
    reason: 'pages that anybody can write or share',
    domains: list(`
      docs.google.com sites.google.com drive.google.com notion.site github.io gitlab.io pages.dev
      netlify.app vercel.app web.app`),
  },
  {
    level: 'general',
    reason: 'a blog platform',
    domains: list(`
      medium.com substack.com wordpress.com blogspot.com blogger.com tumblr.com ghost.io dev.to
      hashnode.dev wixsite.com weebly.com livejournal.com`),
  },
  {
    level: 'general',
    reason: 'a forum or social network',
    domains: list(`
      reddit.com quora.com stackexchange.com stackoverflow.com news.ycombinator.com facebook.com x.com
      twitter.com linkedin.com youtube.com tiktok.com instagram.com discord.com zhihu.com`),
  },
  {
    level: 'general',
    reason: 'a blog or forum',
    hostStarts: ['blog', 'blogs', 'forum', 'forums', 'community', 'discuss'],
  },
  { level: 'general', reason: 'a personal page', path: '^/(?:~|%7e|people/|users?/|home/)' },
  {
    level: 'general',
    reason: 'a blog or forum',
    path: '^/(?:blogs?|forums?|community|questions|discussions?)(?:/|$)',
  },
  {
    level: 'general',
    reason: 'a preprint server: not peer-reviewed',
    domains: list(`
      arxiv.org biorxiv.org medrxiv.org chemrxiv.org psyarxiv.com ssrn.com researchsquare.com
      preprints.org osf.io`),
  },
  {
    level: 'general',
    reason: 'an encyclopaedia that anybody can edit',
    domains: ['wikipedia.org', 'wikibooks.org', 'fandom.com', 'baike.baidu.com'],
  },
  {
    level: 'general',
    reason: 'a press release service',
    domains: ['prnewswire.com', 'businesswire.com', 'globenewswire.com', 'eurekalert.org'],
  },
  {
    level: 'authoritative',
    reason: 'an archive of peer-reviewed journals',
    domains: list(`
      pmc.ncbi.nlm.nih.gov pubmed.ncbi.nlm.nih.gov europepmc.org scielo.org scielo.br jstor.org`),
  },
  {
    level: 'authoritative',
    reason: 'an archive of peer-reviewed journals',
    domains: ['ncbi.nlm.nih.gov'],
    path: '^/(?:pmc|pubmed)(?:/|$)',
  },
  {
    level: 'authoritative',
    reason: 'a registered scholarly publication',
    domains: ['doi.org'],
    path: '^/10\\.\\d{4,}/',
  },
  {
    level: 'authoritative',
    reason: 'systematic reviews',
    domains: ['cochranelibrary.com', 'cochrane.org', 'campbellcollaboration.org'],
  },
  {
    level: 'authoritative',
    reason: 'a publisher of peer-reviewed journals',
    domains: list(`
      nature.com science.org sciencemag.org cell.com thelancet.com nejm.org bmj.com jamanetwork.com
      acpjournals.org annals.org plos.org pnas.org elifesciences.org biomedcentral.com springer.com
      springeropen.com wiley.com sciencedirect.com elsevier.com academic.oup.com oxfordjournals.org
      cambridge.org tandfonline.com sagepub.com karger.com lww.com ahajournals.org
      diabetesjournals.org physiology.org royalsocietypublishing.org annualreviews.org frontiersin.org
      mdpi.com hindawi.com peerj.com jmir.org aps.org iop.org acs.org rsc.org ascopubs.org dl.acm.org
      ieeexplore.ieee.org aclanthology.org jmlr.org usenix.org`),
  },
  {
    level: 'authoritative',
    reason: 'a body that sets standards',
    domains: list(`
      iso.org iec.ch ietf.org rfc-editor.org w3.org whatwg.org itu.int ecma-international.org tc39.es
      unicode.org iana.org standards.ieee.org etsi.org ansi.org din.de bsigroup.com oasis-open.org
      spec.commonmark.org json-schema.org openapis.org ifrs.org`),
  },
  {
    level: 'authoritative',
    reason: 'an international public body',
    domains: list(`
      who.int un.org unesco.org unicef.org worldbank.org imf.org oecd.org europa.eu iea.org ipcc.ch
      fao.org ilo.org wto.org wmo.int cern.ch nato.int esa.int eso.org`),
  },
  {
    level: 'authoritative',
    reason: 'a public authority',
    domains: list(`
      gov mil gov.* gob.* gouv.* govt.* go.jp go.kr gc.ca canada.ca gouv.fr admin.ch bund.de
      destatis.de rki.de nhs.uk nice.org.uk parliament.uk bundesbank.de`),
  },
  {
    level: 'authoritative',
    reason: 'a university or college',
    domains: list(`
      edu edu.* ac.* ethz.ch epfl.ch uzh.ch tum.de lmu.de rwth-aachen.de uni-heidelberg.de kuleuven.be
      utoronto.ca ubc.ca mcgill.ca tudelft.nl uva.nl ku.dk ki.se uio.no`),
  },
  {
    level: 'authoritative',
    reason: 'official documentation',
    domains: list(`
      developer.mozilla.org learn.microsoft.com nodejs.org typescriptlang.org python.org go.dev
      doc.rust-lang.org kubernetes.io postgresql.org redis.io docs.rs kernel.org man7.org
      readthedocs.io readthedocs.org cppreference.com graphql.org`),
  },
  {
    level: 'authoritative',
    reason: 'official documentation',
    hostStarts: ['docs', 'doc', 'developer', 'developers', 'documentation'],
  },
];
