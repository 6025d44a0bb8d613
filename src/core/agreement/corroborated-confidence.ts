export * from '../evidence/corroborated-confidence';
