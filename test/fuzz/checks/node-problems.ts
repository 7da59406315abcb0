import { isDeepStrictEqual } from 'node:util'
import type { FuzzedNode } from '../setups/nodes-flow.ts'
import type { Done, Status } from '../setups/watched-messages.ts'
import { problemsOfError } from './error-problems.ts'

/** A message that a node received, and what became of it. */
export interface HandledMessage {
  node: FuzzedNode
  message: Record<string, unknown>
  /** Its properties when the node received it. */
  before: PropertyDescriptorMap
  /** The calls of `done`. */
  dones: readonly Done[]
  /** All that the node has sent. */
  sent: readonly object[]
}

/** Finds deviations from the documentation. */
export function problemsOf({ node, message, before, dones, sent }: HandledMessage): string[] {
  if (dones.length !== 1) return [`done was called ${dones.length} times`]
  const outgoing = sent.filter(
    (one) => (one as { _msgid?: string })._msgid === before['_msgid']!.value,
  )
  return [
    ...problemsOfError(dones[0]!),
    ...(dones[0]!.error && !outgoing.includes(message) ? changes(before, message, []) : []),
    ...outgoing.flatMap((one) => problemsOfSent(node, before, one, one === message)),
  ]
}

const shapes: Record<string, (value: never) => boolean> = {
  audio: (audio: Record<string, unknown>) =>
    typeof audio['encoding'] === 'string' &&
    typeof audio['bytes'] === 'number' &&
    audio['channels'] === 1,
  chat: (chat: Record<string, unknown>) => Array.isArray(chat['toolCalls']),
  parts: (parts: Record<string, unknown>) => typeof parts === 'object',
  warnings: (warnings: unknown[]) => warnings.every((warning) => typeof warning === 'string'),
}

function problemsOfSent(
  { sets }: FuzzedNode,
  before: PropertyDescriptorMap,
  sent: object,
  isSame: boolean,
): string[] {
  const wrong = sets.flatMap((name) => {
    const value = Object.getOwnPropertyDescriptor(sent, name)?.value
    const isSet = value !== undefined && !Object.is(before[name]?.value, value)
    return isSet && shapes[name] && !shapes[name](value as never)
      ? [`${name} is not as documented`]
      : []
  })
  if (isSame) return [...wrong, ...changes(before, sent, sets)]
  const { bystander } = sent as { bystander?: unknown }
  const isKept = isDeepStrictEqual(bystander, before['bystander']!.value)
  return [...wrong, ...(isKept ? [] : ['a property that the node does not set has changed'])]
}

/** Node-RED removes these while it clones a message, and does not restore all of them. */
const changedByNodeRed = ['req', 'res']

/** Finds added, removed and changed properties, except those in `except`. */
function changes(before: PropertyDescriptorMap, message: object, except: string[]): string[] {
  const after = Object.getOwnPropertyDescriptors(message) as PropertyDescriptorMap
  return [...new Set([...Reflect.ownKeys(before), ...Reflect.ownKeys(after)])]
    .filter((name) => !except.includes(String(name)) && !changedByNodeRed.includes(String(name)))
    .filter((name) => !isSameProperty(before[name as string], after[name as string]))
    .map((name) => `${String(name)} has changed`)
}

function isSameProperty(one?: PropertyDescriptor, other?: PropertyDescriptor): boolean {
  return Object.is(one?.value, other?.value) && one?.get === other?.get
}

/** Whether the status of a node shows that it is idle. */
export function isQuiet(status: Status | undefined): boolean {
  return (
    !status?.fill ||
    ['green dot', 'grey ring', 'yellow dot', 'yellow ring', 'red ring'].includes(
      `${status.fill} ${status.shape}`,
    )
  )
}
