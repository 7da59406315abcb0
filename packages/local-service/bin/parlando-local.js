#!/usr/bin/env node
// There from the start: npm links a command while it installs, and in this repository what it runs is built after that.
import '../dist/cli.js'
