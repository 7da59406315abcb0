import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What the tests of all nodes need to know about one node: `<node>.test-case.ts` in its folder exports it as `nodeCase`. */
export interface NodeCase {
  /** Settings with which the node works. The test adds the service. */
  settings: Record<string, unknown>
  /** A message that the node processes. */
  good: Record<string, unknown>
  /** A message that the node rejects as bad input. */
  bad: Record<string, unknown>
  /** The status after the good message. Absent if the message cannot be written as JSON. */
  shown?: RegExp
  /** How a service responds to the good message. Absent for a node that uses no service. */
  service?: {
    /** The response, in two parts. */
    response: [begin: string, end: string]
    /** The number of messages that the node sends after the first part. */
    begun: 0 | 1
  }
  fuzz: {
    /** Settings that differ from those above, for several nodes in one flow, by the id of the node. */
    variants: Record<string, object>
    /** The properties of a message that the node reads and sets. */
    reads: string[]
    sets: string[]
    good: Record<string, unknown>
    /** The good message ends with an error: the node needs a device that tests do not have. */
    needsDevice?: true
  }
}

// Next to the sources; the manifest names the built files.
const manifestPath = createRequire(import.meta.url).resolve('@parlando/node-red/package.json')
const manifest = createRequire(import.meta.url)(manifestPath)
const files: [type: string, file: string][] = Object.entries(manifest['node-red'].nodes)

const configTypes = [
  'parlando-service',
  'parlando-speaker',
  'parlando-mcp-server',
  'parlando-mcp-access',
]

/** The languages of the texts and the help, such as `de` and `en-US`. */
export const languages = readdirSync(join(dirname(manifestPath), 'src/locales'))

/** The types of the nodes on the canvas: all that the manifest names, without the configuration nodes. */
export const nodeTypes = files.map(([type]) => type).filter((type) => !configTypes.includes(type))

/** The folder name of a node, such as `clone-voice`. */
export const folderOf = (type: string) => type.replace(/^parlando-/, '')

/** The name of a node in the palette, such as `sound address`. */
export function nameOf(type: string): string {
  const folder = folderOf(type)
  const form = join(dirname(manifestPath), `src/nodes/${folder}/${folder}.form.ts`)
  return /paletteLabel: '(.+)'/.exec(readFileSync(form, 'utf8'))![1]!
}

/** The case of every node, by its type. A node without a case fails here. */
export const nodeCases: Record<string, NodeCase> = Object.fromEntries(
  await Promise.all(nodeTypes.map(async (type) => [type, await readCase(type)])),
)

/** The nodes that use a speech service. */
export const serviceNodes = nodeTypes.flatMap((type) => {
  const { service, ...nodeCase } = nodeCases[type]!
  return service ? [{ type, ...nodeCase, ...service }] : []
})

async function readCase(type: string): Promise<NodeCase> {
  const file = `src/nodes/${folderOf(type)}/${folderOf(type)}.test-case.ts`
  const { nodeCase } = await import(/* @vite-ignore */ join(dirname(manifestPath), file))
  return nodeCase
}
