import { writeWavHeader } from '@parlando/core/audio'
import { nodeCases } from '@parlando/test-support/node-red/node-cases'

/** A node under test, and its properties. */
export interface FuzzedNode {
  id: string
  type: string
  settings: Record<string, unknown>
  /** The properties that the node reads. */
  reads: string[]
  /** The properties that the node sets. */
  sets: string[]
  /** A valid message. */
  good: Record<string, unknown>
  /** The valid message ends with an error: the node needs a device that tests do not have. */
  needsDevice: boolean
}

const recording = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 8000, dataBytes: 8000 }),
  Buffer.alloc(8000, 7),
])

const common = ['stop', 'parts', 'complete', 'topic', 'error', '_msgid']

export const fuzzedNodes: FuzzedNode[] = Object.entries(nodeCases).flatMap(
  ([type, { settings, fuzz }]) =>
    Object.entries(fuzz.variants).map(([id, variant]) => ({
      id,
      type,
      settings: { ...settings, ...variant },
      reads: [...common, ...fuzz.reads],
      sets: fuzz.sets,
      good: fuzz.good,
      needsDevice: fuzz.needsDevice ?? false,
    })),
)

/** Values that reach deeper code than random ones. */
export const likelyValues: unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -1,
  1e308,
  Number.NaN,
  '',
  ' ',
  'Hello.',
  'list',
  'get',
  'update',
  'delete',
  'Clara',
  '..',
  'svc-tts-2',
  'EN_US',
  'AUTO',
  'EN_US,DE_DE',
  'payload',
  '# Hello *you*',
  '<break time="1s"/>',
  '😀',
  '$sum(',
  [],
  {},
  [null],
  [''],
  ['EN_US', 7],
  { audioEncoding: 'PCM', sampleRateHertz: 16_000 },
  { audioEncoding: 'MP3' },
  { speakingRate: 1.2 },
  { language: 'en-US' },
  { text: 'Other.' },
  { voiceId: '' },
  { temperature: 0.5 },
  { max_tokens: 20 },
  { model: 'other' },
  { stream: false },
  { id: 'a', index: 0, count: 2, type: 'string', ch: '' },
  { id: 'a', index: 1 },
  { id: {} },
  { 'Content-Type': 'text/plain' },
  { text: 'Read by an expression.' },
  { buffer: recording },
  recording,
  [recording, recording],
  Buffer.alloc(0),
  Buffer.from('nothing to hear'),
  [{ role: 'user', content: 'Hello?' }],
  [{ role: 'system', content: '' }],
  [{ role: 'x' }],
  [{ type: 'function', function: { name: 'look' } }],
]

/** A tab with the nodes for this service, and their listeners. */
export function nodesFlow(baseUrl: string, apiKey: string): object[] {
  const place = { z: 'tab', x: 0, y: 0 }
  const ids = fuzzedNodes.map(({ id }) => id)
  return [
    { id: 'tab', type: 'tab' },
    {
      id: 'service',
      type: 'parlando-service',
      location: 'hosted',
      baseUrl,
      // A valid response must not be too late on a busy machine.
      timeoutSeconds: '30',
      retries: '0',
      credentials: { apiKey },
    },
    ...fuzzedNodes.map(({ id, type, settings }, index) => ({
      ...place,
      id,
      type,
      service: 'service',
      ...settings,
      // Node-RED clones a message for the second wire.
      wires: Array.from({ length: Number(settings['outputs'] ?? 1) }, () =>
        index % 2 ? ['out'] : ['out', 'also'],
      ),
    })),
    { ...place, id: 'out', type: 'debug', active: false, wires: [] },
    { ...place, id: 'also', type: 'debug', active: false, wires: [] },
    { ...place, id: 'catch', type: 'catch', scope: null, wires: [[]] },
    { ...place, id: 'complete', type: 'complete', scope: ids, wires: [[]] },
    { ...place, id: 'status', type: 'status', scope: ids, wires: [[]] },
  ]
}
