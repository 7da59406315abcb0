// A real Node-RED in its own process. It sends the time to the first audio of its first message.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { receiveAudio, startNodeRed } from '../shared/node-red.js'

const speakId = 'bench-speak'
const listenerId = 'bench-listener'
const flowsWith = (voice) => [
  { id: 'bench-tab', type: 'tab', label: 'Bench' },
  {
    id: speakId,
    type: 'parlando-speak',
    z: 'bench-tab',
    service: '',
    voice,
    text: 'payload',
    textType: 'msg',
    output: 'chunks',
    busy: 'wait',
    wires: [[listenerId]],
  },
  { id: listenerId, type: 'debug', z: 'bench-tab', active: false, wires: [] },
]

const [{ voice, waitSeconds }] = await once(process, 'message')
const { RED } = await startNodeRed({ flows: flowsWith(voice), credentials: {} })
await wait(waitSeconds * 1000)
const message = { payload: 'Good morning, the coffee is ready.' }
process.send((await receiveAudio(RED, message, { to: speakId, from: speakId })).firstMs)
