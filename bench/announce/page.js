import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { pageName, pcm } from './flow.js'

const bytesPerMs = (pcm.sampleRateHertz * 2) / 1000
/** How much a page waits for before it plays. */
const leadMs = 150

/** A page without a browser: it fetches the sounds that it is to play, and reports their end at once. */
export async function connectPage(baseUrl, player) {
  const { call, report, requestToken, close } = createPageRequests(baseUrl, player)
  let lastFirstByteAt
  let maxSilentMs = 0
  const play = async (id) => {
    const response = await call('GET', 'audio', { id })
    let firstByteAt
    let bytes = 0
    response.on('data', (chunk) => {
      const now = performance.now()
      firstByteAt ??= now
      const playedMs = now - firstByteAt - leadMs
      maxSilentMs = Math.max(maxSilentMs, playedMs - bytes / bytesPerMs)
      bytes += chunk.length
    })
    await Promise.all([once(response, 'end'), report(id, 'started')])
    lastFirstByteAt = firstByteAt
    await report(id, 'ended')
  }

  const events = await call('GET', 'events', await requestToken())
  let isClosed = false
  const take = async ({ type, id }) => {
    if (!['probe', 'offer'].includes(type)) return
    const { play: isChosen } = await report(id, 'ready')
    if (isChosen && type === 'offer') await play(id)
  }
  const lines = createInterface(events)
  lines.on('line', (line) => {
    if (!line.startsWith('data: ')) return
    take(JSON.parse(line.slice('data: '.length))).catch((error) => {
      // An announcement ends when the server has received the last report, before the page has its response.
      if (!isClosed) throw error
    })
  })
  // `close` aborts the response.
  lines.on('error', () => {})
  return {
    lastFirstByteAt: () => lastFirstByteAt,
    /** The longest time for which the page had nothing to play. */
    maxSilentMs: () => maxSilentMs,
    close() {
      isClosed = true
      close()
    },
  }
}

/** The requests of a page, over connections that stay open. */
function createPageRequests(baseUrl, player) {
  const agent = new Agent({ keepAlive: true })
  /** @returns the response, whose body is not read. */
  const call = async (method, action, parameters) => {
    const query = new URLSearchParams({ player, ...parameters })
    const url = `${baseUrl}/parlando/speaker/${pageName}/${action}?${query}`
    const sending = request(url, { method, agent })
    sending.end()
    const [response] = await once(sending, 'response')
    if (response.statusCode !== 200) {
      throw new Error(`${action} of the page responded with ${response.statusCode}`)
    }
    return response
  }
  const post = async (action, parameters) => {
    const response = await call('POST', action, parameters)
    const chunks = await response.toArray()
    return JSON.parse(Buffer.concat(chunks).toString())
  }
  return {
    call,
    report: (id, event) => post('report', { id, event }),
    requestToken: () => post('token', {}),
    close: () => agent.destroy(),
  }
}
