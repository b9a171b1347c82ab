/** Apart, so that only what asks for the configuration loads what reads it. */
export { readConfig } from '@relavium/host-node';
