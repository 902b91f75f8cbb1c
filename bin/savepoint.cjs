#!/usr/bin/env node
'use strict';

require('../main.js')
  .run(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
