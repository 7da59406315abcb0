import { busyModes, nodeNames, outputs, type Service } from './nodes.ts'
import { speak, tab } from './tab.ts'

/** The tabs of a service. Each returns its nodes. */

const guestNodes = nodeNames.filter((name) => /^(guest|kept|voices|tidy)-/.test(name))
const guestName = 'Guest'

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

/** A conversation that ends when nobody speaks any more. What somebody says comes from a node that speaks. */
export function phone(service: Service): object[] {
  const { place, frame, catchAll, idOf } = tab(service, 'phone')
  const [end] = place.wires
  return [
    ...frame,
    catchAll,
    {
      ...place,
      ...speak,
      id: idOf('phone-speak'),
      encoding: 'PCM',
      wires: [[idOf('phone-converse')]],
    },
    {
      ...place,
      id: idOf('phone-converse'),
      type: 'parlando-converse',
      voice: 'Clara',
      language: 'en-US',
      endOfTurn: 'normal',
      mayInterrupt: true,
      keepListening: 'short',
      wires: [end, end, end],
    },
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
