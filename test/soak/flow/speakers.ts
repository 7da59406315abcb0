import type { Service } from './nodes.ts'
import { tab } from './tab.ts'

/** The tabs with the speakers of a service. Each returns its nodes. */

const announcement = {
  type: 'parlando-announce',
  chime: true,
  // A voice of this device would hide that the other service is away.
  standIn: 'none',
}

/** Announces and reads aloud on a speaker whose player fetches each sound at once, and reports that it has played it. */
export function speaker(service: Service): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'speaker')
  const speaker = idOf('speaker')
  const announce = idOf('speaker-announce')
  const read = idOf('speaker-read')
  const wires = [...place.wires, ...place.wires, [idOf('player-select')]]
  // To stop a player, *announce* sends it a message.
  const select = 'return msg.stop ? null : { url: msg.url }'
  const report = 'return { played: true, url: msg.url }'
  return [
    ...frame,
    { ...catchAll, scope: [announce, read] },
    // The sound of an interrupted announcement ends early.
    { ...catchAll, id: idOf('player-catch'), scope: [idOf('player-fetch')], wires: [] },
    {
      id: speaker,
      type: 'parlando-speaker',
      name: `Speaker of ${service}`,
      kind: 'another-node',
      leadOut: '0',
    },
    {
      ...place,
      ...announcement,
      id: announce,
      speaker,
      outputs: 3,
      wires,
    },
    {
      ...place,
      id: read,
      type: 'parlando-read-aloud',
      speaker,
      text: 'payload',
      textType: 'msg',
      clean: true,
      priority: 'info',
      outputs: 3,
      wires,
    },
    {
      ...place,
      id: idOf('player-select'),
      type: 'function',
      func: select,
      outputs: 1,
      wires: [[idOf('player-fetch')]],
    },
    {
      ...place,
      id: idOf('player-fetch'),
      type: 'http request',
      method: 'GET',
      ret: 'bin',
      wires: [[idOf('player-report')]],
    },
    {
      ...place,
      id: idOf('player-report'),
      type: 'function',
      func: report,
      outputs: 1,
      wires: [[announce]],
    },
  ]
}

/** Announces on MPD, which the speakers of all services share. */
export function mpdSpeaker(service: Service, mpd: string): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'mpd')
  const speaker = idOf('mpd')
  const wires = [...place.wires, ...place.wires]
  return [
    ...frame,
    catchAll,
    { id: speaker, type: 'parlando-speaker', name: `MPD of ${service}`, kind: 'mpd', mpd },
    { ...place, ...announcement, id: idOf('mpd-announce'), speaker, outputs: 2, wires },
  ]
}

/** Announces on the page of a speaker, and asks questions there: once and again, or until somebody answers. */
export function pageSpeaker(service: Service): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'browser')
  const speaker = idOf('browser')
  const [end] = place.wires
  const ask = {
    ...place,
    type: 'parlando-ask',
    speaker,
    text: 'payload',
    textType: 'msg',
    answers: 'yes-no',
    waitSeconds: '2',
    endOfTurn: 'normal',
    voice: 'Clara',
    language: 'en-US',
    outputs: 4,
    wires: [end, end, end, end],
  }
  return [
    ...frame,
    catchAll,
    { id: speaker, type: 'parlando-speaker', name: pageOf(service), kind: 'page' },
    {
      ...place,
      ...announcement,
      id: idOf('browser-announce'),
      speaker,
      outputs: 2,
      wires: [end, end],
    },
    { ...ask, id: idOf('browser-ask') },
    { ...ask, id: idOf('browser-insist'), untilAnswered: true, everySeconds: '3' },
  ]
}

/** The name of the page of a speaker. */
export const pageOf = (service: Service) => `browser-${service}`
