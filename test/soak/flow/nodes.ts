/**
 * What a node sends for one message: a sequence of audio chunks or sentences, which the message itself ends; a message for
 * each item; or one message. *announce* and *read aloud* send the address of each sound, and then the message itself; *remind*
 * sends an answer, and later each reminder; *converse* sends as many sounds and texts as it likes.
 */
export type Role =
  | 'chunks'
  | 'whole'
  | 'sentences'
  | 'answer'
  | 'each'
  | 'one'
  | 'announcement'
  | 'text'
  | 'reminder'
  | 'question'
  | 'conversation'

/** The services of the flow. Each has all the nodes. */
export const services = ['device', 'hosted', 'steady'] as const
export type Service = (typeof services)[number]

/** The id of its config node. */
export const serviceNodeOf = (service: Service) => `${service}-service`

export const busyModes = ['wait', 'parallel', 'replace'] as const
export const outputs = ['chunks', 'whole'] as const

/** What each node sends. The id of a node is the service, a hyphen and this name. */
const roles: Record<string, Role> = {
  ...Object.fromEntries(
    outputs.flatMap((output) => busyModes.map((busy) => [`${output}-${busy}`, output])),
  ),
  'ask-chat': 'sentences',
  'ask-speak': 'chunks',
  'answer-chat': 'answer',
  'dictate-speak': 'whole',
  'dictate-listen': 'one',
  'voices-list': 'one',
  'guest-clone': 'one',
  'kept-clone': 'one',
  'guest-speak': 'whole',
  'guest-delete': 'one',
  'tidy-list': 'each',
  'tidy-delete': 'one',
  'page-speak': 'whole',
  'speaker-announce': 'announcement',
  'speaker-read': 'text',
  'long-speak': 'whole',
  'remind-remind': 'reminder',
  'mpd-announce': 'announcement',
  'browser-announce': 'announcement',
  'browser-ask': 'question',
  'browser-insist': 'question',
  'phone-speak': 'chunks',
  'phone-converse': 'conversation',
}

export function roleOf(nodeId: string): Role {
  return roles[nodeId.slice(nodeId.indexOf('-') + 1)]!
}

/** Whether Catch may receive failures of a message whose work goes on. */
export const reportsFailures = (nodeId: string) =>
  ['question', 'conversation'].includes(roleOf(nodeId))

export const nodeNames = Object.keys(roles)
export const nodeIds = services.flatMap((service) => nodeNames.map((name) => `${service}-${name}`))
