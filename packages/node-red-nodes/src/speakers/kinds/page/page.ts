import type { NodeAPI } from 'node-red'
import { connectEvents, connectSocket } from '../../../page-server/page-connection.ts'
import { servePages } from '../../../page-server/pages.ts'
import { textOf } from '../../../runtime/admin-route.ts'
import { pageName } from '../../../shared/page-name.ts'
import { addBrowserRoutes, playerId } from '../../browser/browser-routes.ts'
import type { Driver } from '../../driver.ts'
import { type Music, musicSetting, readMusic } from '../../music.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { SpeakerPage } from './speaker-page.ts'

/** A deploy closes a speaker and creates it again; the browsers stay connected. */
const lingerMs = 5_000

/** Pages send their reports as requests. */
const maxMessageBytes = 100

export function pageSpeaker(RED: NodeAPI): SpeakerKind {
  const createDriver = servePageDrivers(RED)
  return {
    create: ({ config }) => createDriver(nameOf(config), readMusic(config)),
    settings: [musicSetting],
    devices: (config) => [`page ${pageName(nameOf(config))}`],
    page: (config) => pageName(nameOf(config)),
  }
}

function nameOf({ page, name }: DriverContext['config']): string {
  return String(page || name || 'speaker')
}

/**
 * Serves the pages of speakers, `<httpNodeRoot>/parlando/speaker/<name>`. Called once: it adds routes.
 * @returns a function that creates the driver of the page with a name. It plays in the browsers that have the page open.
 */
export function servePageDrivers(RED: NodeAPI): (name: string, music?: Music) => Driver {
  const pages = serveSpeakerPages(RED)
  return (name, music = 'stop') => {
    const path = pageName(name)
    const page = pages.get(path) ?? new SpeakerPage(RED, path)
    pages.open(path, name, page)
    page.uses += 1
    clearTimeout(page.closing)
    const closePage = () => {
      if (pages.get(path) === page) pages.close(path)
      page.close()
    }
    return {
      ...page.browsers,
      play: (sound, options) =>
        page.browsers.play(sound, options, music === 'softer' && !options.isMusic),
      playsOver: () => music !== 'stop',
      showAlarms: page.showAlarms.bind(page),
      async close() {
        page.uses -= 1
        if (page.uses === 0) page.closing = setTimeout(closePage, lingerMs).unref()
      },
    }
  }
}

function serveSpeakerPages(RED: NodeAPI) {
  const pages = servePages<SpeakerPage>(RED, {
    kind: 'speaker',
    texts: {
      title: 'speaker.pages.title',
      none: 'speaker.pages.none',
      unknown: 'speaker.error.no-page',
    },
    scripts: { 'speaker-page.js': 'speaker.js' },
    maxMessageBytes,
    connect(page, socket, { query, address }) {
      const player = playerId(query.get('player'))
      if (!player) return socket.terminate()
      socket.on('message', () => socket.terminate())
      page.connect(player, connectSocket(socket, address))
    },
  })
  const find = (name: string) => pages.get(pageName(name))
  RED.httpNode.get('/parlando/speaker/:name/events', (request, response) => {
    const { params, query, socket } = request
    const page = find(params.name)
    const player = playerId(query['player'])
    if (!page || !player) return void response.status(404).end()
    if (!pages.redeem(textOf(query['token']))) return void response.status(403).end()
    page.connect(player, connectEvents(response, socket.remoteAddress ?? ''))
  })
  RED.httpNode.post('/parlando/speaker/:name/acknowledge', ({ params, query }, response) => {
    const isDone = find(params.name)?.acknowledge(playerId(query['player']), textOf(query['id']))
    response.status(isDone ? 204 : 404).end()
  })
  addBrowserRoutes(RED.httpNode, '/parlando/speaker/:name', (name) => find(name)?.browsers)
  return pages
}
