import { fileURLToPath } from 'node:url'
import { exampleFiles, type FlowNode, readExample } from '@parlando/test-support/node-red/example'
import { nodeTypes } from '@parlando/test-support/node-red/node-cases'
import fc, { type JsonValue } from 'fast-check'

// Forms run in the page of the editor, which the first run of this file has prepared.
Object.assign(globalThis, {
  RED: { validators: { typedInput() {} }, settings: {} },
  Parlando: {},
})
const { defaultsOf } = await import('../../../packages/node-red-nodes/src/editor/register-form.ts')
const { forms } = await import('../../../packages/node-red-nodes/src/nodes/forms.ts')

const toolProgram = fileURLToPath(
  new URL('../../../packages/test-support/src/mcp/program.js', import.meta.url),
)

/** A node with the values that its form saves by default. */
function newNode(type: string): FlowNode {
  const defaults = Object.entries(defaultsOf(forms[type as keyof typeof forms]))
  const fields = defaults.map(([name, { value }]) => [name, value])
  return { id: `every-${type}`, type, ...Object.fromEntries(fields) }
}

/** A tab with all our nodes and their listeners. */
function everyNode(): FlowNode[] {
  const place = { z: 'every-tab', x: 0, y: 0, wires: [['every-out']] }
  return [
    { id: 'every-tab', type: 'tab', label: 'Every node', disabled: false, info: '', env: [] },
    newNode('parlando-service'),
    ...nodeTypes.map((type) => ({
      ...newNode(type),
      ...place,
      service: 'every-parlando-service',
    })),
    { ...place, id: 'every-out', type: 'debug', active: false, wires: [] },
    { ...place, id: 'every-catch', type: 'catch', scope: null, wires: [[]] },
  ]
}

/** Without MQTT: its nodes would look up random host names. */
const templates: FlowNode[][] = [
  ...Array.from({ length: 4 }, everyNode),
  ...exampleFiles
    .map((file) => readExample(file).filter(({ type }) => !type.startsWith('mqtt')))
    .map(withService)
    .map(withToolProgram),
]

/** In place of a program that would first be downloaded. */
function withToolProgram(flow: FlowNode[]): FlowNode[] {
  const command = `"${process.execPath}" "${toolProgram}"`
  return flow.map((node) => (node.type === 'parlando-mcp-server' ? { ...node, command } : node))
}

/** Gives the nodes of a flow that use this device a service, which a case can change. */
function withService(flow: FlowNode[]): FlowNode[] {
  const service = newNode('parlando-service')
  const nodes = flow.map((node) =>
    'service' in node ? { ...node, service: node['service'] || service.id } : node,
  )
  return [service, ...nodes]
}

export interface Change {
  /** The index of the node, modulo the number of nodes in the template. */
  node: number
  /** The index of the field, modulo the number of fields, or its name. */
  field: number | string
  /** If absent, the field is removed. */
  value?: JsonValue
}

/** A flow with some invalid fields. */
export interface FlowCase {
  template: number
  changes: Change[]
}

// The index of a node of the flow, modulo its length.
const idMark = '@node '

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: Node-RED substitutes variables
const likelyValues: JsonValue[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1e9,
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '${HOME}',
  '${NONE}',
  'payload',
  'msg',
  'flow',
  'jsonata',
  'env',
  'date',
  'bin',
  're',
  'cred',
  'node',
  'hosted',
  'files',
  'list',
  'update',
  'each',
  'parallel',
  'replace',
  'whole',
  'sentences',
  'MP3',
  'WAV',
  'FLAC',
  'EN_US',
  'http://127.0.0.1:1',
  'http://u:p@127.0.0.1:1',
  'file:///etc/hosts',
  '/etc/hosts\n/none',
  [],
  {},
  [[]],
  [null],
  [[null]],
  [[{}]],
  { apiKey: 7 },
  { apiKey: 'a b' },
  { apiKey: null },
  [{ name: 'ENV', value: 'x', type: 'str' }],
  [{ name: 'HOME', value: '{}', type: 'json' }],
] // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above

