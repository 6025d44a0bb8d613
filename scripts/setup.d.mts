export declare function setUp(options?: {
  say?: (line: string) => void;
  build?: 'never' | 'if-changed' | 'always';
}): Promise<void>;
