import { objectOf } from '../../network/json.ts'

/** What a Snapcast server plays, and where. */
export interface ServerState {
  streams: SnapcastStream[]
  groups: SnapcastGroup[]
}

export interface SnapcastStream {
  id: string
  isPlaying: boolean
  /** The names of the streams that a meta stream plays: the first one that is active. */
  members: readonly string[]
  /** Where a source accepts samples over TCP, and which. */
  tcp?: { port: number; sampleFormat: string; chunkMs: number }
}

export interface SnapcastGroup {
  id: string
  streamId: string
  isMuted: boolean
  /** How many of its clients are connected. */
  clients: number
  /** How much later than the others the latest of its clients plays. */
  latencyMs: number
}

const defaultTcpPort = 4953
const defaultSampleFormat = '48000:16:2'
const defaultChunkMs = 20

/** @param result of `Server.GetStatus`. Whatever does not fit counts as absent. */
export function readServerState(result: unknown): ServerState {
  const { streams, groups } = objectOf(objectOf(result)['server'])
  return { streams: listOf(streams).map(readStream), groups: listOf(groups).map(readGroup) }
}

function readStream({ id, status, uri }: Members): SnapcastStream {
  const { scheme, host, path, query } = objectOf(uri)
  const { sampleformat, chunk_ms: chunkMs, mode } = objectOf(query)
  const isTcp = scheme === 'tcp' && mode !== 'client'
  return {
    id: textOf(id),
    isPlaying: status === 'playing',
    members: scheme === 'meta' ? textOf(path).split('/').filter(Boolean) : [],
    ...(isTcp && {
      tcp: {
        port: portOf(textOf(host)),
        sampleFormat: textOf(sampleformat) || defaultSampleFormat,
        chunkMs: within(Number(chunkMs), 1, 1000, defaultChunkMs),
      },
    }),
  }
}

function readGroup({ id, stream_id: streamId, muted, clients }: Members): SnapcastGroup {
  const connected = listOf(clients).filter((client) => client['connected'] === true)
  const latencies = connected.map(({ config }) =>
    within(Number(objectOf(config)['latency']), -10_000, 10_000, 0),
  )
  return {
    id: textOf(id),
    streamId: textOf(streamId),
    isMuted: muted === true,
    clients: connected.length,
    latencyMs: Math.max(0, ...latencies.map((ms) => -ms)),
  }
}

type Members = ReturnType<typeof objectOf>

function listOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** @param host as the address of the source has it: `0.0.0.0` or `0.0.0.0:4953`. */
function portOf(host: string): number {
  const [, port] = /:(\d{1,5})$/.exec(host) ?? []
  return within(Number(port), 1, 65_535, defaultTcpPort)
}

function within(value: number, min: number, max: number, fallback: number): number {
  return value >= min && value <= max ? value : fallback
}
