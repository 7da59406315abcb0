import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { NodeAPI } from 'node-red'
import { playerAddress, thisHost } from '../../sounds/player-address.ts'
import { type Browsers, createBrowsers } from '../browser/browsers.ts'
import { addBrowserRoutes } from '../browser/report.ts'
import type { Driver } from '../driver.ts'
import { SpeakerError } from '../speaker-error.ts'

/** Longer than a tablet needs to connect again after a short loss of the network. */
const reconnectMs = 3_000
/** Proxies close a connection that is silent for a minute. */
const heartbeatMs = 15_000
const maxConnections = 200
/** A deploy closes a speaker and creates it again; the browsers stay connected. */
const lingerMs = 5_000

interface Page {
  browsers: Browsers
  connections: Map<string, ServerResponse>
  /** How many drivers use it: the one of the speaker, and one that a form tests. */
  uses: number
  closing?: NodeJS.Timeout
}

/** The pages of the speakers, by name. */
type Pages = Map<string, Page>

const pagesOf = new WeakMap<NodeAPI, Pages>()

/** The part of a page's address that names it: in lower case, since people type it. */
export function pageName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, '-')
}

/** Plays sounds on a page that is open in browsers, `<httpNodeRoot>/parlando/speaker/<name>`. */
export function createPageDriver(RED: NodeAPI, name: string): Driver {
  const pages = pagesOf.get(RED) ?? addPageRoutes(RED)
  pagesOf.set(RED, pages)
  const path = pageName(name)
  const page = pages.get(path) ?? openPage(RED, path)
  pages.set(path, page)
  page.uses += 1
  clearTimeout(page.closing)
  const closePage = () => {
    if (pages.get(path) === page) pages.delete(path)
    for (const connection of page.connections.values()) connection.end()
    void page.browsers.close()
  }
  return {
    ...page.browsers,
    async close() {
      page.uses -= 1
      if (page.uses === 0) page.closing = setTimeout(closePage, lingerMs).unref()
    },
  }
}

function openPage(RED: NodeAPI, path: string): Page {
  const connections: Page['connections'] = new Map()
  const browsers = createBrowsers({
    publish: (command) => write(connections, `data: ${JSON.stringify(command)}\n\n`),
    isForAll: true,
    noPlayer(isLocked) {
      const { baseUrl } = playerAddress(thisHost(RED))
      const url = `${baseUrl}/parlando/speaker/${encodeURIComponent(path)}`
      const key = isLocked ? 'page-locked' : 'page-closed'
      return new SpeakerError('NO_PLAYER', RED._(`speaker.error.${key}`, { url }))
    },
  })
  const heartbeat = setInterval(write, heartbeatMs, connections, ': \n\n').unref()
  return {
    browsers: {
      ...browsers,
      async close() {
        clearInterval(heartbeat)
        await browsers.close()
      },
    },
    connections,
    uses: 0,
  }
}

function write(connections: Page['connections'], text: string): void {
  for (const connection of connections.values()) connection.write(text)
}

function addPageRoutes(RED: NodeAPI): Pages {
  const pages: Pages = new Map()
  const folder = join(__dirname, '../../pages')
  const find = (name: string) => pages.get(pageName(name))
  const file = (name: string, mediaType: string) => (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': mediaType, 'Cache-Control': 'no-cache' })
    createReadStream(join(folder, name))
      .on('error', () => response.destroy())
      .pipe(response)
  }
  const html = file('speaker.html', 'text/html; charset=utf-8')
  const script = file('speaker.js', 'text/javascript; charset=utf-8')

  RED.httpNode.get('/parlando/speaker-page.js', (_request, response) => script(response))
  RED.httpNode.get('/parlando/speaker/:name', ({ params }, response) => {
    if (find(params.name)) return html(response)
    const text = RED._('speaker.error.no-page', { name: params.name })
    response.status(404).type('text').send(text)
  })
  RED.httpNode.get('/parlando/speaker/:name/events', ({ params, query }, response) => {
    const page = find(params.name)
    if (!page) return void response.status(404).end()
    if (page.connections.size >= maxConnections) return void response.status(503).end()
    connect(page, String(query['player'] ?? ''), response)
  })
  addBrowserRoutes(RED.httpNode, '/parlando/speaker/:name', (name) => find(name)?.browsers)
  return pages
}

/** Keeps a connection for server-sent events, over which a browser receives the commands. */
function connect({ browsers, connections }: Page, player: string, response: ServerResponse): void {
  connections.get(player)?.end()
  connections.set(player, response)
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // nginx would collect the events otherwise.
    'X-Accel-Buffering': 'no',
  })
  // The browser connects again after two seconds.
  response.write('retry: 2000\n\n')
  response.on('close', () => {
    if (connections.get(player) !== response) return
    connections.delete(player)
    const leave = () => connections.has(player) || browsers.leave(player)
    setTimeout(leave, reconnectMs).unref()
  })
}
