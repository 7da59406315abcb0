import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { NodeAPI } from 'node-red'
import type { WebSocket, WebSocketServer } from 'ws'
import { checkOrigin, knownHosts } from './check-origin.ts'
import { addToPageList } from './page-list.ts'
import { pageName } from './page-name.ts'
import { createTokens } from './page-tokens.ts'
import { sendPage, sendScript } from './send-page.ts'

/** The pages of one kind, by the part of their address that names them. */
export interface Pages<Page> {
  get(path: string): Page | undefined
  /** @param name As people have written it. */
  open(path: string, name: string, page: Page): void
  close(path: string): void
  /** @returns whether the token of a connection is valid. It is not valid again. */
  redeem(token: string): boolean
}

export interface PagesOptions<Page> {
  kind: 'speaker' | 'microphone'
  /** The key of the text for a name that no page has. */
  unknown: string
  /** The scripts that the page loads, by the end of their address. */
  scripts: Readonly<Record<string, string>>
  /** The size of a message that a page sends. */
  maxMessageBytes: number
  connect(page: Page, socket: WebSocket, request: ConnectionRequest): void
  /** How many browsers have a page open. */
  countOpen(page: Page): number
}

export interface ConnectionRequest {
  query: URLSearchParams
  /** The remote address. */
  address: string
}

const statuses = { foreign: 403, 'unknown-name': 421 } as const

/**
 * Serves the pages of one kind below `<httpNodeRoot>/parlando/<kind>/`, and lists them at `/parlando/`. Each page requests a token with
 * `POST <page>/token`, which opens one connection, `<page>/socket?token=…`.
 */
export function servePages<Page>(RED: NodeAPI, options: PagesOptions<Page>): Pages<Page> {
  const { kind, unknown, scripts, countOpen } = options
  const pages = new Map<string, { name: string; page: Page }>()
  const tokens = createTokens()
  const get = (path: string) => pages.get(path)?.page
  const onUpgrade = createUpgradeListener(RED, options, get, tokens.redeem)
  const { httpNode } = RED

  for (const [address, file] of Object.entries(scripts)) {
    httpNode.get(`/parlando/${address}`, (_request, response) => sendScript(response, file))
  }
  addToPageList(RED, () =>
    [...pages].map(([path, { name, page }]) => ({ kind, path, name, open: countOpen(page) })),
  )
  httpNode.get(`/parlando/${kind}`, ({ path }, response) =>
    response.redirect(path.endsWith('/') ? '../' : './'),
  )
  httpNode.get(`/parlando/${kind}/:name`, ({ params, path }, response) => {
    const name = pageName(params.name)
    // The addresses inside the page are relative to one without a slash at the end.
    if (path.endsWith('/')) return response.redirect(`../${encodeURIComponent(name)}`)
    const entry = pages.get(name)
    if (entry) return sendPage(response, `${kind}.html`, entry.name)
    response.status(404).type('text').send(RED._(unknown, { name }))
  })
  // Express checks the password of the HTTP nodes for this route, but not for the connection that the token opens.
  httpNode.post(`/parlando/${kind}/:name/token`, (request, response) => {
    if (!pages.has(pageName(request.params.name))) return void response.status(404).end()
    const problem = checkOrigin(request, knownHosts(RED))
    if (problem) return void response.status(statuses[problem]).end()
    response.set('Cache-Control', 'no-store').json({ token: tokens.issue() })
  })
  return {
    get,
    open(path, name, page) {
      // A Node-RED inside another application may have no server. It has the listener only while there are pages.
      if (pages.size === 0) RED.server?.on('upgrade', onUpgrade)
      pages.set(path, { name, page })
    },
    close(path) {
      pages.delete(path)
      if (pages.size === 0) RED.server?.off('upgrade', onUpgrade)
    },
    redeem: tokens.redeem,
  }
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

function createUpgradeListener<Page>(
  RED: NodeAPI,
  { kind, maxMessageBytes, connect }: PagesOptions<Page>,
  get: (path: string) => Page | undefined,
  redeem: (token: string) => boolean,
): UpgradeListener {
  let server: Promise<WebSocketServer> | undefined
  const accept = async (
    { name, query }: Target,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ) => {
    server ??= createServer(maxMessageBytes)
    const sockets = await server
    const page = get(name)
    if (!page) return reject(socket, '404 Not Found')
    const address = request.socket.remoteAddress ?? ''
    sockets.handleUpgrade(request, socket, head, (connection) =>
      connect(page, connection, { query, address }),
    )
  }
  return (request, socket, head) => {
    const target = readTarget(RED, kind, request.url ?? '')
    // Other listeners, such as that of the editor, handle the other paths.
    if (!target) return
    socket.on('error', () => {})
    if (checkOrigin(request, knownHosts(RED))) return reject(socket, '403 Forbidden')
    if (!redeem(target.query.get('token') ?? '')) return reject(socket, '401 Unauthorized')
    accept(target, request, socket, head).catch(() => socket.destroy())
  }
}

/** A Node-RED whose flows have no pages does not load the package. */
async function createServer(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
  })
}

interface Target {
  name: string
  query: URLSearchParams
}

/** @returns nothing if the address is not below that of the pages; without a name if it is malformed. */
function readTarget(RED: NodeAPI, kind: string, url: string): Target | undefined {
  const root = (RED.settings.httpNodeRoot || '/').replace(/\/$/, '')
  const prefix = `${root}/parlando/${kind}/`
  if (!url.startsWith(prefix)) return undefined
  const [path = '', query] = url.slice(prefix.length).split('?')
  const [name = '', ...rest] = path.split('/')
  const isSocket = rest.join('/') === 'socket'
  return { name: isSocket ? pageName(decoded(name)) : '', query: new URLSearchParams(query) }
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
