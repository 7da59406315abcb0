import { writeWavHeader } from '@parlando/core/audio'

/** A node under test, and the facts about it. */
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
}

const recording = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 8000, dataBytes: 8000 }),
  Buffer.alloc(8000, 7),
])

const common = ['stop', 'parts', 'complete', 'topic', 'error', '_msgid']

const speak = (id: string, settings: object): FuzzedNode => ({
  id,
  type: 'parlando-speak',
  settings: {
    text: 'payload',
    textType: 'msg',
    voice: 'Clara',
    model: 'svc-tts-2',
    encoding: 'PCM',
    sampleRate: '24000',
    output: 'chunks',
    busy: 'wait',
    ...settings,
  },
  reads: ['payload', 'voiceId', 'modelId', 'audioConfig', 'speechOptions', 'headers', 'res'],
  sets: ['payload', 'audio', 'timestamps', 'parts', 'complete', 'headers'],
  good: { payload: 'It rains. It snows.' },
})

const chat = (id: string, settings: object): FuzzedNode => ({
  id,
  type: 'parlando-chat',
  settings: {
    prompt: 'payload',
    promptType: 'msg',
    model: 'svc/models/echo',
    system: '',
    turns: '10',
    temperature: '',
    maxTokens: '',
    output: 'whole',
    busy: 'wait',
    ...settings,
  },
  reads: ['payload', 'chatModel', 'system', 'tools', 'chatOptions', 'reset'],
  sets: ['payload', 'chat', 'reasoning', 'parts', 'complete'],
  good: { payload: 'Is it raining?', topic: 'weather' },
})

const voices = (operation: string, settings: object = {}): FuzzedNode => ({
  id: `voices-${operation}`,
  type: 'parlando-voices',
  settings: { operation, voice: '', languages: '', search: '', output: 'whole', ...settings },
  reads: ['operation', 'voiceId', 'languages', 'search', 'displayName', 'description', 'tags'],
  sets: ['payload', 'voiceId', 'parts'],
  good: { voiceId: 'Clara', displayName: 'Clara' },
})

export const fuzzedNodes: FuzzedNode[] = [
  speak('speak-chunks', { output: 'chunks', busy: 'wait' }),
  speak('speak-parallel', { output: 'whole', busy: 'parallel', timestamps: true }),
  speak('speak-newest', { output: 'chunks', busy: 'replace', clean: true, voice: '' }),
  speak('speak-expression', { text: 'payload.text', textType: 'jsonata', encoding: 'WAV' }),
  chat('chat-whole', {}),
  chat('chat-deltas', { output: 'deltas', busy: 'parallel', turns: '0' }),
  chat('chat-sentences', { output: 'sentences', busy: 'replace', turns: '2', system: 'Be short.' }),
  voices('list'),
  { ...voices('list', { output: 'each' }), id: 'voices-each' },
  voices('get'),
  voices('update'),
  voices('delete', { voice: 'Angus' }),
  {
    id: 'clone',
    type: 'parlando-clone-voice',
    settings: {
      from: 'message',
      samples: 'payload',
      samplesType: 'msg',
      files: '',
      voiceName: 'topic',
      voiceNameType: 'msg',
      langCode: 'EN_US',
      removeBackgroundNoise: false,
    },
    reads: ['payload', 'displayName', 'langCode', 'removeBackgroundNoise', 'description', 'tags'],
    sets: ['payload', 'voiceId', 'warnings'],
    good: { payload: recording, topic: 'Me' },
  },
].map((node) => ({ ...node, reads: [...common, ...node.reads] }))

/** Values that reach deeper code than random ones. */
export const likelyValues: unknown[] = [
  ...[undefined, null, true, false, 0, -1, 1e308, Number.NaN, '', ' ', 'Hello.', 'list', 'get'],
  ...['update', 'delete', 'Clara', '..', 'svc-tts-2', 'EN_US', 'AUTO', 'EN_US,DE_DE', 'payload'],
  ...['# Hello *you*', '<break time="1s"/>', '😀', '$sum(', [], {}, [null], [''], ['EN_US', 7]],
  ...[{ audioEncoding: 'PCM', sampleRateHertz: 16_000 }, { audioEncoding: 'MP3' }],
  ...[{ speakingRate: 1.2 }, { language: 'en-US' }, { text: 'Other.' }, { voiceId: '' }],
  ...[{ temperature: 0.5 }, { max_tokens: 20 }, { model: 'other' }, { stream: false }],
  ...[{ id: 'a', index: 0, count: 2, type: 'string', ch: '' }, { id: 'a', index: 1 }, { id: {} }],
  ...[{ 'Content-Type': 'text/plain' }, { text: 'Read by an expression.' }, { buffer: recording }],
  ...[recording, [recording, recording], Buffer.alloc(0), Buffer.from('nothing to hear')],
  ...[[{ role: 'user', content: 'Hello?' }], [{ role: 'system', content: '' }], [{ role: 'x' }]],
  ...[[{ type: 'function', function: { name: 'look' } }]],
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
      timeoutSeconds: '0.03',
      retries: '0',
      credentials: { apiKey },
    },
    ...fuzzedNodes.map(({ id, type, settings }, index) => ({
      ...place,
      id,
      type,
      service: 'service',
      ...settings,
      // Some messages are cloned on their way, others are not.
      wires: [index % 2 ? ['out'] : ['out', 'also']],
    })),
    { ...place, id: 'out', type: 'debug', active: false, wires: [] },
    { ...place, id: 'also', type: 'debug', active: false, wires: [] },
    { ...place, id: 'catch', type: 'catch', scope: null, wires: [[]] },
    { ...place, id: 'complete', type: 'complete', scope: ids, wires: [[]] },
    { ...place, id: 'status', type: 'status', scope: ids, wires: [[]] },
  ]
}
