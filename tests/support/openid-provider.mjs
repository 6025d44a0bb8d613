// An OpenID provider on loopback, in a process of its own: prints its address, takes the address that it may send people back to as a
// message, and lets in whoever the cookie `who` says, without asking them for anything; `nobody` declines.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const CLIENT = { client_id: 'colligate', client_secret: 'a-secret-that-only-both-know' };

/** Whose addresses are verified, and who is called by an odd name. */
const PEOPLE = {
  ann: { email: 'Ann@Example.org', email_verified: true, preferred_username: 'ann' },
  bob: { email: 'bob@elsewhere.example', email_verified: true, preferred_username: 'constructor' },
  eve: { email: 'eve@example.org', email_verified: false, preferred_username: 'eve@example.org' },
};

let provider;

function providerFor(issuer, back) {
  const made = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [back] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a-key'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...PEOPLE[id] }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  });
  return { callback: made.callback(), made };
}

async function interact({ made }, request, response) {
  const { prompt, params, session } = await made.interactionDetails(request, response);
  const who = /(?:^|;\s*)who=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'nobody';
  if (who === 'nobody')
    return made.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'They declined',
    });
  if (prompt.name === 'login')
    return made.interactionFinished(request, response, { login: { accountId: who } });
  const grant = new made.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  return made.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

const server = createServer((request, response) => {
  if (provider === undefined) response.writeHead(503).end();
  else if (request.url.startsWith('/interaction/')) void interact(provider, request, response);
  else provider.callback(request, response);
});
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  process.on('message', ({ back }) => {
    provider = back === null ? undefined : providerFor(issuer, back);
    process.send({ ready: true });
  });
  process.send({ issuer });
});
process.on('disconnect', () => process.exit());
