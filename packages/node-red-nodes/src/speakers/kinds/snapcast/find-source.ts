import type { Device } from '../../network/device.ts'
import { textOfAddress } from '../../network/device-address.ts'
import { SpeakerError } from '../../speaker-error.ts'
import { readSampleFormat, type SnapcastFormat } from './sample-format.ts'
import { readServerState, type ServerState, type SnapcastStream } from './server-state.ts'
import { type SnapcastControl, SnapcastRejection } from './snapcast-control.ts'

export interface FoundSource {
  state: ServerState
  stream: SnapcastStream
  port: number
  format: SnapcastFormat
  chunkMs: number
}

/**
 * Finds the source that accepts samples over TCP. A server that can add one by a request does so.
 * @throws {SpeakerError} when there is none, or when it expects samples that cannot be made.
 */
export async function findSource(
  control: SnapcastControl,
  device: Device,
  name: string,
): Promise<FoundSource> {
  const find = async () => {
    const state = readServerState(await control.request('Server.GetStatus'))
    return { state, stream: state.streams.find(({ id }) => id === name) }
  }
  let { state, stream } = await find()
  if (!stream && (await addSource(control, name))) ({ state, stream } = await find())
  const values = { address: textOfAddress(device.address), source: name }
  if (!stream?.tcp) {
    const known = state.streams.flatMap(({ id, tcp }) => (tcp ? id : [])).join(', ') || '–'
    throw rejection(device, 'no-source', { ...values, known: known.slice(0, 200) })
  }
  const { port, sampleFormat, chunkMs } = stream.tcp
  const format = readSampleFormat(sampleFormat)
  if (!format) {
    throw rejection(device, 'sample-format', { ...values, format: sampleFormat.slice(0, 40) })
  }
  return { state, stream, port, format, chunkMs }
}

/** Debian's version 0.26, and all from 0.30 to before 0.31, cannot (CVE-2023-36177). @returns whether it could. */
async function addSource(control: SnapcastControl, name: string): Promise<boolean> {
  const streamUri = `tcp://0.0.0.0?name=${encodeURIComponent(name)}&sampleformat=48000:16:2`
  try {
    await control.request('Stream.AddStream', { streamUri })
    return true
  } catch (error) {
    if (error instanceof SnapcastRejection && error.isUnknownMethod) return false
    throw error
  }
}

function rejection({ RED }: Device, key: string, values: Record<string, string>): SpeakerError {
  return new SpeakerError('SPEAKER_REFUSED', RED._(`speaker.snapcast.${key}`, values))
}