const strangeFields = [
  '__proto__',
  'constructor',
  'credentials',
  'env',
  'd',
  'g',
  'l',
  'z',
  'users',
  '_users',
  '_alias',
  '_flow',
  '_events',
  'context',
  'send',
  'error',
  'on',
  'status',
  'subflow',
  'outputs',
]

const anyValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...likelyValues) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  fc.nat({ max: 20 }).map((node) => idMark + node),
) as fc.Arbitrary<JsonValue>

const anyChange: fc.Arbitrary<Change> = fc.record(
  {
    node: fc.nat({ max: 40 }),
    field: fc.oneof(
      { weight: 9, arbitrary: fc.nat({ max: 25 }) },
      fc.constantFrom(...strangeFields),
      fc.string({ maxLength: 6 }),
    ),
    value: anyValue,
  },
  { requiredKeys: ['node', 'field'] },
)

export const anyFlow: fc.Arbitrary<FlowCase> = fc.record({
  template: fc.nat({ max: templates.length - 1 }),
  changes: fc.array(anyChange, { minLength: 1, maxLength: 2 }),
})

/** A flow whose service has a random location, mostly this device. */
export const anyLocation: fc.Arbitrary<FlowCase> = fc
  .record({ template: fc.nat({ max: templates.length - 1 }), value: fc.option(anyValue) })
  .map(({ template, value }) => {
    const node = templates[template]!.findIndex(({ type }) => type === 'parlando-service')
    const change = { node, field: 'location' }
    return { template, changes: [value === null ? change : { ...change, value }] }
  })

/** The flow of a case: a changed copy of its template with new ids, for this service. */
export function makeFlow(
  { template, changes }: FlowCase,
  copy: string,
  service: { baseUrl: string; apiKey: string; allowsDevice: boolean },
): FlowNode[] {
  const ids = new Map(templates[template]!.map(({ id }) => [id, `${copy}-${id}`]))
  const flow: FlowNode[] = JSON.parse(JSON.stringify(templates[template]), (name, value) =>
    typeof value === 'string' && name !== 'type' ? (ids.get(value) ?? value) : value,
  )
  const { baseUrl, apiKey, allowsDevice } = service
  for (const node of flow) {
    if (node.type !== 'parlando-service') continue
    Object.assign(node, { location: 'hosted', baseUrl, retries: '0', credentials: { apiKey } })
  }
  for (const { node: at, field, value } of changes) {
    const node = flow[at % flow.length]!
    const fields = Object.keys(node)
    const name = typeof field === 'number' ? fields[field % fields.length]! : field
    if (name === 'location' && !allowsDevice) continue
    Object.defineProperty(node, name, {
      value: resolveValue(value, node.type, [...ids.values()]),
      enumerable: value !== undefined,
      configurable: true,
      writable: true,
    })
  }
  return JSON.parse(JSON.stringify(flow))
}

/** Inserts ids, and keeps file writes inside the folder of the test. */
function resolveValue(
  value: JsonValue | undefined,
  type: string,
  ids: string[],
): JsonValue | undefined {
  if (typeof value !== 'string') return value
  if (value.startsWith(idMark)) return ids[Number(value.slice(idMark.length)) % ids.length]
  return type === 'file' ? value.replaceAll(/[/\\]/g, '-') : value
}

// Node-RED indexes flows by these fields, so one flow with invalid values can stop all others.
const indexFields = ['id', 'type', 'z', 'wires', 'subflow']

/** Whether a flow must be deployed separately. */
export function needsOwnDeploy({ template, changes }: FlowCase): boolean {
  const flow = templates[template]!
  return changes.some(({ node: at, field, value }) => {
    const node = flow[at % flow.length]!
    const fields = Object.keys(node)
    const name = typeof field === 'number' ? fields[field % fields.length]! : field
    const isConfig = !('x' in node) || name === 'x' || name === 'y'
    return (
      indexFields.includes(name) ||
      (isConfig && typeof value === 'string' && value.startsWith(idMark))
    )
  })
}
