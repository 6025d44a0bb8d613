export * from '../evidence/distinct-evidence';
