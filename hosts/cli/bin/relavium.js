#!/usr/bin/env node
const { isBuilt, load } = require('./load.js');

if (isBuilt()) {
  load('main.js');
} else {
  console.error('relavium is not built: run "npm run build" first');
  process.exitCode = 2;
}
