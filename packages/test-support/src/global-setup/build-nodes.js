import { build } from '../../../../scripts/prepare.js'

/** Builds the nodes before tests that load them into Node-RED. */
export default () => build(['packages/node-red-nodes'])
