import type { NodeAPI } from 'node-red'
import { type Pages, servePages } from '../../page-server/pages.ts'
import { pageName } from '../../shared/page-name.ts'
import { addBrowserRoutes, playerId } from '../browser/report.ts'
import { connectEvents, connectSocket } from './connection.ts'
import type { SpeakerPage } from './speaker-page.ts'

/** Pages send their reports as requests. */
const maxMessageBytes = 100

/** Serves the pages of the speakers. Called once: it adds routes. */
export function serveSpeakerPages(RED: NodeAPI): Pages<SpeakerPage> {
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
      if (player) page.connect(player, connectSocket(socket, address))
      else socket.terminate()
    },
  })
  const find = (name: string) => pages.get(pageName(name))
  RED.httpNode.get('/parlando/speaker/:name/events', (request, response) => {
    const { params, query, socket } = request
    const page = find(params.name)
    const player = playerId(query['player'])
    if (!page || !player) return void response.status(404).end()
    if (!pages.redeem(String(query['token']))) return void response.status(403).end()
    page.connect(player, connectEvents(response, socket.remoteAddress ?? ''))
  })
  RED.httpNode.post('/parlando/speaker/:name/acknowledge', ({ params, query }, response) => {
    const isDone = find(params.name)?.acknowledge(playerId(query['player']), String(query['id']))
    response.status(isDone ? 204 : 404).end()
  })
  addBrowserRoutes(RED.httpNode, '/parlando/speaker/:name', (name) => find(name)?.browsers)
  return pages
}
