/** Put in by the bundler from package.json. */
declare const RELAVIUM_VERSION: string;

export const version: string = RELAVIUM_VERSION;
