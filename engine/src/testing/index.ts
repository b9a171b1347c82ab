/** In-memory twins of the ports, and decorators for scripted runs. */
export { memoryFileSystem } from './memory-file-system.js';
export { memorySourceReader } from './memory-source-reader.js';
export { memoryStore } from './memory-store.js';
export { runSimulated, simulatedClock } from './simulated-clock.js';
export { pause, type StubbedAttempt, stubTools } from './stub-tools.js';
