/** What happens to messages inside Node-RED, in the order in which it happens. */
export type FlowEvent = Received | Done | Sent | Caught | Closed

interface OfNode {
  /** The node's id. */
  node: string
}

/** A node has got a message. */
export interface Received extends OfNode {
  is: 'received'
  /** The number of this message at this node. */
  ticket: number
  /** The id of the message; clones, and what other nodes make of it, have the same. */
  message: string
  /** The id of the sequence that it is part of. */
  sequence?: string
  /** It asks for no work. */
  order?: 'stop' | 'reset'
  /** False where Node-RED has closed the node already, so that nobody takes the message. */
  isHeard: boolean
  /** Node-RED has begun to close the node. */
  isClosing: boolean
}

export interface Done extends OfNode {
  is: 'done'
  ticket: number
  /** The code of the error that goes to Catch, or its message where the code is no more than `FAILED`. */
  failure?: string
}

export interface Sent extends OfNode {
  is: 'sent'
  /** Present where it is the message that came in itself. */
  ticket?: number
  message: string
  /** Node-RED has begun to close the node. */
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

/** What the sender wants to know again in the answer. */
export interface Asked {
  text: string
  pace?: number
}

/** A Catch node has got the failure of a node. */
export interface Caught extends OfNode {
  is: 'caught'
  message: string
}

/** Node-RED closes the node. */
export interface Closed extends OfNode {
  is: 'closed'
}
