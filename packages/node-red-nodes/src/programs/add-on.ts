import { readFileSync } from 'node:fs'

/** How devices reach the Node-RED add-on of Home Assistant. */
export interface AddOn {
  port: number
  isHttps: boolean
}

/** The add-on listens here for other devices, unless its user has chosen another port. */
const defaultPort = 1880

/**
 * What is in front of Node-RED in the community add-on of Home Assistant, which uses the network of its host: Node-RED itself
 * listens on the loopback interface (its `config.js` and `config.yaml`).
 * @returns undefined elsewhere.
 */
export function readAddOn(
  environment: NodeJS.ProcessEnv,
  optionsFile = '/data/options.json',
): AddOn | undefined {
  if (!environment['SUPERVISOR_TOKEN']) return undefined
  try {
    const { ssl } = JSON.parse(readFileSync(optionsFile, 'utf8')) as { ssl?: unknown }
    return { port: defaultPort, isHttps: ssl === true }
  } catch {
    return undefined
  }
}
