import { tone } from '@parlando/test-support/audio/computed-sounds'

/** Sends a second of a tone to the page. */
const sendTone = `
msg.payload = Buffer.from('${tone({ seconds: 1, hertz: 500, sampleRateHertz: 24_000 }).toString('base64')}', 'base64')
msg.audio = { encoding: 'PCM', sampleRateHertz: 24000 }
msg.speakers = 'Kitchen speaker'
return msg`

const place = { z: 'tab', x: 0, y: 0 }
const inject = {
  ...place,
  type: 'inject',
  props: [{ p: 'payload' }],
  payload: '',
  payloadType: 'date',
}
const microphone = {
  ...place,
  type: 'parlando-microphone',
  kind: 'page',
  wires: [['join', 'begun']],
}
/** Microphones of each mode, a page that plays, and what they send. */
export const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'speaker', type: 'parlando-speaker', kind: 'page', name: 'Kitchen speaker' },
  { ...microphone, id: 'push', name: 'Push', mode: 'push' },
  { ...microphone, id: 'tap', name: 'Tap', mode: 'tap' },
  { ...microphone, id: 'free', name: 'Free', mode: 'hands-free', alsoPlays: 'speaker' },
  { ...microphone, id: 'name', name: '<i>Stairs</i> & "Hall"', mode: 'push' },
  { ...place, id: 'join', type: 'join', mode: 'auto', wires: [['file', 'facts']] },
  {
    ...place,
    id: 'file',
    type: 'file',
    filename: 'heard.raw',
    filenameType: 'str',
    overwriteFile: 'true',
    appendNewline: false,
    createDir: false,
    encoding: 'none',
    wires: [['written']],
  },
  {
    ...place,
    id: 'written',
    type: 'debug',
    active: true,
    tosidebar: true,
    complete: 'topic',
    targetType: 'msg',
  },
  {
    ...place,
    id: 'facts',
    type: 'debug',
    active: true,
    tosidebar: true,
    complete: 'audio',
    targetType: 'msg',
  },
  {
    ...place,
    id: 'begun',
    type: 'debug',
    active: true,
    tosidebar: true,
    complete: 'parts.index',
    targetType: 'msg',
  },
  { ...inject, id: 'press-texts', wires: [['texts']] },
  {
    ...place,
    id: 'texts',
    type: 'function',
    func: "return [[{ role: 'user', payload: 'What time is it?' }, { role: 'assistant', payload: 'It is ten.' }]]",
    outputs: 1,
    wires: [['push']],
  },
  { ...inject, id: 'press-stop', wires: [['stop']] },
  {
    ...place,
    id: 'stop',
    type: 'function',
    func: 'return { stop: true }',
    outputs: 1,
    wires: [['push', 'tap', 'free']],
  },
  { ...inject, id: 'press-tone', wires: [['tone']] },
  { ...place, id: 'tone', type: 'function', func: sendTone, outputs: 1, wires: [['play']] },
  { ...place, id: 'play', type: 'parlando-play', wires: [['played']] },
  {
    ...place,
    id: 'played',
    type: 'debug',
    active: true,
    tosidebar: true,
    complete: 'playback',
    targetType: 'msg',
  },
]
