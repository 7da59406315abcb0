import type { ServerResponse } from 'node:http'
import type { NodeAPI } from 'node-red'
import { pageName } from '../../shared/page-name.ts'
import { sendPage, sendScript } from '../../shared/serve-page.ts'
import { playerAddress, thisHost } from '../../sounds/player-address.ts'
import { type Browsers, createBrowsers } from '../browser/browsers.ts'
import { addBrowserRoutes, playerId } from '../browser/report.ts'
import type { Driver } from '../driver.ts'
import { SpeakerError } from '../speaker-error.ts'

/** A tablet in power-saving mode takes a while to notice a command. */
const responseMs = 1_500
/** Longer than a tablet needs to connect again after a short loss of the network. */
const reconnectMs = 3_000
/** Proxies close a connection that is silent for a minute. A page that receives none connects again. */
const heartbeatMs = 15_000
const heartbeat = 'event: alive\ndata: 1\n\n'
const maxConnections = 200
/** For one connection. A browser that reads nothing for so long is no longer there. */
const maxUnsentBytes = 256 * 1024
/** A deploy closes a speaker and creates it again; the browsers stay connected. */
const lingerMs = 5_000

interface Page {
  /** The name of the speaker, as people have written it. */
  name: string
  browsers: Browsers
  connections: Map<string, ServerResponse>
  /** How many drivers use it: the one of the speaker, and one that a form tests. */
  uses: number
  closing?: NodeJS.Timeout
}

/** The pages of the speakers, by name. */
type Pages = Map<string, Page>

const pagesOf = new WeakMap<NodeAPI, Pages>()

/** The address of a page as people in the local network type it. */
function pageAddress(RED: NodeAPI, name: string): string {
  return `${playerAddress(thisHost(RED)).baseUrl}/parlando/speaker/${pageName(name)}`
}

/** Plays sounds on a page that is open in browsers, `<httpNodeRoot>/parlando/speaker/<name>`. */
export function createPageDriver(RED: NodeAPI, name: string): Driver {
  const pages = pagesOf.get(RED) ?? addPageRoutes(RED)
  pagesOf.set(RED, pages)
  const path = pageName(name)
  const page = pages.get(path) ?? openPage(RED, path)
  pages.set(path, page)
  page.name = name
  page.uses += 1
  clearTimeout(page.closing)
  const closePage = () => {
    if (pages.get(path) === page) pages.delete(path)
    void page.browsers.close()
    // Browsers that play first receive the command to stop.
    setImmediate(() => {
      for (const connection of page.connections.values()) connection.end()
    })
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
    publish(command) {
      write(connections, `data: ${JSON.stringify(command)}\n\n`)
      return connections.size
    },
    isForAll: true,
    responseMs,
    notPlayed: () =>
      new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.error.not-played-in-browser')),
    noPlayer(isLocked) {
      const key = isLocked ? 'page-locked' : 'page-closed'
      const url = pageAddress(RED, path)
      return new SpeakerError('NO_PLAYER', RED._(`speaker.error.${key}`, { url }))
    },
  })
  const beat = setInterval(write, heartbeatMs, connections, heartbeat).unref()
  return {
    browsers: {
      ...browsers,
      async close() {
        clearInterval(beat)
        await browsers.close()
      },
    },
    name: path,
    connections,
    uses: 0,
  }
}

function write(connections: Page['connections'], text: string): void {
  for (const connection of connections.values()) {
    connection.write(text)
    if (connection.writableLength > maxUnsentBytes) connection.destroy()
  }
}

function addPageRoutes(RED: NodeAPI): Pages {
  const pages: Pages = new Map()
  const find = (name: string) => pages.get(pageName(name))
  RED.httpNode.get('/parlando/speaker-page.js', (_request, response) => {
    sendScript(response, 'speaker.js')
  })
  RED.httpNode.get('/parlando/speaker/:name', ({ params, path }, response) => {
    const name = pageName(params.name)
    // The addresses inside the page are relative to one without a slash at the end.
    if (path.endsWith('/')) return response.redirect(`../${encodeURIComponent(name)}`)
    const page = pages.get(name)
    if (page) return sendPage(response, 'speaker.html', page.name)
    response.status(404).type('text').send(RED._('speaker.error.no-page', { name }))
  })
  RED.httpNode.get('/parlando/speaker/:name/events', ({ params, query }, response) => {
    const page = find(params.name)
    const player = playerId(query['player'])
    if (!page || !player) return void response.status(404).end()
    const isFull = page.connections.size >= maxConnections && !page.connections.has(player)
    if (isFull) return void response.status(503).end()
    connect(page, player, response)
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
  response.write(`retry: 2000\n\n${heartbeat}`)
  response.on('close', () => {
    if (connections.get(player) !== response) return
    connections.delete(player)
    const leave = () => connections.has(player) || browsers.leave(player)
    setTimeout(leave, reconnectMs).unref()
  })
}
