export declare const dataFolder: string;
export declare const hasDataFolder: boolean;
