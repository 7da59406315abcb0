/** An event of a message inside Node-RED. Events arrive in the order in which they happen. */
export type FlowEvent = Received | Done | Sent | Caught | Closed

interface OfNode {
  /** The node's id. */
  node: string
}

/** A node receives a message. */
export interface Received extends OfNode {
  is: 'received'
  /** Identifies this message at this node. */
  ticket: number
  /** The id of the message. Clones and derived messages share it. */
  message: string
  /** The id of the sequence to which the message belongs. */
  sequence?: string
  /** Set for control messages, which request no work. */
  control?: 'stop' | 'reset' | 'played' | 'pause' | 'resume' | 'skip'
  /** False if Node-RED has already closed the node, which drops the message. */
  isDelivered: boolean
  /** Whether Node-RED has started to close the node. */
  isClosing: boolean
}

export interface Done extends OfNode {
  is: 'done'
  ticket: number
  /** The code of the error for Catch, or its message if the code is only `FAILED`. */
  failure?: string
}

export interface Sent extends OfNode {
  is: 'sent'
  /** Present if the sent message is the received message itself. */
  ticket?: number
  message: string
  /** Whether Node-RED has started to close the node. */
  isClosing: boolean
  parts?: { id: string; index: number; count?: number }
  isComplete: boolean
  /** The size of a Buffer payload. */
  bytes?: number
  /** A text payload. */
  text?: string
  audio?: SentAudio
  /** The status in `msg.announcement` or `msg.reading`. */
  report?: string
  /** How a question was answered, or its name in `msg.answer` if nobody has answered it. */
  answer?: string
  /** What has become of reminders, by their ids. */
  reminders?: { event: string; ids: string[] }
  expected?: Expected
}

export interface SentAudio {
  encoding: string
  sampleRateHertz: number
  bytes: number
  durationSeconds?: number
  voiceId: string
  modelId: string
  characters: number
}

/** What the test expects in the response; it travels with the message. */
export interface Expected {
  text: string
  pace?: number
}

/** A Catch node receives the failure of a node. */
export interface Caught extends OfNode {
  is: 'caught'
  message: string
}

/** Node-RED closes the node. */
export interface Closed extends OfNode {
  is: 'closed'
}
