#!/usr/bin/env node
import('../dist/main.js').catch((error) => {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('relavium is not built: run "npm run build" first');
  process.exitCode = 2;
});
