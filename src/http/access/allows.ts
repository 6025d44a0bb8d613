import { type Scope, SCOPES } from '../../contracts/access/token';

export function allows(has: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(has) >= SCOPES.indexOf(needed);
}
