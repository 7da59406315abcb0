import type { NodeMessage } from 'node-red'
import { maxCharacters as maxReminderCharacters } from '../../reminders/parsing/read-when.ts'

/** How a node is a tool for the programs of others. */
export interface NodeTool {
  /** The name until the node has one of its own. */
  name: string
  description: string
  /** The arguments; each has a type, and a text has a limit. */
  parameters: Record<string, ToolParameter>
  required: readonly string[]
  /** The message for the node. The arguments match the parameters. */
  toMessage(values: Record<string, unknown>): Record<string, unknown>
  /** The outputs whose first message is the result, counted from 0. Default: all. */
  resultOutputs?: readonly number[]
  /** What the node has sent there, as the result of the tool. */
  toResult(sent: Record<string, unknown>): unknown
}

export type ToolParameter = { description: string } & (
  | { type: 'string'; enum?: readonly string[]; maxLength?: number }
  | { type: 'array'; items: { type: 'string' }; maxItems: number }
)

const speakers: ToolParameter = {
  type: 'array',
  items: { type: 'string' },
  maxItems: 50,
  description: 'Names or rooms of speakers, or "everywhere". Default: those of the node.',
}

const toMessage: NodeTool['toMessage'] = ({ text, ...settings }) => ({ payload: text, ...settings })

const announceTool: NodeTool = {
  name: 'announce',
  description:
    'Says a text on the speakers of the house. Responds when it was said, with the speakers, or why it was not.',
  parameters: {
    text: { type: 'string', maxLength: 2000, description: 'What is said.' },
    speakers,
    priority: {
      type: 'string',
      // An alarm is repeated until somebody in the house acknowledges it.
      enum: ['info', 'normal', 'urgent'],
      description: 'How important it is. Default: that of the node.',
    },
  },
  required: ['text'],
  toMessage,
  // The third one is for the addresses of sounds, which a player still has to play.
  resultOutputs: [0, 1],
  toResult: ({ announcement }) => announcement,
}

const askTool: NodeTool = {
  name: 'ask',
  description:
    'Asks the people of the house a question on a speaker, and listens. Responds with one of the answers that the node accepts, such as yes or no, or with "something else" or "nobody answered".',
  parameters: {
    text: { type: 'string', maxLength: 500, description: 'The question.' },
    speakers,
    priority: {
      type: 'string',
      enum: ['normal', 'urgent'],
      description: 'How important it is. Default: that of the node.',
    },
  },
  required: ['text'],
  toMessage,
  // What somebody has said that is no answer does not leave the house.
  toResult({ answer }) {
    const { name, value, by } = answer as Record<string, unknown>
    return { answer: name, value, by }
  },
}

const remindTool: NodeTool = {
  name: 'remind',
  description:
    'Sets, lists, changes and cancels timers and reminders of the house, with a sentence such as "a timer for five minutes", "remind me of the bins tomorrow at seven", "how long is left?" or "cancel the timer".',
  parameters: {
    text: { type: 'string', maxLength: maxReminderCharacters, description: 'The sentence.' },
  },
  required: ['text'],
  toMessage,
  toResult: ({ payload, reminders }) => ({ said: payload, reminders }),
}

/** The nodes that can be tools, by their types. */
export const nodeTools: Readonly<Record<string, NodeTool>> = {
  'parlando-announce': announceTool,
  'parlando-ask': askTool,
  'parlando-remind': remindTool,
}

export type SentMessage = NodeMessage & Record<string, unknown>
