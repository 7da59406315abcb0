#!/usr/bin/env node
// npm links this file during installation. In this repository, `dist` is built later, so the link needs a file in git.
import '../dist/cli.js'
