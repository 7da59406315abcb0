import type { ServedTool, ToolServer } from '../../mcp/tool-server.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import type { Texts } from '../../runtime/texts.ts'

const when = {
  type: 'string',
  description:
    'When, in English or in the words of the user: "in 10 minutes", "at 19:30", "tomorrow at 7:30", "every weekday at 6", "every Monday and Friday at 8", "2026-12-24 18:00"',
}
const by = {
  type: 'string',
  description: 'Instead of when, by how much to postpone it from when it is due: "10 minutes"',
}
const name = {
  type: 'string',
  description: 'What it is about, in the words of the user, such as "tea" or "the bins"',
}

const tool = (
  command: string,
  description: string,
  properties: Record<string, object>,
  required: string[] = [],
): ServedTool => ({
  name: `${command}_reminder`,
  description,
  parameters: { type: 'object', properties, required },
})

/** What a language model may do with timers and reminders. */
const tools: readonly ServedTool[] = [
  tool(
    'set',
    'Sets a timer, an alarm or a reminder. It is said to the user when it is due.',
    { when, name },
    ['when'],
  ),
  tool('list', 'Lists the timers, alarms and reminders, with the time that is left of each.', {
    name,
  }),
  tool(
    'change',
    'Changes when a timer, an alarm or a reminder is due: to another time, or later by a duration. If it repeats, a time without a day, such as "at 8", changes all times; otherwise, only the next one moves.',
    { when, by, name },
  ),
  tool(
    'cancel',
    'Cancels a timer, an alarm or a reminder by its name, or by its time as the name, or all of them.',
    {
      name,
      all: { type: 'boolean' },
    },
  ),
]

/**
 * Offers the commands of a node to language models, as a server of tools does.
 * @param carryOut carries out an object as in `msg.remind`, and returns the answer as a sentence. May throw.
 */
export function createReminderTools(
  RED: Texts,
  serverName: string,
  carryOut: (command: Record<string, unknown>) => string,
): ToolServer {
  return {
    serverName,
    listTools: async () => tools,
    async callTool(toolName, json) {
      const values = parseObject(json)
      if (!values) throw new NodeInputError(RED._('remind.error.not-command'))
      return carryOut({ ...values, command: toolName.replace('_reminder', '') })
    },
  }
}

/** The arguments as a language model has written them. It leaves out what it does not know, or writes `null` or nothing. */
function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const values: unknown = JSON.parse(json || '{}')
    if (typeof values !== 'object' || values === null || Array.isArray(values)) return undefined
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  } catch {
    return undefined
  }
}
