// Runs inside Node-RED. Reports every message that a Parlando node receives, completes or sends, and every caught failure.
import { createRequire } from 'node:module'
import { failureName } from './failure-name.js'

const ofNodeRed = createRequire(process.argv[1])
const { events, hooks } = ofNodeRed('@node-red/util')

export { events }

/** Of messages that request no work. */
const controls = ['stop', 'reset', 'played', 'pause', 'resume', 'skip']

/** @returns a function that sends a message to a node. */
export function watchFlows(notify) {
  // By message object and node: clones share an id, and several nodes of a flow receive the same object.
  const tickets = new WeakMap()
  const known = new WeakSet()
  const closing = new WeakSet()
  let lastTicket = 0

  const ticketOf = (message, node) => tickets.get(message)?.get(node)

  const issueTicket = (message, node) => {
    const ofMessage = tickets.get(message) ?? new WeakMap()
    tickets.set(message, ofMessage)
    ofMessage.set(node, ++lastTicket)
    return lastTicket
  }

  const meet = (node) => {
    if (known.has(node)) return
    known.add(node)
    // Before the node's own close callback, which can complete messages.
    node._closeCallbacks.unshift(() => {
      closing.add(node)
      notify({ is: 'closed', node: node.id })
    })
  }

  hooks.add('onReceive.soak', ({ msg, destination: { node } }) => {
    if (node.type === 'catch') {
      const { source, code } = msg.error
      if (source.type.startsWith('parlando-'))
        notify({ is: 'caught', node: source.id, message: msg._msgid, code })
    }
    if (!isOurs(node)) return
    meet(node)
    notify({
      is: 'received',
      ticket: issueTicket(msg, node),
      node: node.id,
      message: msg._msgid,
      sequence: msg.parts?.id,
      control: controls.find((name) => msg[name] === true || (name === 'skip' && 'skip' in msg)),
      // Node-RED removes the handlers of a closed node, and drops its later messages.
      isDelivered: Boolean(node._inputCallback ?? node._inputCallbacks),
      isClosing: closing.has(node),
    })
  })
  hooks.add('onComplete.soak', ({ msg, node: { node }, error }) => {
    if (!isOurs(node)) return
    const ticket = ticketOf(msg, node)
    notify({ is: 'done', ticket, node: node.id, failure: error && failureName(error) })
  })
  hooks.add('onSend.soak', (sent) => {
    for (const { msg, source } of sent) {
      const { node } = source
      if (isOurs(node)) notify(sentEvent(msg, node, ticketOf(msg, node), closing.has(node)))
    }
  })

  return ({ node: id, message }) => {
    const node = ofNodeRed('./lib/red.js').nodes.getNode(id)
    node?.receive(message)
    return Boolean(node)
  }
}

function isOurs(node) {
  return node.type.startsWith('parlando-') && node.type !== 'parlando-service'
}

/** An answer lists the reminders that it is about. */
function remindersIn({ reminder, reminders = [reminder] }) {
  return reminder && { event: reminder.event, ids: reminders.map(({ id }) => id) }
}

/** @param ticket Set if the node sends the message object that it received. */
function sentEvent(message, node, ticket, isClosing) {
  const { payload, parts, audio, announcement, reading, answer, complete, _msgid } = message
  return {
    is: 'sent',
    ticket,
    node: node.id,
    message: _msgid,
    isClosing,
    parts: parts && { id: parts.id, index: parts.index, count: parts.count },
    isComplete: complete === true,
    bytes: Buffer.isBuffer(payload) ? payload.length : undefined,
    text: typeof payload === 'string' ? payload : undefined,
    audio: audio && { ...audio, usage: undefined },
    report: (announcement ?? reading)?.status,
    answer: answer?.by ?? answer?.name,
    reminders: remindersIn(message),
    expected: message.expected,
  }
}
