import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { NodeAPI } from 'node-red'
import type { WebSocketServer } from 'ws'
import { pageName } from '../../shared/page-name.ts'
import { sendPage, sendScript } from '../../shared/serve-page.ts'
import { createMicrophonePage, type MicrophonePage, type MicrophonePageOptions } from './page.ts'
import { isFromSameHost } from './same-host.ts'
import { createTokens, type Tokens } from './tokens.ts'

/** Ten packets of 20 ms. Browsers send each packet in a message of its own. */
const maxMessageBytes = 6400

interface Entry {
  /** As people have written it. */
  name: string
  page: MicrophonePage
}

interface Pages {
  byName: Map<string, Entry>
  /** Handles the connections of all pages. The server has this listener only while there are pages. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

const pagesOf = new WeakMap<NodeAPI, Pages>()

/**
 * Opens the page of a microphone, `<httpNodeRoot>/parlando/microphone/<name>`, until it is closed.
 * @returns nothing if another microphone has the name.
 */
export function openMicrophonePage(
  RED: NodeAPI,
  name: string,
  options: MicrophonePageOptions,
): Pick<MicrophonePage, 'stop' | 'close'> | undefined {
  const pages = pagesOf.get(RED) ?? addPageRoutes(RED)
  pagesOf.set(RED, pages)
  const { byName, onUpgrade } = pages
  const path = pageName(name)
  if (byName.has(path)) return undefined
  const page = createMicrophonePage(options)
  // A Node-RED inside another application may have no server.
  if (byName.size === 0) RED.server?.on('upgrade', onUpgrade)
  byName.set(path, { name, page })
  return {
    stop: page.stop,
    close() {
      byName.delete(path)
      if (byName.size === 0) RED.server?.off('upgrade', onUpgrade)
      page.close()
    },
  }
}

function addPageRoutes(RED: NodeAPI): Pages {
  const byName: Pages['byName'] = new Map()
  const tokens = createTokens()
  const { httpNode } = RED
  httpNode.get('/parlando/microphone-page.js', (_request, response) => {
    sendScript(response, 'microphone.js')
  })
  httpNode.get('/parlando/microphone-worklet.js', (_request, response) => {
    sendScript(response, 'microphone-worklet.js')
  })
  httpNode.get('/parlando/microphone/:name', ({ params, path }, response) => {
    const name = pageName(params.name)
    // The addresses inside the page are relative to one without a slash at the end.
    if (path.endsWith('/')) return response.redirect(`../${encodeURIComponent(name)}`)
    const entry = byName.get(name)
    if (entry) return sendPage(response, 'microphone.html', entry.name)
    response.status(404).type('text').send(RED._('microphone.error.no-page', { name }))
  })
  // Express checks the password of the HTTP nodes for this route, but not for the connection that the token opens.
  httpNode.post('/parlando/microphone/:name/token', (request, response) => {
    if (!byName.has(pageName(request.params.name))) return void response.status(404).end()
    if (!isFromSameHost(request)) return void response.status(403).end()
    response.set('Cache-Control', 'no-store').json({ token: tokens.issue() })
  })
  return { byName, onUpgrade: createUpgradeListener(RED, byName, tokens) }
}

function createUpgradeListener(
  RED: NodeAPI,
  byName: Pages['byName'],
  tokens: Tokens,
): Pages['onUpgrade'] {
  let server: Promise<WebSocketServer> | undefined
  const accept = async (name: string, request: IncomingMessage, socket: Duplex, head: Buffer) => {
    server ??= createServer()
    const sockets = await server
    const page = byName.get(name)?.page
    if (!page) return reject(socket, '404 Not Found')
    if (page.isFull) return reject(socket, '503 Service Unavailable')
    sockets.handleUpgrade(request, socket, head, (connection) => page.connect(connection))
  }
  return (request, socket, head) => {
    const target = readTarget(RED, request.url ?? '')
    // Other listeners, such as that of the editor, handle the other paths.
    if (!target) return
    socket.on('error', () => {})
    if (!isFromSameHost(request)) return reject(socket, '403 Forbidden')
    if (!tokens.redeem(target.token)) return reject(socket, '401 Unauthorized')
    accept(target.name, request, socket, head).catch(() => socket.destroy())
  }
}

/** A Node-RED whose flows have no microphone does not load the package. */
async function createServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
  })
}

/** @returns nothing if the address is not below that of the microphones; without a name if it is malformed. */
function readTarget(RED: NodeAPI, url: string): { name: string; token: string } | undefined {
  const root = (RED.settings.httpNodeRoot || '/').replace(/\/$/, '')
  const prefix = `${root}/parlando/microphone/`
  if (!url.startsWith(prefix)) return undefined
  const [path = '', query] = url.slice(prefix.length).split('?')
  const [name = '', ...rest] = path.split('/')
  const isSocket = rest.join('/') === 'socket'
  const token = new URLSearchParams(query).get('token') ?? ''
  return { name: isSocket ? pageName(decoded(name)) : '', token }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function reject(socket: Duplex, status: string): void {
  // The limits of the HTTP server no longer apply to a socket that was to be upgraded.
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
