// Runs one command, then keeps what V8 has made of the pieces that it loaded: node keep-compiled.cjs COMMAND…
const { writeFileSync } = require('node:fs');
const { load, pieces } = require('../bin/load.js');

process.on('exit', () => {
  for (const { script, file } of pieces.values()) writeFileSync(`${file}.compiled`, script.createCachedData());
});
load('main.js');
