import { build } from '../../../../scripts/prepare.js'

/** Builds all packages before tests that run them as users do. */
export default () => build()
