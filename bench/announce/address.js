import { once } from 'node:events'
import { get } from 'node:http'
import { addressIdOf, speakIdOf } from './flow.js'

/** A client that fetches the address as soon as the address node sends it. */
export function createAddress(RED, baseUrl) {
  return {
    /** From the text of the speak node to the first byte; resolves after the whole sound. */
    firstByteMs: (response) => async (text) => {
      const startedAt = performance.now()
      const fetched = new Promise((resolve, reject) => {
        RED.hooks.add('onSend.address', ([{ msg, source }]) => {
          if (source.id !== addressIdOf(response)) return
          RED.hooks.remove('onSend.address')
          // The address names the local network; the client is on this machine.
          fetchFirstByte(new URL(new URL(msg.url).pathname, baseUrl)).then(resolve, reject)
        })
      })
      RED.nodes.getNode(speakIdOf(response)).receive({ payload: text })
      return (await fetched) - startedAt
    },
  }
}

/** @returns when the first byte arrived. */
async function fetchFirstByte(url) {
  const [response] = await once(get(url), 'response')
  if (response.statusCode !== 200) throw new Error(`${url} responded with ${response.statusCode}`)
  let firstByteAt
  response.on('data', () => {
    firstByteAt ??= performance.now()
  })
  await once(response, 'end')
  return firstByteAt
}
