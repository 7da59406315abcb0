/** How somebody talks to a page: while the button is held, after a tap until silence, or all the time after a tap. */
export const talkModes = ['push', 'tap', 'hands-free'] as const
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

/** What a page sends as text. Between `start` and `end`, it sends binary messages with PCM. */
export type PageMessage = { type: 'start' } | { type: 'end' }

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

/** @returns nothing for a message that no page of ours would send. */
export function readPageMessage(text: string): PageMessage | undefined {
  try {
    const { type } = JSON.parse(text) as PageMessage
    return type === 'start' || type === 'end' ? { type } : undefined
  } catch {
    return undefined
  }
}
