/** The events of messages inside Node-RED, in order. */
export type FlowEvent = Received | Done | Sent | Caught | Closed

interface OfNode {
  /** The node's id. */
  node: string
}

/** A node received a message. */
export interface Received extends OfNode {
  is: 'received'
  /** The number of this message at this node. */
  ticket: number
  /** The id of the message; its clones and the messages of later nodes have the same id. */
  message: string
  /** The id of its sequence. */
  sequence?: string
  /** It is a control message. */
  order?: 'stop' | 'reset'
  /** False if Node-RED has already closed the node, so that it cannot receive the message. */
  isHeard: boolean
  /** Node-RED has started to close the node. */
  isClosing: boolean
}

export interface Done extends OfNode {
  is: 'done'
  ticket: number
  /** The code of the error that Catch receives, or its message if the code is only `FAILED`. */
  failure?: string
}

export interface Sent extends OfNode {
  is: 'sent'
  /** Present if it is the received message itself, not a clone. */
  ticket?: number
  message: string
  /** Node-RED has started to close the node. */
  isClosing: boolean
  parts?: { id: string; index: number; count?: number }
  isComplete: boolean
  /** Of a Buffer. */
  bytes?: number
  /** Of a text. */
  text?: string
  audio?: SentAudio
  asked?: Asked
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

/** A value that identifies the request in the response. */
export interface Asked {
  text: string
  pace?: number
}

/** A Catch node received the failure of a node. */
export interface Caught extends OfNode {
  is: 'caught'
  message: string
}

/** Node-RED closes the node. */
export interface Closed extends OfNode {
  is: 'closed'
}
