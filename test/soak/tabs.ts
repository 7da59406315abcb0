import { busyModes, nodeNames, outputs, type Service, serviceNodeOf } from './nodes.ts'

/** The tabs of a service. Each returns its nodes. */

const guestNodes = nodeNames.filter((name) => /^(guest|kept|voices|tidy)-/.test(name))
const guestName = 'Guest'

/** A tab with a Catch for all its nodes and a Debug as the last node. */
function tab(service: Service, name: string) {
  const id = `${service}-${name}`
  const place = { z: id, x: 100, y: 100, wires: [[`${id}-end`]] }
  const frame = [
    { id, type: 'tab', label: id },
    { ...place, id: `${id}-end`, type: 'debug', active: false, tosidebar: false, wires: [] },
  ]
  const catchAll = { ...place, id: `${id}-catch`, type: 'catch', scope: null }
  const idOf = (node: string) => `${service}-${node}`
  return { place: { ...place, service: serviceNodeOf(service) }, frame, catchAll, idOf }
}

const speak = {
  type: 'parlando-speak',
  text: 'payload',
  textType: 'msg',
  voice: '',
  model: '',
  encoding: '',
  sampleRate: '24000',
  output: 'chunks',
  busy: 'wait',
}

export function announcements(service: Service): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'announcements')
  const nodes = outputs.flatMap((output) =>
    busyModes.map((busy) => ({ ...place, ...speak, id: idOf(`${output}-${busy}`), output, busy })),
  )
  return [...frame, catchAll, ...nodes]
}

/** The sound that *listen* transcribes. */
const dictation = { output: 'whole', encoding: 'WAV', sampleRate: '16000' }

export function talk(service: Service): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'talk')
  const chat = {
    ...place,
    type: 'parlando-chat',
    prompt: 'payload',
    promptType: 'msg',
    busy: 'wait',
  }
  return [
    ...frame,
    catchAll,
    { ...chat, id: idOf('ask-chat'), output: 'sentences', wires: [[idOf('ask-speak')]] },
    { ...place, ...speak, id: idOf('ask-speak'), encoding: 'PCM' },
    { ...chat, id: idOf('answer-chat'), output: 'whole', turns: '10', busy: 'parallel' },
    {
      ...place,
      ...speak,
      ...dictation,
      id: idOf('dictate-speak'),
      wires: [[idOf('dictate-listen')]],
    },
    { ...place, id: idOf('dictate-listen'), type: 'parlando-listen', output: 'text', busy: 'wait' },
  ]
}

/** Clones a recording, speaks with the clone and deletes it, also after a failure. Keeps another clone until all are deleted. */
export function guests(service: Service, recording: string): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'guests')
  const toDelete = [[idOf('guest-delete')]]
  const voices = { ...place, type: 'parlando-voices', voice: '' }
  const clone = {
    ...place,
    type: 'parlando-clone-voice',
    from: 'message',
    samples: 'payload',
    samplesType: 'msg',
    voiceName: guestName,
    voiceNameType: 'str',
    langCode: 'EN_US',
  }
  const speakThanks = {
    ...speak,
    text: 'Thank you for having me.',
    textType: 'str',
    output: 'whole',
  }
  const readFile = { type: 'file in', filename: recording, filenameType: 'str', format: '' }
  return [
    ...frame,
    // Without guest-speak: its own Catch leads to guest-delete, and must not catch the failures of guest-delete.
    { ...catchAll, scope: guestNodes.filter((name) => name !== 'guest-speak').map(idOf) },
    { ...catchAll, id: idOf('guest-catch'), scope: [idOf('guest-speak')], wires: toDelete },
    { ...place, ...readFile, id: idOf('guest-file'), wires: [[idOf('guest-clone')]] },
    { ...clone, id: idOf('guest-clone'), wires: [[idOf('guest-speak')]] },
    { ...place, ...speakThanks, id: idOf('guest-speak'), wires: toDelete },
    { ...voices, id: idOf('guest-delete'), operation: 'delete' },
    { ...place, ...readFile, id: idOf('kept-file'), wires: [[idOf('kept-clone')]] },
    { ...clone, id: idOf('kept-clone') },
    { ...voices, id: idOf('voices-list'), operation: 'list', output: 'whole' },
    {
      ...voices,
      id: idOf('tidy-list'),
      operation: 'list',
      output: 'each',
      search: guestName,
      wires: [[idOf('tidy-delete')]],
    },
    { ...voices, id: idOf('tidy-delete'), operation: 'delete' },
  ]
}

/** `/device?text=…` and so on: a page that responds with speech. */
export function pages(service: Service): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'pages')
  const response = { ...place, type: 'http response', headers: {}, wires: [] }
  return [
    ...frame,
    {
      ...place,
      id: idOf('page-in'),
      type: 'http in',
      url: `/${service}`,
      method: 'get',
      wires: [[idOf('page-speak')]],
    },
    {
      ...place,
      ...speak,
      id: idOf('page-speak'),
      text: 'payload.text',
      output: 'whole',
      busy: 'parallel',
      wires: [[idOf('page-out')]],
    },
    { ...response, id: idOf('page-out'), statusCode: '' },
    { ...catchAll, wires: [[idOf('page-bad')]] },
    { ...response, id: idOf('page-bad'), statusCode: '500' },
  ]
}

/** Texts that are jobs of the service. */
export function longTexts(service: Service): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'long')
  const speakLong = { ...speak, id: idOf('long-speak'), output: 'whole', encoding: 'MP3' }
  return [...frame, catchAll, { ...place, ...speakLong }]
}

export function reminders(service: Service): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'reminders')
  const remind = {
    type: 'parlando-remind',
    language: 'en-US',
    timeZone: 'UTC',
    half: false,
    outputs: 2,
  }
  const wires = [...place.wires, ...place.wires]
  return [...frame, catchAll, { ...place, ...remind, id: idOf('remind-remind'), wires }]
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
      id: announce,
      type: 'parlando-announce',
      speaker,
      chime: true,
      // A voice of this device would hide that the other service is away.
      standIn: 'none',
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
