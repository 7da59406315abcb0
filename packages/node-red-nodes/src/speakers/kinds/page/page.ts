import type { NodeAPI } from 'node-red'
import {
  createAllowance,
  minMessageBytes,
  soundRate,
} from '../../../microphones/page/sound-allowance.ts'
import { connectEvents, connectSocket } from '../../../page-server/page-connection.ts'
import { pageName } from '../../../page-server/page-name.ts'
import { servePages } from '../../../page-server/pages.ts'
import { textOf } from '../../../runtime/admin-route.ts'
import { addBrowserRoutes, playerId } from '../../browser/browser-routes.ts'
import { readingActions } from '../../display.ts'
import { alarmActions, type Driver } from '../../driver.ts'
import {
  hearingSetting,
  type Music,
  musicSetting,
  readHearing,
  readMusic,
  readWords,
  wordsSetting,
} from '../../kind-settings.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { SpeakerPage } from './speaker-page.ts'

/** A deploy closes a speaker and creates it again; the browsers stay connected. */
const lingerMs = 5_000

/** Ten packets of sound of 20 ms. Pages send their reports as requests. */
const maxMessageBytes = 6400

export function pageSpeaker(RED: NodeAPI): SpeakerKind {
  const createDriver = servePageDrivers(RED)
  return {
    create: ({ config }) =>
      createDriver(nameOf(config), {
        music: readMusic(config),
        hears: readHearing(config),
        showsWords: readWords(config),
      }),
    settings: [musicSetting, hearingSetting, wordsSetting],
    devices: (config) => [`page ${pageName(nameOf(config))}`],
    page: (config) => pageName(nameOf(config)),
  }
}

interface PageDriverOptions {
  music?: Music
  hears?: boolean
  showsWords?: boolean
}

function nameOf({ page, name }: DriverContext['config']): string {
  return String(page || name || 'speaker')
}

/**
 * Serves the pages of speakers, `<httpNodeRoot>/parlando/speaker/<name>`. Called once: it adds routes.
 * @returns a function that creates the driver of the page with a name. It plays in the browsers that have the page open.
 */
export function servePageDrivers(
  RED: NodeAPI,
): (name: string, options?: PageDriverOptions) => Driver {
  const pages = serveSpeakerPages(RED)
  return (name, { music = 'stop', hears = false, showsWords = false } = {}) => {
    const path = pageName(name)
    const page = pages.get(path) ?? new SpeakerPage(RED, path)
    pages.open(path, name, page)
    page.uses += 1
    const forbid = hears ? page.commandMicrophone.allow() : () => {}
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
      showAlarms: page.display.showAlarms.bind(page.display),
      ...(hears && { hearCommands: page.commandMicrophone.open.bind(page.commandMicrophone) }),
      display: page.display,
      readingDisplay: page.display,
      showsWords,
      questionMicrophone: page.questionMicrophone,
      async close() {
        forbid()
        page.uses -= 1
        if (page.uses === 0) page.closing = setTimeout(closePage, lingerMs).unref()
      },
    }
  }
}

function serveSpeakerPages(RED: NodeAPI) {
  const pages = servePages<SpeakerPage>(RED, {
    kind: 'speaker',
    unknown: 'speaker.error.no-page',
    countOpen: (page) => page.connected,
    scripts: {
      'speaker-page.js': 'speaker.js',
      'microphone-worklet.js': 'microphone-worklet.js',
    },
    maxMessageBytes,
    connect(page, socket, { query, address }) {
      const player = playerId(query.get('player'))
      if (!player) return socket.terminate()
      const isAllowed = createAllowance(soundRate)
      socket.on('message', (data: Buffer, isBinary) => {
        const isTaken = isAllowed(Math.max(data.length, minMessageBytes))
        if (!isTaken || !page.takeMessage(player, data, isBinary)) socket.terminate()
      })
      page.connect(player, connectSocket(socket, address), true)
    },
  })
  const find = (name: string) => pages.get(pageName(name))
  /** Where the buttons of the browser that sends the request act. */
  const displayFor = (name: string, query: Record<string, unknown>) =>
    find(name)?.displayOf(playerId(query['player']))
  RED.httpNode.get('/parlando/speaker/:name/events', (request, response) => {
    const { params, query, socket } = request
    const page = find(params.name)
    const player = playerId(query['player'])
    if (!page || !player) return void response.status(404).end()
    if (!pages.redeem(textOf(query['token']))) return void response.status(403).end()
    page.connect(player, connectEvents(response, socket.remoteAddress ?? ''))
  })
  for (const action of alarmActions) {
    RED.httpNode.post(`/parlando/speaker/:name/${action}`, ({ params, query }, response) => {
      const isDone = displayFor(params.name, query)?.control(textOf(query['id']), action)
      response.status(isDone ? 204 : 404).end()
    })
  }
  RED.httpNode.post('/parlando/speaker/:name/answer', ({ params, query }, response) => {
    const index = Number(textOf(query['index']) || Number.NaN)
    const isDone = displayFor(params.name, query)?.answer(textOf(query['id']), index)
    response.status(isDone ? 204 : 404).end()
  })
  RED.httpNode.post('/parlando/speaker/:name/reading', ({ params, query }, response) => {
    const action = readingActions.find((one) => one === query['action'])
    const isDone =
      action && displayFor(params.name, query)?.controlReading(textOf(query['id']), action)
    response.status(isDone ? 204 : 404).end()
  })
  addBrowserRoutes(RED.httpNode, '/parlando/speaker/:name', (name) => find(name)?.browsers)
  return pages
}
