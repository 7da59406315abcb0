import { announceId } from './flow.js'

/** Sends messages to the announce node. */
export function createAnnouncements(RED) {
  const waiting = new Map()
  RED.hooks.add('onComplete.announcements', ({ msg, error }) => {
    const end = waiting.get(msg._msgid)
    waiting.delete(msg._msgid)
    if (error) end?.reject(new Error(String(error)))
    else end?.resolve()
  })
  const send = (message) => {
    const _msgid = RED.util.generateId()
    const ended = new Promise((resolve, reject) => waiting.set(_msgid, { resolve, reject }))
    RED.nodes.getNode(announceId).receive({ _msgid, ...message })
    return ended
  }
  return {
    /** Resolves when the announcement has ended. */
    say: (text, speakers = 'machine') => send({ payload: text, speakers }),
    stop: () => send({ stop: true }),
  }
}
