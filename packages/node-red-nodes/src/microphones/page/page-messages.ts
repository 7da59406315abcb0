/**
 * How somebody talks to a page: while the button is held; after a tap until silence; all the time after a tap; or after a wake
 * word until silence, again and again after one tap.
 */
export const talkModes = ['push', 'tap', 'hands-free', 'wake-word'] as const
export type TalkMode = (typeof talkModes)[number]

/** Who says a text: the person at the page, or the flow. */
export const textRoles = ['user', 'assistant'] as const
export type TextRole = (typeof textRoles)[number]

/** What a page needs to know. It loads itself again when this changes. */
export interface PageSettings {
  mode: TalkMode
  /** The name in the address of the speaker page that it also is; empty: none. */
  speaker: string
}

/**
 * What a page sends as text. After `start`, it sends the PCM of a recording as binary messages; after `wait`, that in which the
 * service finds the wake word. `end` ends both.
 */
export type PageMessage = { type: (typeof pageMessageTypes)[number] }
const pageMessageTypes = ['start', 'wait', 'end'] as const

/** What the server sends to a page. */
export type ServerMessage =
  | { type: 'ready'; settings: PageSettings }
  /** A sign of life. */
  | { type: 'alive' }
  /** Another page is recording. */
  | { type: 'busy' }
  /** A text of the flow: what somebody has said, or the response. */
  | { type: 'show'; role: TextRole; text: string }
  /** The flow has ended the recording. */
  | { type: 'stop' }
  /** The service waits for one of these phrases. */
  | { type: 'waiting'; phrases: readonly string[] }
  /** Somebody has said the wake word, or the flow wants to listen: what the page sends now is a recording. */
  | { type: 'awake' }
  /** The service cannot wait for a wake word, and why. Node-RED tries again. */
  | { type: 'wake-word-problem'; reason: string }

/** @returns nothing for a message that no page of ours would send. */
export function readPageMessage(text: string): PageMessage | undefined {
  try {
    const { type } = JSON.parse(text) as PageMessage
    return pageMessageTypes.includes(type) ? { type } : undefined
  } catch {
    return undefined
  }
}
