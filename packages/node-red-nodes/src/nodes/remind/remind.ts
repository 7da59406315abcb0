import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { carryOut } from '../../reminders/carry-out-command.ts'
import { type CommandReader, readSentence } from '../../reminders/parsing/read-command.ts'
import { readCommandObject } from '../../reminders/parsing/read-command-object.ts'
import { isReminder, type Reminder, type ReminderEvent } from '../../reminders/reminder.ts'
import { Reminders } from '../../reminders/reminders.ts'
import { pointText } from '../../reminders/sentences.ts'
import { isTimeZone, machineTimeZone } from '../../reminders/zoned-time.ts'
import { AfterDeploy } from '../../runtime/after-deploy.ts'
import { NodeInputError, toFailure } from '../../runtime/failure.ts'
import { handleClose, handleInput } from '../../runtime/input.ts'
import { onRemoval } from '../../runtime/removed-nodes.ts'
import { noteRunning } from '../../runtime/running-nodes.ts'
import { chosenLanguage, nodeRedLanguage } from '../../runtime/texts.ts'
import { createSavedList } from '../../saved/saved-list.ts'
import { answerMessage, dueMessage, keptMessage, type RemindMessage } from './remind-messages.ts'
import { createReminderTools } from './reminder-tools.ts'

/** Settings of the form. A hand-written flow may leave each out. */
interface RemindDef extends NodeDef {
  /** Default: that of Node-RED. */
  language?: string
  /** Default: that of this machine. */
  timeZone?: string
  /** Whether timers also say when half of their time is over. */
  half?: boolean
}

/** All nodes together save at most this many reminders. */
const maxSaved = 1000

function register(RED: NodeAPI): void {
  const store = createSavedList<Reminder>({
    path: join(RED.settings.userDir ?? '.', 'parlando', 'reminders.json'),
    isEntry: isReminder,
    maxEntries: maxSaved,
    onError: ({ message }) => RED.log.warn(RED._('remind.error.not-saved', { reason: message })),
  })
  const afterDeploy = new AfterDeploy(RED)
  onRemoval(RED, ({ isDeleted }) => store.removeOf(isDeleted))

  function Remind(this: Node, config: RemindDef) {
    RED.nodes.createNode(this, config)
    noteRunning(this, config)
    const reminders = new Reminders({
      store,
      nodeId: this.id,
      onDue: (reminder, event) => sendDue(RED, this, reminder, event),
      onChange: () => showNext(RED, this, reminders.list()),
    })
    afterDeploy.follow(this, () => reminders.start())

    const obey = (message: RemindMessage) => {
      const reader = readerFor(RED, config, message)
      return carryOut(readCommand(message, reader), {
        RED,
        reminders,
        nodeId: this.id,
        half: config.half === true,
        language: reader.language,
        ...reader.clock,
        message: keptMessage(message),
      })
    }

    handleInput<RemindMessage>(this, (message, send, end) => {
      if (message.stop === true) {
        reminders.cancel(reminders.list())
        return end()
      }
      send([null, answerMessage(message, obey(message))])
      end()
    })

    // A converse node finds these tools by the type of the node.
    const obeyTool = (remind: object) => obey({ _msgid: RED.util.generateId(), remind }).sentence
    Object.assign(this, createReminderTools(RED, this.name || 'remind', obeyTool))

    handleClose(RED, this, async ({ isRemoved }) => {
      reminders.close()
      afterDeploy.leave(this, isRemoved)
      this.status({})
      await store.flush()
    })
  }
  RED.nodes.registerType('parlando-remind', Remind)
}

/** The language and the clock with which the node reads a message. @throws {NodeInputError} for an unknown time zone. */
function readerFor(RED: NodeAPI, config: RemindDef, { language }: RemindMessage): CommandReader {
  const timeZone = config.timeZone?.trim() || machineTimeZone()
  if (!isTimeZone(timeZone)) {
    throw new NodeInputError(RED._('remind.error.not-time-zone'))
  }
  return {
    RED,
    language: chosenLanguage(RED, language, config.language),
    clock: { nowMs: Date.now(), timeZone },
  }
}

function readCommand({ remind, payload }: RemindMessage, reader: CommandReader) {
  const given = remind ?? payload
  if (typeof given === 'string' && given.trim() !== '') return readSentence(given, reader)
  if (remind !== undefined) return readCommandObject(remind, reader)
  throw new NodeInputError(reader.RED._('remind.error.not-text'))
}

/** Sends a reminder. An error in the flow must not keep the others waiting. */
function sendDue(RED: NodeAPI, node: Node, reminder: Reminder, event: ReminderEvent): void {
  try {
    const message = dueMessage(reminder, event, RED.util.generateId())
    // Node-RED does not clone it for the first wire, and a flow may change what the reminder keeps.
    node.send([RED.util.cloneMessage(message), null])
  } catch (error) {
    node.error(toFailure(error))
  }
}

/** Shows when the next one is due: in the language of Node-RED, as all texts with values. */
function showNext(RED: NodeAPI, node: Node, reminders: Reminder[]): void {
  const [next] = reminders
  if (!next) return void node.status({})
  const { dueMs, timeZone } = next
  const listener = { language: nodeRedLanguage(RED), timeZone, nowMs: Date.now() }
  const values = { time: pointText(dueMs, listener), count: reminders.length }
  const key = reminders.length === 1 ? 'next' : 'next-of'
  node.status({ fill: 'green', shape: 'dot', text: RED._(`remind.status.${key}`, values) })
}

export = register
